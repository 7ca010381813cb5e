// Grounding clingo text in process. A Grounder owns a clingo control that never solves: everything
// it grounds goes to a GroundProgram, from which solvers and compilers are fed. Parts can be added
// later and see the atoms of earlier parts.
//
// Invariant: a grounder that failed is spent; nobody grounds with it again.
#pragma once

#include "asp/ground_message.hpp"
#include "asp/ground_program.hpp"
#include "base/budget.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neurasp::asp {

// clingo refused the text; its messages say why.
class GroundingError : public std::runtime_error {
  public:
    explicit GroundingError(std::vector<GroundMessage> messages);
    const std::vector<GroundMessage> &messages() const noexcept { return messages_; }

  private:
    std::vector<GroundMessage> messages_;
};

// What a ground program may take. clingo cannot be told to stop: a limit is noticed when it hands over
// the next rule, so a rule whose instances all fail, or an aggregate, is first tried to its end.
struct GroundLimits {
    static constexpr std::uint64_t literals_per_rule = 10;

    static constexpr std::uint64_t default_rules = 20'000'000;

    std::uint64_t rules = default_rules; // on average with `literals_per_rule` literals
    base::Budget budget;                 // its time and stop flag
};

// Grounding was ended by a limit.
class GroundingStopped : public std::runtime_error {
  public:
    explicit GroundingStopped(base::LimitReached limit);
    base::LimitReached limit() const noexcept { return limit_; }

  private:
    base::LimitReached limit_;
};

class Grounder {
  public:
    // `constants` are like clingo's `-c name=value`. Throws: GroundingError for an unfit constant.
    explicit Grounder(const std::vector<std::pair<std::string, std::string>> &constants = {});
    ~Grounder();
    Grounder(Grounder &&) noexcept;
    Grounder &operator=(Grounder &&) noexcept;

    // Adds `text` as a new part and grounds it. Throws: GroundingError, GroundingStopped; the grounder
    // is then spent.
    void ground(const std::string &text, const GroundLimits &limits = {});

    const GroundProgram &program() const noexcept;
    // Messages of the last `ground` that were no errors.
    const std::vector<GroundMessage> &messages() const noexcept;
    // The value of a #const.
    std::optional<Symbol> constant(const std::string &name) const;

    struct Impl; // for the callbacks in grounder.cpp

  private:
    std::unique_ptr<Impl> impl_;
};

} // namespace neurasp::asp
