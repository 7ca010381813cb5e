// Derivations: why literals hold in one stable model, as ground rules.
//
// A derivation is a graph of steps, each of which explains one literal. A literal that holds rests on the rule
// that fired and on the literals of its body, down to random outcomes, facts and free choices; a negated one
// on whatever stops each rule that could derive its atom.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace neurasp {

// How a step explains its literal. The last four are about negated literals.
enum class StepKind {
    fact,        // it holds in every stable model: a fact, or a consequence of facts
    outcome,     // a random variable has this outcome
    external,    // an #external atom that was set from outside
    rule,        // a rule fired
    choice,      // a choice rule allows it, and this model chooses it
    disjunction, // a disjunction asks for one of several atoms
    constraint,  // not a literal but a constraint that is violated (Conflict)
    other,       // its random variable has another outcome
    underivable, // no ground rule has it in its head
    blocked,     // every rule that could derive it is stopped
    circular, // the same, but some rules are stopped only by what would have to be derived from it
};

// A literal that a step rests on, and the step that explains it; nothing if that step was left out.
struct DerivationLink {
    std::string literal;
    std::optional<std::size_t> step;
};

// A ground rule that could derive an atom, and the literals that stop it. None: a choice rule whose body
// holds, and which does not choose the atom.
struct BlockedRule {
    std::string rule;
    std::vector<DerivationLink> because;
};

struct DerivationStep {
    std::string literal; // "alarm", "not alarm"; for a violated constraint the constraint
    StepKind kind = StepKind::fact;
    std::string rule;                 // the ground rule that fired; else empty
    std::vector<DerivationLink> body; // the literals that made it fire
    std::vector<BlockedRule> blocked; // by StepKind::blocked and StepKind::circular
    std::size_t more_blocked = 0;     // blocked rules that were left out
    // By StepKind::outcome and StepKind::other: the random variable, its outcome in this model, and the
    // probability of that before anything is observed.
    std::string variable;
    std::string outcome;
    double probability = 0.0;
};

// Why a query holds in a stable model, or why it does not, and why the observation holds.
//
// Ground rules are as grounding leaves them: facts are not in their bodies. Every literal has one step, however many
// rest on it. The steps of a literal that holds never rest on themselves.
struct Derivation {
    std::vector<DerivationLink>
        query; // its literals; if it does not hold, one that fails for each instance
    std::vector<DerivationLink>
        observation;                   // literals that satisfy the constraints of the observation
    std::vector<DerivationStep> steps; // what rests on a step comes before it or refers back
    std::size_t left_out = 0;          // steps beyond the limit
    std::string note;                  // where there is nothing to derive: why
};

} // namespace neurasp
