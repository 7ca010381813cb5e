// The statements of many observations grounded once, and the questions about one of these observations.
//
// Statements are numbered from 0, as in family_rules.hpp; an observation is a set of them. Training prepares observations from a
// shared grounding, and ConsistencyCheck searches it.
#pragma once

#include "inference/compile_question.hpp"
#include "inference/family_rules.hpp"
#include "inference/rule_reducer.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace neurasp::inference {

class SharedGrounding {
  public:
    // Throws: like ground_family.
    SharedGrounding(const Program &program, std::span<const FamilyStatement> statements,
                    std::shared_ptr<CircuitLibrary> library, const Limits &limits);

    const FamilyGrounding &family() const noexcept { return family_; }
    const Grounding &grounding() const noexcept { return *family_.grounding; }
    // By statement: whether anything depends on it.
    const std::vector<bool> &matters() const noexcept { return matters_; }
    // Why one observation may depend on more than its statements; empty if it does not. Then nothing may be asked.
    const std::string &obstacle() const noexcept { return obstacle_; }

    // All rules, in which nothing says which statements are there.
    const SearchProblem &problem() const;
    // For searches in it: these statements are there, and no others. Requires: ascending numbers.
    std::vector<Literal> given(std::span<const std::uint32_t> statements) const;

    // The first step of compiling an observation, one thread at a time. A draft that is complete and has no circuit says why
    // it cannot have one.
    QuestionDraft draft(std::span<const std::uint32_t> statements, const CompileSettings &settings,
                        const Limits &limits, base::Budget &budget);
    // The work of searching in all drafts so far, as counted by asp::Solver.
    std::uint64_t fixpoints() const noexcept { return fixpoints_; }

  private:
    void find_cost(ObservedRequest &observed, std::span<const Literal> assumptions,
                   base::Budget &budget);
    std::optional<circuit::Theory> start(CircuitEntry &entry,
                                         std::span<const std::uint32_t> statements,
                                         std::span<const Literal> assumptions,
                                         const Request &request, base::Budget &budget);

    FamilyGrounding family_;
    std::shared_ptr<CircuitLibrary> library_;
    std::string obstacle_;
    Lazy<std::shared_ptr<const SearchProblem>> problem_;
    std::unique_ptr<RuleReducer> reducer_; // made when first needed
    std::uint64_t fixpoints_ = 0;
    std::vector<bool> matters_;
    bool may_repeat_; // some statements do not matter, so observations may differ in nothing else
    std::map<std::vector<Literal>, ObservedRequest> known_; // by evidence, if it may repeat
};

} // namespace neurasp::inference
