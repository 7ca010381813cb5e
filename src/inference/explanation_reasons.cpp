// A reason is found in two steps:
//   1. the most probable total choice with O and q that no earlier reason covers. What is left is kept
//      as disjoint regions, each with its best choice (Lawler 1972); a region whose best choice is
//      covered is split along the reason that covers it, so that a reason that covers millions of
//      choices costs a few passes over the circuit;
//   2. outcomes are dropped from it, least informative first, while the others still suffice. That more
//      outcomes never suffice less makes the result minimal.
#include "circuit/best_assignments.hpp"
#include "inference/explanation.hpp"

#include <algorithm>
#include <cmath>

namespace neurasp::inference {

namespace {

// A variable that a circuit leaves out is a factor beside it. Circuits are evaluated with rows scaled to sum to 1
// (circuit_sums.cpp says why), so this factor is as well; quotients do not depend on it.
ScaledReal scaled_factor(const Weights &weights, const Fixed &fixed) {
    return weights.scaled(fixed.variable, fixed.outcome) / weights.row_sum(fixed.variable);
}

} // namespace

Side::Side(const Weights &weights, std::shared_ptr<const CircuitEntry> entry)
    : weights_(weights), entry_(std::move(entry)), inputs_(normalised_weights(*entry_, weights)),
      evaluation_(*entry_->smooth(), inputs_), value_(evaluation_.value()),
      positions_(weights.size()) {
    std::uint32_t next = 0;
    for (const std::size_t variable : entry_->variables) positions_[variable] = next++;
}

std::size_t Side::first_input(std::uint32_t position) const {
    return entry_->circuit->input(position, 0).index() - 1; // input 0 is not an outcome
}

ScaledReal Side::value_with(const FixedOutcomes &outcomes) {
    ScaledReal factor(1.0L);
    changed_ = inputs_;
    for (const Fixed &fixed : outcomes) {
        if (positions_[fixed.variable]) {
            exclude_others(fixed);
        } else {
            factor *= scaled_factor(weights_, fixed);
        }
    }
    evaluation_.assign(changed_);
    return evaluation_.value() * factor;
}

bool Side::allows(const FixedOutcomes &outcomes) {
    changed_.assign(inputs_.size(), ScaledReal(1.0L));
    for (const Fixed &fixed : outcomes) {
        if (positions_[fixed.variable]) exclude_others(fixed);
    }
    evaluation_.assign(changed_);
    return !evaluation_.value().is_zero();
}

void Side::exclude_others(const Fixed &fixed) {
    const std::size_t first = first_input(*positions_[fixed.variable]);
    const std::size_t count = weights_.probabilities(fixed.variable).size();
    for (std::size_t o = 0; o < count; ++o) {
        if (o != fixed.outcome) changed_[first + o] = ScaledReal();
    }
}

std::vector<ScaledReal> Side::values_with_each(const FixedOutcomes &outcomes) {
    evaluation_.assign(inputs_);
    evaluation_.differentiate();
    std::vector<ScaledReal> values;
    for (const Fixed &fixed : outcomes) {
        const auto &place = positions_[fixed.variable];
        values.push_back(scaled_factor(weights_, fixed));
        values.back() *=
            place ? evaluation_.derivative(entry_->circuit->input(*place, fixed.outcome)) : value_;
    }
    return values;
}

namespace {

class ReasonSearch {
  public:
    ReasonSearch(const Task &task, Side &with, Side &without)
        : task_(task), with_(with), without_(without) {}

    FoundReasons run(std::uint64_t count);

  private:
    struct Region {
        std::vector<ScaledReal> inputs; // 0 for outcomes that are not in it
        circuit::Assignment best;
    };
    void add_region(std::vector<ScaledReal> inputs);
    void split(const Region &region, const FixedOutcomes &reason);
    bool covers(const FixedOutcomes &reason, const circuit::Assignment &choice) const;
    FixedOutcomes outcomes_of(const circuit::Assignment &choice) const;
    FixedOutcomes shrink(FixedOutcomes kept);
    void sort_by_gain(FixedOutcomes &outcomes);
    bool suffices(const FixedOutcomes &outcomes, const std::optional<ScaledReal> &certainty);
    ScaledReal certainty_of(const FixedOutcomes &outcomes);
    Reason describe(const FixedOutcomes &outcomes);

    const Task &task_;
    Side &with_;
    Side &without_;
    std::vector<Region> regions_; // disjoint; all choices with O and q that are not covered
    std::vector<FixedOutcomes> reasons_;
};

FoundReasons ReasonSearch::run(std::uint64_t count) {
    FoundReasons found;
    add_region(with_.inputs());
    while (!regions_.empty() && !task_.budget.exhausted()) {
        const auto top = std::max_element(
            regions_.begin(), regions_.end(),
            [](const Region &a, const Region &b) { return a.best.value < b.best.value; });
        const auto covering =
            std::find_if(reasons_.begin(), reasons_.end(),
                         [&](const FixedOutcomes &reason) { return covers(reason, top->best); });
        if (covering != reasons_.end()) {
            const Region region = std::move(*top);
            regions_.erase(top);
            split(region, *covering);
            continue;
        }
        if (reasons_.size() >= count) break;
        FixedOutcomes choice = outcomes_of(top->best);
        reasons_.push_back(shrink(choice));
        found.list.push_back({describe(reasons_.back()), reasons_.back(), std::move(choice)});
    }
    found.truncated = !regions_.empty();
    return found;
}

void ReasonSearch::add_region(std::vector<ScaledReal> inputs) {
    circuit::BestAssignments best(with_.entry().smooth(), inputs);
    auto assignment = best.next();
    if (!assignment || assignment->value.is_zero()) return;
    regions_.push_back({std::move(inputs), std::move(*assignment)});
}

// The part i of what the reason leaves over has its outcomes before i, and not its outcome i.
void ReasonSearch::split(const Region &region, const FixedOutcomes &reason) {
    std::vector<ScaledReal> inputs = region.inputs;
    for (const Fixed &fixed : reason) {
        const std::size_t first = with_.first_input(*with_.position(fixed.variable));
        std::vector<ScaledReal> part = inputs;
        part[first + fixed.outcome] = ScaledReal();
        add_region(std::move(part));
        const std::size_t count = task_.weights.probabilities(fixed.variable).size();
        for (std::size_t o = 0; o < count; ++o) {
            if (o != fixed.outcome) inputs[first + o] = ScaledReal();
        }
    }
}

bool ReasonSearch::covers(const FixedOutcomes &reason, const circuit::Assignment &choice) const {
    return std::all_of(reason.begin(), reason.end(), [&](const Fixed &fixed) {
        return choice.outcomes[*with_.position(fixed.variable)] == fixed.outcome;
    });
}

FixedOutcomes ReasonSearch::outcomes_of(const circuit::Assignment &choice) const {
    FixedOutcomes outcomes;
    const auto &variables = with_.entry().variables;
    for (std::size_t v = 0; v < variables.size(); ++v) {
        outcomes.push_back({variables[v], choice.outcomes[v]});
    }
    return outcomes;
}

FixedOutcomes ReasonSearch::shrink(FixedOutcomes kept) {
    // Where free choices decide, even all outcomes leave q uncertain; the others must leave it just so.
    std::optional<ScaledReal> certainty;
    if (without_.allows(kept)) certainty = certainty_of(kept);
    sort_by_gain(kept);
    for (std::size_t i = 0; i < kept.size() && !task_.budget.exhausted();) {
        FixedOutcomes fewer = kept;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (suffices(fewer, certainty)) {
            kept = std::move(fewer);
        } else {
            ++i;
        }
    }
    std::sort(kept.begin(), kept.end(),
              [](const Fixed &a, const Fixed &b) { return a.variable < b.variable; });
    return kept;
}

// By P(outcome | O, q) / P(outcome | O): what speaks against q comes first, then what has nothing to do
// with it. Among equals, the less probable outcome comes first: without it the reason is more probable.
void ReasonSearch::sort_by_gain(FixedOutcomes &outcomes) {
    constexpr double steps = 1e9; // logarithms that differ by less count as equal
    const auto with = with_.values_with_each(outcomes);
    const auto without = without_.values_with_each(outcomes);
    struct Ranked {
        double gain;
        double probability;
        Fixed fixed;
    };
    std::vector<Ranked> ranked;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const ScaledReal both = with[i] + without[i];
        ranked.push_back({std::round((with[i] / both).log() * steps),
                          std::round(both.log() * steps), outcomes[i]});
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked &a, const Ranked &b) {
        return a.gain != b.gain ? a.gain < b.gain : a.probability < b.probability;
    });
    for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] = ranked[i].fixed;
}

bool ReasonSearch::suffices(const FixedOutcomes &outcomes,
                            const std::optional<ScaledReal> &certainty) {
    if (!certainty) return !without_.allows(outcomes);
    return base::is_tie(certainty_of(outcomes), *certainty);
}

// P(q | outcomes, O).
ScaledReal ReasonSearch::certainty_of(const FixedOutcomes &outcomes) {
    const ScaledReal with = with_.value_with(outcomes);
    return with / (with + without_.value_with(outcomes));
}

Reason ReasonSearch::describe(const FixedOutcomes &outcomes) {
    Reason reason;
    reason.outcomes = describe_outcomes(task_, outcomes);
    const ScaledReal with = with_.value_with(outcomes);
    const ScaledReal both = with + without_.value_with(outcomes);
    reason.probability = (both / (with_.value() + without_.value())).to_probability();
    reason.share = (with / with_.value()).to_double();
    reason.certainty = (with / both).to_double();
    return reason;
}

} // namespace

FoundReasons find_reasons(const Task &task, Side &with, Side &without, std::uint64_t count) {
    return ReasonSearch(task, with, without).run(count);
}

} // namespace neurasp::inference
