// Answers: plain data, the same for every engine.
#pragma once

#include "neurasp/derivation.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace neurasp {

// A probability: known exactly, known to lie between two bounds, or estimated with a confidence interval.
// If it is exact, lower == value == upper. Otherwise `value` is the lower bound, unless the declaration says
// something else.
struct Probability {
    double value = 0.0;
    // The natural logarithm of `value`, correct even if `value` underflows to 0.
    double log = -std::numeric_limits<double>::infinity();
    double lower = 0.0;
    double upper = 0.0;
    bool exact = true;

    operator double() const noexcept { return value; }
    // Whether it is known to be 0, rather than too small for a double.
    bool is_zero() const noexcept {
        return exact && log == -std::numeric_limits<double>::infinity();
    }
};

// How an answer was found.
struct HowAnswered {
    bool exact = true;        // false: a limit ended the work, or the answer is an estimate
    bool interrupted = false; // the caller's stop token was raised
    std::string engine;
    std::string
        limit;       // the limit that was reached and what that means for the answer; empty if none
    std::string why; // for people: which decisions were made on the way, and why
    std::uint64_t models_seen = 0;
    std::uint64_t solver_calls = 0;
    double seconds = 0.0;
};

// One stable model. `atoms` are in clingo's notation, in the order of the program's ground atoms; `cost` has
// one entry per priority of the weak constraints in the ground program, highest priority first.
struct StableModel {
    // Not exact if there were too many models to count Num: then `value` is an upper bound.
    Probability probability;
    std::vector<std::string> atoms;
    std::vector<std::int64_t> cost;
    std::vector<bool> queries; // which of the question's queries hold
};

struct QueryAnswer {
    std::string query;                      // of an instance: with values for its variables
    Probability joint;                      // P(q and O)
    std::optional<Probability> conditional; // P(q | O); nothing if P(O) = 0
    // Of an instance of a query that was asked for each (Query::each): that query as it was written, and the
    // values of its variables, in the order in which they come.
    std::string instance_of = {};
    std::vector<std::pair<std::string, std::string>> bindings = {};
};

// A query that was asked for each instance.
struct EachAnswer {
    std::string query;
    std::size_t instances = 0; // that can hold; each has its own QueryAnswer
};

struct SampledProbability {
    std::uint64_t samples = 0;      // number of total choices drawn
    double confidence = 0.0;        // of each interval [lower, upper] below, taken alone
    Probability probability;        // P(O); `value` is the mean of the samples, here and below
    std::vector<Probability> joint; // P(q and O), by query
    // P(q | O); nothing if no sample satisfied O.
    std::vector<std::optional<Probability>> conditional;
};

struct ProbabilityAnswer {
    Probability probability;                      // P(O)
    Probability mass;                             // P(some stable model); 1 for a coherent program
    std::optional<Probability> given_consistency; // P(O) / mass; nothing if the mass is 0
    std::vector<QueryAnswer> queries;
    std::vector<EachAnswer> each; // those of the queries that were asked for each instance
    // Estimates, if samples were asked for or no exact answer was found in time. The bounds above are certain.
    std::optional<SampledProbability> sampled;
    HowAnswered how;
};

struct ModelsAnswer {
    std::vector<StableModel> models;
    std::optional<Probability>
        mass; // nothing if computing it would cost more than the answer itself
    // For the most probable models: no model that was left out is more probable than this.
    std::optional<Probability> upper_bound;
    // Whether there are models beyond those listed; for samples, whether fewer were drawn than asked for.
    // Nothing if that is not known (Settings::look_further).
    std::optional<bool> more;
    HowAnswered how;
};

// How a stream of models ended.
struct StreamEnd {
    bool complete = false;           // the stream contained all models
    std::optional<Probability> mass; // nothing if computing it would cost more than the models did
    HowAnswered how;
    // Whether there are models beyond those pulled; nothing if that is not known (Settings::look_further).
    std::optional<bool> more = {};
};

// The distribution of a random variable given O; `name` is for people ("digit(i1), event 0").
struct VariableMarginal {
    std::string name;
    std::vector<std::string> atoms;
    std::vector<double> values;
};

// Marginals given O; the lists are empty if P(O) = 0.
struct MarginalsAnswer {
    Probability probability; // P(O)
    std::vector<std::pair<std::string, double>> atoms;
    std::vector<VariableMarginal> variables;
    HowAnswered how;
};

// Where a random variable comes from: an event of a network's call, or a probabilistic rule.
struct VariableSource {
    std::string network;    // empty for a probabilistic rule
    std::string terms;      // of the call, joined by commas
    std::size_t event = 0;  // the row of the network's output
    std::size_t events = 1; // the number of rows of the network's output
    std::size_t rule = 0;   // index of the probabilistic rule, in the order of the program
    bool learnable = true;  // false for probabilistic rules without `@`

    friend bool operator==(const VariableSource &, const VariableSource &) = default;
};

struct RandomVariableInfo {
    std::string name;                  // for people
    std::vector<std::string> atoms;    // one per outcome
    std::vector<std::string> outcomes; // their values: the last arguments of the atoms
    VariableSource source;
    std::vector<double> probabilities; // of a probabilistic rule, as written
};

struct VariableGradient {
    std::string name;
    std::vector<std::string> atoms;
    std::vector<double> values; // d log P(O) / d p, one per outcome
    bool learnable = true;      // false for probabilistic rules without `@`
    VariableSource source = {};
};

struct GradientAnswer {
    Probability probability; // P(O); if its log is minus infinity, there is no gradient
    bool defined = true;
    std::vector<VariableGradient> variables;
    HowAnswered how;
};

// One outcome of a random variable, as part of a reason.
struct ReasonOutcome {
    std::string variable; // for people, as in VariableMarginal
    std::string atom;
    double probability = 0.0; // as given, before anything is observed
};

// Outcomes that together make the query as certain as a complete total choice does; none of them can be left out. Only
// if free choices decide and there is no circuit, some may be superfluous.
struct Reason {
    std::vector<ReasonOutcome> outcomes; // empty if the query does not depend on the outcomes
    Probability probability;             // P(outcomes | O)
    double share = 0.0;                  // P(outcomes and q | O) / P(q | O)
    double certainty = 1.0;              // P(q | outcomes, O); below 1 if free choices decide
    bool exact = true;                   // false: probability, share and certainty are lower bounds
    // How the query follows, in a model with these outcomes; nothing if a limit ended the search for one.
    std::optional<Derivation> derivation;
};

// A random variable that has different outcomes in two models.
struct OutcomeChange {
    ReasonOutcome with;    // in the most probable model with the query
    ReasonOutcome without; // in the most probable model without it
};

// The most probable outcome of every random variable, where program and observation do not allow that choice.
struct Conflict {
    Probability probability; // of these outcomes
    // The outcomes that the most probable stable model of O does not have.
    std::vector<ReasonOutcome> outcomes;
    // The constraints that they violate, as steps of the kind `constraint`, and how; `query` links to these.
    Derivation derivation;
};

// Why a query has its probability.
struct ExplanationAnswer {
    std::string query;
    Probability observation;                // P(O)
    std::optional<Probability> probability; // P(q | O); nothing if P(O) = 0
    std::vector<Reason> reasons;            // the greatest share first
    // No two reasons hold together, so their shares add up; otherwise they overlap.
    bool disjoint = true;
    bool truncated = false; // there are further reasons
    // The most probable models that satisfy O, one with the query and one without it, if they exist, and the
    // shown atoms that only one of the two has. Models of probability 0 are models.
    std::optional<StableModel> with_query;
    std::optional<StableModel> without_query;
    // True if a missing model means that there is none; false if a limit ended the search.
    bool models_known = false;
    std::vector<std::string> only_with;
    std::vector<std::string> only_without;
    // Why the query holds in the first of them, and why not in the second.
    std::optional<Derivation> why;
    std::optional<Derivation> why_not;
    std::vector<OutcomeChange> changes; // the random variables in which the two differ
    std::optional<Conflict> conflict;   // nothing if the most probable outcomes are allowed
    std::string note;                   // which parts are missing, and why
    HowAnswered how;
};

// The derivations as a drawing for Graphviz: the query on top, what it rests on below, random outcomes as
// coloured boxes; the most probable models with and without the query side by side.
std::string to_dot(const ExplanationAnswer &answer);

enum class Coherence { coherent, incoherent, unknown };

struct CoherenceAnswer {
    Coherence coherence = Coherence::unknown;
    std::vector<std::string> witness; // outcomes of a total choice without a stable model
    HowAnswered how;
};

// Whether a total choice (e.g. the most probable outcomes of every network) extends to a stable model.
struct ConsistencyAnswer {
    std::vector<std::string> choice;    // the outcome atoms that were tried
    bool satisfies_program = false;     // the program has a stable model with them
    bool satisfies_observation = false; // and one that also satisfies O
    HowAnswered how;
};

// Properties of the ground program, for people and for the choice of an engine.
struct ProgramSummary {
    std::size_t neural_rules = 0;
    std::size_t probabilistic_rules = 0;
    std::size_t random_variables = 0;
    double log10_total_choices = 0.0;
    std::size_t ground_atoms = 0;
    std::size_t ground_rules = 0;
    std::size_t constraints = 0;
    std::size_t weak_constraints = 0; // ground weighted literals
    std::size_t largest_scc = 0;      // of the positive dependency graph
    bool tight = true;
    bool determined = true;         // Num(C) <= 1 for every total choice, known without counting
    bool coherent = false;          // known without search
    std::size_t relevant_rules = 0; // rules that constraints or the observation depend on
    std::size_t relevant_variables = 0; // random variables that they depend on
    std::vector<std::string> engines;
};

} // namespace neurasp
