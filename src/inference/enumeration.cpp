#include "inference/enumeration.hpp"

#include "inference/cost_model.hpp"

#include <algorithm>

namespace neurasp::inference {

void read_choice(const Problem &problem, const asp::ModelView &view, TotalChoice &choice) {
    choice.clear();
    for (const std::vector<AtomId> &group : problem.groups()) {
        const auto found = std::find_if(group.begin(), group.end(),
                                        [&](AtomId atom) { return view.is_true(atom); });
        choice.push_back(static_cast<std::uint32_t>(found - group.begin()));
    }
}

asp::SearchEnd Enumeration::run(std::span<const Literal> assumptions,
                                const std::optional<std::vector<std::int64_t>> &cost,
                                const OnFound &on_found) {
    bool uncounted = false;
    // When the work may be cut short, likely models should come first.
    std::optional<asp::CostBound> steering;
    if (budget_.is_limited()) steering.emplace(CostModel(problem_, weights_).groups());
    asp::Solver &solver = cost ? problem_.optimiser() : problem_.enumerator();
    const auto on_model = [&](const asp::ModelView &view) {
        if (!budget_.take_model()) return false;
        read_choice(problem_, view, choice_);
        Found found{view, choice_, 0, ScaledReal(1.0L)};
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
            uncounted = true;
            return false;
        }
        if (*number > 1) found.positive /= ScaledReal(static_cast<long double>(*number));
        return on_found(found);
    };
    const auto end = solver.search({assumptions, steering ? &*steering : nullptr, false, cost},
                                   budget_, on_model);
    return uncounted ? asp::SearchEnd::interrupted : end;
}

CostRestriction find_cost_restriction(Task &task, std::span<const Literal> assumptions) {
    CostRestriction restriction;
    if (!task.optimal || task.world.rules().minimize().empty()) return restriction;
    const auto optimum = task.world.problem().optimiser().find_optimum(assumptions, task.budget);
    if (!optimum) {
        restriction.no_model = task.budget.reached() == base::LimitReached::none;
        restriction.proven = restriction.no_model;
        return restriction;
    }
    restriction.cost = optimum->cost;
    restriction.proven = optimum->proven;
    return restriction;
}

std::vector<Literal> observed(const QuestionAtoms &atoms) {
    if (!atoms.violated) return {};
    return {Literal(*atoms.violated, false)};
}

StableModel describe_model(Task &task, const asp::ModelView &view, const ScaledReal &probability) {
    StableModel model;
    model.probability = probability.to_probability();
    for (const Shown &shown : task.world.shown(task.all_atoms)) {
        if (shown.holds(view)) model.atoms.push_back(shown.text);
    }
    for (const auto &query : task.atoms.queries) {
        model.queries.push_back(query && view.is_true(*query));
    }
    for (const asp::Minimize &minimize : task.world.rules().minimize()) {
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

void finish(AnswerInfo &info, const Engine &engine, const base::Budget &budget, asp::SearchEnd end,
            std::uint64_t solver_calls) {
    info.engine = engine.name();
    info.models_seen = budget.models_taken();
    info.solver_calls = solver_calls;
    info.seconds = budget.seconds_used();
    if (end != asp::SearchEnd::interrupted) return;
    info.exact = false;
    info.interrupted = budget.reached() == base::LimitReached::stopped;
    info.note = base::describe(budget.reached());
}

Interval exact_interval(const ScaledReal &value) {
    return {value.to_probability(), value.to_probability(), true};
}

Interval interval(const ScaledReal &lower, const ScaledReal &upper) {
    return {lower.to_probability(), std::max(lower, upper).to_probability(), false};
}

} // namespace neurasp::inference
