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

// Keeps what questions have in common: the program grounded, circuits, what was asked before. Any number of
// threads may use it. Questions are prepared one after the other; `ask` waits for running answers where it adds to
// their grounding.
class Reasoner {
  public:
    // The program is grounded when the first question needs it, within `grounding`'s limits, which `ask` may
    // replace.
    explicit Reasoner(Program program, Limits grounding = {});
    ~Reasoner();
    Reasoner(Reasoner &&) noexcept;
    Reasoner &operator=(Reasoner &&) noexcept;

    // Prepares observations and queries. Observations of constraints only reuse the grounding; asking the same
    // again returns what was prepared. Throws: InputError, LimitError.
    Question ask(const std::vector<Observation> &observations, const Queries &queries = {});
    Question ask(const std::vector<Observation> &observations, const Queries &queries,
                 const Limits &limits);
    Question ask(std::string_view observation = {}, const Queries &queries = {});

    // Drops what was prepared, to save memory; questions in use stay as they are.
    void forget();

  private:
    friend struct internal::Access;
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// "5.4.1": the version of the libclingo in use.
std::string clingo_version_string();

} // namespace neurasp
