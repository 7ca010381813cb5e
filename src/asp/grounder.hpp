// Grounds clingo text in process. A Grounder owns a clingo control that never solves; its ground rules go to
// a GroundProgram, which solvers and the compiler read. Parts can be added later and see the atoms of earlier
// parts.
//
// Invariant: a grounder that failed is not used again.
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

// Limits of grounding. clingo cannot be interrupted: a limit takes effect when clingo reports the next rule. So a
// rule whose instances all fail, or an aggregate, is first tried to the end.
struct GroundLimits {
    static constexpr std::uint64_t literals_per_rule = 10;

    static constexpr std::uint64_t default_rules = 20'000'000;

    std::uint64_t rules = default_rules; // with up to `literals_per_rule` literals on average
    base::Budget budget;                 // its time and stop flag are respected
};

// A limit ended grounding.
class GroundingStopped : public std::runtime_error {
  public:
    explicit GroundingStopped(base::LimitReached limit);
    base::LimitReached limit() const noexcept { return limit_; }

  private:
    base::LimitReached limit_;
};

class Grounder {
  public:
    // `constants` are as in clingo's `-c name=value`. Throws: GroundingError for an invalid constant.
    explicit Grounder(const std::vector<std::pair<std::string, std::string>> &constants = {});
    ~Grounder();
    Grounder(Grounder &&) noexcept;
    Grounder &operator=(Grounder &&) noexcept;

    // Adds `text` as a new part and grounds it. Throws: GroundingError, GroundingStopped; then the grounder
    // must not be used again.
    void ground(const std::string &text, const GroundLimits &limits = {});

    const GroundProgram &program() const noexcept;
    // Messages of the last `ground` other than errors.
    const std::vector<GroundMessage> &messages() const noexcept;
    // The value of a #const; nothing if there is none of this name.
    std::optional<Symbol> constant(const std::string &name) const;

    struct Impl; // for the callbacks in grounder.cpp

  private:
    std::unique_ptr<Impl> impl_;
};

} // namespace neurasp::asp
