// The most probable stable models, in exact order, by branch and bound in clasp's search.
//
// Idea. P(I) is the product w(C) of the outcomes' probabilities divided by Num(C) >= 1, so w(C) bounds it from
// above. CostModel turns probabilities into costs. CostBound (asp/cost_bound.hpp), a propagator inside clasp,
// prunes every partial choice whose cost has reached the limit, and makes clasp try cheap outcomes first. The
// limit is the cost of the k-th best model so far, so it falls as better models are found. Costs only prune:
// models that get through are compared exactly, as ScaledReal. Sums of costs are exact as well (cost_model.cpp),
// so the bound does not drift.
//
// The alternatives: clasp's own #minimize takes integer weights, which do not distinguish close products; it
// would need a second search among all models within the rounding error. Circuits rank models as well
// (circuit_models.cpp), but some programs with an easy best model have no circuit of reasonable size, such as a
// Sudoku board whose digits a network reads.
//
// Num. Each model of a choice with n models has the probability w(C)/n. Num(C) is counted only as far as needed:
// once k candidates are known, counting stops when w(C)/n falls below the k-th of them. If a choice has at least
// 10,000 models while fewer than k candidates are known, it is put aside (`Pending`) with the lower bound of its
// Num. At the end, the choices put aside are decided in the order of their greatest possible probability. After
// an interruption they are listed with an upper bound instead of a probability.
//
// Ties. With `ties`, every model that equals the k-th one up to `tie_tolerance` is listed; the limit is a little
// higher then. Without `ties` and with k = 1, one model of a choice is enough, and the others are blocked.
//
// Probability 0. Outcomes of probability 0 cost more than the first limit, so the search leaves them out. Models
// with such outcomes all tie at 0; they are enumerated only if fewer than k others exist.
//
// Invariants: candidates are sorted, most probable first; the limit never rises during a search; a model is
// offered at most once, because clasp finds each once, and a choice that is put aside is blocked.
//
// Cost: exponential in the worst case, when many choices are about as probable as the best. Memory: the
// candidates, and the choices put aside.
#include "inference/cost_model.hpp"
#include "inference/enumerate_engine.hpp"
#include "inference/enumeration.hpp"

#include <algorithm>

namespace neurasp::inference {

namespace {

struct Candidate {
    ScaledReal probability;
    Cost cost = 0; // of the probability, for the bound
    StableModel model;
};

// A total choice with too many models to count at the time when it was found.
struct Pending {
    TotalChoice choice;
    ScaledReal weight;
    std::uint64_t at_least = 0; // Num
    StableModel model;
};

class BestModelSearch {
  public:
    BestModelSearch(const Task &task, std::uint64_t count, bool ties)
        : task_(task), problem_(task.grounding().problem()), costs_(problem_, task.weights),
          bound_(costs_.groups()), counter_(problem_, task.budget), count_(count), ties_(ties) {}

    asp::SearchEnd run();
    std::vector<StableModel> take_models();
    const ScaledReal &upper_bound() const { return costs_.best(); }

  private:
    bool on_model(const asp::ModelView &view);
    // Num of the choice at hand, which has weight `weight`. 0 if none of its models can be among the best, or if
    // it was put aside; nothing if the budget ran out.
    std::optional<std::uint64_t> relevant_num(const ScaledReal &weight, const asp::ModelView &view);
    void offer(Candidate candidate);
    bool wanted(const ScaledReal &probability) const;
    void tighten();
    void block(const asp::ModelView &view);
    ScaledReal weight_of(const TotalChoice &choice) const;
    asp::SearchEnd decide_pending();
    asp::SearchEnd list_choice(const TotalChoice &choice, const ScaledReal &probability, Cost cost);
    asp::SearchEnd add_zero_models();

    StableModel describe(const asp::ModelView &view, const ScaledReal &probability) const {
        return describe_model(task_.scope, task_.settings.all_atoms, view, probability);
    }
    bool full() const { return candidates_.size() >= count_; }
    const ScaledReal &last_wanted() const { return candidates_[count_ - 1].probability; }

    const Task &task_;
    const SearchProblem &problem_;
    CostModel costs_;
    asp::CostBound bound_;
    NumCounter counter_;
    std::uint64_t count_;
    bool ties_;
    std::vector<Candidate> candidates_; // most probable first
    std::vector<Pending> pending_;
    TotalChoice choice_; // of the model at hand
};

asp::SearchEnd BestModelSearch::run() {
    if (count_ == 0) return asp::SearchEnd::exhausted;
    task_.budget.report(Phase::searching);
    bound_.set_limit(CostModel::finite);
    auto end =
        problem_.search({task_.request.evidence, task_.request.cost, &bound_, true}, task_.budget,
                        [&](const asp::ModelView &view) { return on_model(view); });
    if (end == asp::SearchEnd::exhausted) end = decide_pending();
    if (end == asp::SearchEnd::exhausted && !full()) end = add_zero_models();
    return end;
}

ScaledReal BestModelSearch::weight_of(const TotalChoice &choice) const {
    ScaledReal weight(1.0L);
    for (std::size_t g = 0; g < choice.size(); ++g) {
        weight *= task_.weights.scaled(problem_.variables()[g], choice[g]);
    }
    return weight;
}

bool BestModelSearch::on_model(const asp::ModelView &view) {
    if (!task_.budget.take_model()) return false;
    read_choice(problem_, view, choice_);
    const ScaledReal weight = weight_of(choice_);
    const auto number = relevant_num(weight, view);
    if (!number) return false;
    const ScaledReal probability =
        *number == 0 ? ScaledReal() : weight / ScaledReal(static_cast<long double>(*number));
    if (*number == 0 || !wanted(probability)) {
        block(view);
        return true;
    }
    const std::size_t listed = candidates_.size();
    offer({probability, costs_.of(choice_) + CostModel::of_division(*number),
           describe(view, probability)});
    if (count_ == 1 && !ties_) block(view); // its other models are just as probable
    const bool grew = candidates_.size() > listed;
    return !grew || task_.budget.take_bytes(stored_size(candidates_.back().model));
}

std::optional<std::uint64_t> BestModelSearch::relevant_num(const ScaledReal &weight,
                                                           const asp::ModelView &view) {
    if (problem_.determined()) return 1;
    constexpr std::uint64_t first_cap = 10'000;
    std::uint64_t cap = first_cap;
    if (full()) {
        const double ratio = (weight / last_wanted()).to_double();
        cap = static_cast<std::uint64_t>(std::min(ratio * (1.0 + 1e-12), 1e18)) + 1;
    }
    const auto number = counter_.count(choice_, cap);
    if (!number || *number < cap) return number;
    if (!full()) pending_.push_back({choice_, weight, cap, describe(view, weight)});
    return 0;
}

bool BestModelSearch::wanted(const ScaledReal &probability) const {
    if (!full()) return true;
    if (base::is_tie(probability, last_wanted())) return ties_;
    return probability > last_wanted();
}

void BestModelSearch::offer(Candidate candidate) {
    const auto place = std::upper_bound(
        candidates_.begin(), candidates_.end(), candidate,
        [](const Candidate &a, const Candidate &b) { return a.probability > b.probability; });
    candidates_.insert(place, std::move(candidate));
    while (candidates_.size() > count_ &&
           !(ties_ && base::is_tie(candidates_.back().probability, last_wanted()))) {
        candidates_.pop_back();
    }
    tighten();
}

void BestModelSearch::tighten() {
    if (!full()) return;
    Cost limit = candidates_[count_ - 1].cost;
    if (ties_) limit += CostModel::of_ratio(2 * base::tie_tolerance) + 1;
    if (limit < bound_.limit()) bound_.set_limit(limit);
}

void BestModelSearch::block(const asp::ModelView &view) {
    if (problem_.determined()) return; // the choice has no other model
    view.add_clause(all_but(problem_, choice_));
}

asp::SearchEnd BestModelSearch::decide_pending() {
    const auto greatest_possible = [](const Pending &pending) {
        return pending.weight / ScaledReal(static_cast<long double>(pending.at_least));
    };
    std::stable_sort(pending_.begin(), pending_.end(), [&](const auto &a, const auto &b) {
        return greatest_possible(a) > greatest_possible(b);
    });
    while (!pending_.empty()) {
        const Pending &pending = pending_.front();
        if (wanted(greatest_possible(pending))) {
            const auto number = counter_.count(pending.choice);
            if (!number) return asp::SearchEnd::interrupted;
            const ScaledReal probability =
                pending.weight / ScaledReal(static_cast<long double>(*number));
            const auto end =
                list_choice(pending.choice, probability,
                            costs_.of(pending.choice) + CostModel::of_division(*number));
            if (end == asp::SearchEnd::interrupted) return end;
        }
        pending_.erase(pending_.begin());
    }
    return asp::SearchEnd::exhausted;
}

asp::SearchEnd BestModelSearch::list_choice(const TotalChoice &choice,
                                            const ScaledReal &probability, Cost cost) {
    std::vector<Literal> assumptions = choice_literals(problem_, choice);
    const auto &evidence = task_.request.evidence;
    assumptions.insert(assumptions.end(), evidence.begin(), evidence.end());
    return problem_.search({assumptions, task_.request.cost, nullptr, false}, task_.budget,
                           [&](const asp::ModelView &view) {
                               if (!wanted(probability)) return false;
                               offer({probability, cost, describe(view, probability)});
                               return true;
                           });
}

asp::SearchEnd BestModelSearch::add_zero_models() {
    if (!task_.weights.has_zero()) return asp::SearchEnd::exhausted;
    Enumeration enumeration(problem_, task_.weights, task_.request, task_.budget);
    const auto end = enumeration.run([&](const Found &found) {
        if (found.zeros == 0) return true;
        candidates_.push_back({ScaledReal(), 0, describe(found.view, ScaledReal())});
        return ties_ || !full();
    });
    return end == asp::SearchEnd::stopped ? asp::SearchEnd::exhausted : end;
}

std::vector<StableModel> BestModelSearch::take_models() {
    std::vector<StableModel> models;
    for (Candidate &candidate : candidates_) models.push_back(std::move(candidate.model));
    for (Pending &pending : pending_) { // only after an interruption
        if (models.size() >= count_) break;
        const ScaledReal most =
            pending.weight / ScaledReal(static_cast<long double>(pending.at_least));
        pending.model.probability = exactly(most);
        pending.model.probability.lower = 0.0;
        pending.model.probability.exact = false;
        models.push_back(std::move(pending.model));
    }
    return models;
}

} // namespace

ModelsAnswer EnumerateEngine::most_probable(const Task &task, std::uint64_t count,
                                            bool ties) const {
    ModelsAnswer answer;
    const std::uint64_t searches_before = task.grounding().problem().searches();
    BestModelSearch search(task, count, ties);
    const auto end = search.run();
    answer.models = search.take_models();
    finish(answer.how, name(), task.budget, end,
           task.grounding().problem().searches() - searches_before);
    if (!answer.how.exact) answer.upper_bound = exactly(search.upper_bound());
    return answer;
}

} // namespace neurasp::inference
