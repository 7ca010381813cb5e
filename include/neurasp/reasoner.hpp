// Prepares questions about a program.
#pragma once

#include "neurasp/limits.hpp"
#include "neurasp/program.hpp"
#include "neurasp/question.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp {

// Keeps what questions share: the ground program, circuits, and questions that were asked before. Any number of threads
// may use it. Questions are prepared one after the other; if `ask` adds to a grounding, it waits for answers that are
// being computed from it.
class Reasoner {
  public:
    // The program is grounded when the first question needs it, within the limits `grounding`, unless `ask` gets its
    // own.
    explicit Reasoner(Program program, Limits grounding = {});
    ~Reasoner();
    Reasoner(Reasoner &&) noexcept;
    Reasoner &operator=(Reasoner &&) noexcept;

    // Prepares a question from observations and queries. Observations that consist only of constraints reuse the
    // grounding. Asking the same question again returns the one that was prepared. Throws: InputError, LimitError.
    Question ask(const std::vector<Observation> &observations, const Queries &queries = {});
    Question ask(const std::vector<Observation> &observations, const Queries &queries,
                 const Limits &limits);
    Question ask(std::string_view observation = {}, const Queries &queries = {});

    // Drops prepared questions to save memory; questions that are in use stay valid.
    void forget();

  private:
    friend struct internal::Access;
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// "5.4.1": the version of the libclingo in use.
std::string clingo_version_string();

} // namespace neurasp
