// Whether the networks' own answers agree with a program, for many observations.
#pragma once

#include "neurasp/limits.hpp"
#include "neurasp/network_outputs.hpp"
#include "neurasp/program.hpp"
#include "neurasp/question.hpp"

#include <memory>
#include <span>

namespace neurasp {

// Asks of many observations whether the most probable outcome of every random variable agrees with the program and with
// the facts and rules of the observation; constraints of observations do not count. Observations that hold only facts
// and constraints share one grounding and one solver. For one thread at a time.
class ConsistencyCheck {
  public:
    // `observations`: those that will be asked about; others are allowed, but take longer.
    ConsistencyCheck(Program program, std::span<const Observation> observations);
    ~ConsistencyCheck();
    ConsistencyCheck(ConsistencyCheck &&) noexcept;
    ConsistencyCheck &operator=(ConsistencyCheck &&) noexcept;

    // Prepares an observation, so that mistakes in it are found. Throws: InputError, LimitError.
    void prepare(const Observation &observation);
    // The same as Question::argmax_consistency(..).satisfies_program of the question without constraints. Throws:
    // InputError, LimitError.
    bool satisfies(const Observation &observation, const NetworkOutputs &outputs,
                   const Limits &limits = {});

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace neurasp
