// Engines answer questions. All return the same answers, at different cost. An engine is an object without state;
// the grounding keeps solvers, the library keeps circuits.
#pragma once

#include "inference/task.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::inference {

// P(some stable model), or bounds on it.
struct MassAnswer {
    Probability probability;
    HowAnswered how;
};

class Engine {
  public:
    virtual ~Engine() = default;
    virtual std::string_view name() const = 0;
    // Whether the engine may choose other ways of answering for parts of the work.
    virtual bool chooses() const { return false; }
    // P(O) and the queries; the caller adds the mass.
    virtual ProbabilityAnswer probability(const Task &task) const = 0;
    virtual ModelsAnswer most_probable(const Task &task, std::uint64_t count, bool ties) const = 0;
    virtual ModelsAnswer sample(const Task &task, std::uint64_t count) const = 0;
    virtual MarginalsAnswer marginals(const Task &task) const = 0;
    virtual GradientAnswer gradient(const Task &task, GradientConvention convention) const = 0;
    // Requires: a task whose request is empty.
    virtual MassAnswer mass(const Task &task) const = 0;
    // A circuit for each request, for answers that need circuits. If one is missing, returns nothing and sets
    // `obstacle`.
    using Circuits = std::vector<std::shared_ptr<const CircuitEntry>>;
    virtual Circuits circuits(const Task &task, std::span<const Request> requests,
                              std::string &obstacle) const = 0;
};

// All engines by name, "auto" first.
const std::vector<std::unique_ptr<Engine>> &engines();
// Throws: ContractError for an unknown name.
const Engine &engine_for(const std::string &name);

} // namespace neurasp::inference
