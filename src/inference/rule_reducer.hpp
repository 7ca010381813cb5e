// The ground rules of many observations, reduced to those that one of them depends on.
//
// family_rules.hpp grounds the statements of many observations behind guards. What is left for one observation is usually a
// small part of it, and is as simple as if the observation had been grounded on its own.
#pragma once

#include "circuit/translation.hpp"
#include "inference/family_rules.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace neurasp::inference {

// Rules with atoms of their own, and what else a translation needs to know.
struct ReducedRules {
    asp::GroundProgram program;
    std::vector<std::size_t> variables;      // of the grounding, those that the rules mention
    std::vector<std::vector<AtomId>> groups; // their outcomes
    std::vector<Literal> evidence;
    std::vector<circuit::CostLimit> cost_limits;
    std::vector<AtomId> atoms; // of the grounding, by atom; the first one means nothing
};

// Scratch memory for one grounding; one thread at a time.
class RuleReducer {
  public:
    // Requires: the family outlives it, and has no #edge statements.
    explicit RuleReducer(const FamilyGrounding &family);

    // The number of rules that the observation depends on, before any is left out.
    std::size_t count(std::span<const std::uint32_t> statements) {
        begin(statements);
        collect(std::nullopt, false);
        return cone_.size();
    }

    // `statements`: those that are there, ascending. With a cost, also what the costs depend on, and the limits.
    // Cost: linear in the rules that are left, and in the size of the random variables that they mention.
    ReducedRules run(std::span<const std::uint32_t> statements,
                     const std::optional<std::vector<std::int64_t>> &cost);

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct AtomState {
        std::uint32_t stamp = 0; // of the run that reached it; otherwise the rest means nothing
        bool possible = false;   // some rule may derive it
        bool fact = false;       // some rule does, whatever the random outcomes are
        std::uint32_t first_use = none;  // positive, in bodies
        std::uint32_t first_rule = none; // of statements that are there
        std::uint32_t number = 0;        // in the result
    };
    struct RuleState {
        std::uint32_t stamp = 0;
        bool possible = false;
        std::int64_t need = 0; // weight of the body that is missing for it to be possible
        std::int64_t open = 0; // the same for it to be a fact
    };
    struct Use {
        std::uint32_t rule = 0;
        std::int32_t weight = 0;
        std::uint32_t next = none;
    };
    struct GuardedRule {
        std::uint32_t rule = 0;
        std::uint32_t next = none;
    };
    enum class Value { is_false, is_true, open };

    void index_rules();
    void begin(std::span<const std::uint32_t> statements);
    void collect(const std::optional<std::vector<std::int64_t>> &cost, bool whole);
    void close();
    void reach(AtomId atom);
    void take(std::uint32_t rule);
    AtomState &state(AtomId atom);
    void find_possible();
    void make_possible(std::uint32_t rule);
    void find_facts();
    void note_fact(std::uint32_t rule);
    Value value_of(Literal literal);
    ReducedRules emit(const std::optional<std::vector<std::int64_t>> &cost);
    void emit_rule(const asp::RuleView &rule, asp::GroundProgram &result);
    void use(AtomId atom);
    void number_atoms(ReducedRules &result);
    Literal renamed(Literal literal);
    bool is_random(AtomId atom) const { return variable_[atom.index()] != none; }
    // Whether it is an external that is free or true.
    bool may_be_set(AtomId atom) const {
        const auto &external = external_[atom.index()];
        return external && *external != asp::ExternalValue::is_false;
    }
    bool is_guard(AtomId atom) const { return guard_[atom.index()] != none; }

    const FamilyGrounding &family_;
    const asp::GroundProgram &rules_;
    std::vector<std::uint32_t> variable_; // by atom: the random variable that it is an outcome of
    std::vector<std::uint32_t> guard_;    // by atom: the statement that it guards
    std::vector<std::optional<asp::ExternalValue>> external_; // by atom; those of the user
    std::vector<std::uint32_t> begin_;                        // by head: in plain_
    std::vector<std::uint32_t> plain_;                        // rules without guards, by head
    std::vector<std::vector<std::uint32_t>> guarded_;         // rules, by their first statement
    std::vector<bool> destroys_;                              // by rule: it may destroy models
    std::vector<std::uint32_t> destructive_;                  // the plain ones of these

    std::uint32_t stamp_ = 0;
    std::vector<AtomState> atoms_;
    std::vector<RuleState> states_;         // by rule
    std::vector<std::uint32_t> there_;      // by statement: the last run in which it was there
    std::vector<std::uint32_t> statements_; // that are there
    std::vector<GuardedRule> candidates_;   // rules of statements that are there, by head
    std::vector<Use> uses_;
    std::vector<std::uint32_t> cone_; // rules
    std::vector<AtomId> stack_;
    std::vector<AtomId> used_; // atoms of the result
    std::vector<asp::WeightedLiteral> body_;
};

} // namespace neurasp::inference
