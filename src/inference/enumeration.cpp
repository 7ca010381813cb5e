// Stable models, one after the other, each with its probability.
//
// This is the paper's way to P(O): find every stable model that satisfies O and add up P(I) = w(C) / Num(C). One
// grounding serves many questions, because the observation is a set of assumptions for the search. clasp pauses
// at each model (its yield mode), so models need not be stored, and the caller can stop at any time.
//
// Num(C) counts the models of the program without the observation's constraints, so it takes a search of its own
// (NumCounter), by another solver, while this one is paused. It costs nothing if the program is determined.
//
// Order. Without limits all models are visited, and clasp keeps its own order. With limits, only some models may
// be seen, and the probable ones should be among them: a CostBound that steers but does not prune makes clasp
// try likely outcomes first, and bounds become useful after few models.
//
// Zeros. The number of factors 0 is kept apart from the product of the others, because a derivative by a
// probability that is 0 needs that product (enumerate_gradient.cpp).
//
// Invariants: each stable model is found once; if no limit is reached, all are found; a model whose Num could
// not be counted ends the stream, and `end` says that it was interrupted.
//
// Cost: the number of models. Memory: constant, apart from clasp and the counts that NumCounter remembers.
#include "inference/enumeration.hpp"

#include "inference/cost_model.hpp"

#include <algorithm>

namespace neurasp::inference {

namespace {

// If the work may be cut short, probable models should come first.
std::optional<asp::CostBound> steering(const SearchProblem &problem, const Weights &weights,
                                       const base::Budget &budget) {
    if (!budget.is_limited()) return std::nullopt;
    return std::optional<asp::CostBound>(std::in_place, CostModel(problem, weights).groups());
}

} // namespace

Enumeration::Enumeration(const SearchProblem &problem, const Weights &weights,
                         const Request &request, base::Budget &budget)
    : problem_(problem), weights_(weights), budget_(budget), counter_(problem, budget),
      steering_(steering(problem, weights, budget)),
      search_(problem.open(
          {request.evidence, request.cost, steering_ ? &*steering_ : nullptr, false}, budget)) {
    budget.report(Phase::searching);
}

std::optional<Found> Enumeration::next() {
    const auto view = search_.next();
    if (!view || !budget_.take_model()) return std::nullopt;
    budget_.report(budget_.models_taken());
    read_choice(problem_, *view, choice_);
    Found found{*view, choice_, 0, ScaledReal(1.0L)};
    for (std::size_t g = 0; g < choice_.size(); ++g) {
        const ScaledReal &factor = weights_.scaled(problem_.variables()[g], choice_[g]);
        if (factor.is_zero()) {
            ++found.zeros;
        } else {
            found.positive *= factor;
        }
    }
    const auto number = counter_.count(choice_);
    if (!number) {
        uncounted_ = true;
        return std::nullopt;
    }
    if (*number > 1) found.positive /= ScaledReal(static_cast<long double>(*number));
    return found;
}

asp::SearchEnd Enumeration::end() {
    const asp::SearchEnd end = search_.end();
    return uncounted_ ? asp::SearchEnd::interrupted : end;
}

asp::SearchEnd Enumeration::run(const OnFound &on_found) {
    while (const auto found = next()) {
        if (!on_found(*found)) break;
    }
    return end();
}

StableModel describe_model(const Scope &scope, bool all_atoms, const asp::ModelView &view,
                           const ScaledReal &probability) {
    StableModel model;
    model.probability = exactly(probability);
    for (const Shown &shown : scope.grounding().shown(all_atoms)) {
        if (shown.holds(view)) model.atoms.push_back(shown.text);
    }
    for (const auto &query : scope.query_atoms()) {
        model.queries.push_back(query && view.is_true(*query));
    }
    for (const asp::Minimize &minimize : scope.grounding().rules().minimize()) {
        std::int64_t cost = 0;
        for (const asp::WeightedLiteral &element : minimize.literals) {
            if (view.is_true(element.literal)) cost += element.weight;
        }
        model.cost.push_back(cost);
    }
    return model;
}

std::uint64_t stored_size(const StableModel &model) {
    std::uint64_t bytes = sizeof(StableModel);
    for (const std::string &atom : model.atoms) bytes += sizeof(std::string) + atom.size();
    return bytes;
}

void finish(HowAnswered &how, std::string_view engine, const base::Budget &budget,
            asp::SearchEnd end, std::uint64_t solver_calls) {
    how.engine = engine;
    how.models_seen = budget.models_taken();
    how.solver_calls = solver_calls;
    how.seconds = budget.seconds_used();
    if (end != asp::SearchEnd::interrupted) return;
    how.exact = false;
    note_limit(how, budget);
}

void note_limit(HowAnswered &how, const base::Budget &budget) {
    if (budget.reached() == base::LimitReached::none) return;
    how.exact = false;
    how.interrupted = budget.stopped();
    how.limit = base::describe(budget.reached());
}

Probability exactly(const ScaledReal &value) { return value.to_probability(); }

Probability between(const ScaledReal &lower, const ScaledReal &upper) {
    const ScaledReal one(1.0L);
    Probability result = std::min(lower, one).to_probability();
    result.upper = std::min(std::max(lower, upper), one).to_double();
    result.exact = false;
    return result;
}

} // namespace neurasp::inference
