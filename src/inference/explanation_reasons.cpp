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

ScaledReal prior(const Weights &weights, const Fixed &fixed) {
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
        const auto &place = positions_[fixed.variable];
        if (!place) {
            factor *= prior(weights_, fixed);
            continue;
        }
        const std::size_t first = first_input(*place);
        const std::size_t count = weights_.probabilities(fixed.variable).size();
        for (std::size_t o = 0; o < count; ++o) {
            if (o != fixed.outcome) changed_[first + o] = ScaledReal();
        }
    }
    evaluation_.assign(changed_);
    return evaluation_.value() * factor;
}

std::vector<ScaledReal> Side::values_with_each(const FixedOutcomes &outcomes) {
    evaluation_.assign(inputs_);
    evaluation_.differentiate();
    std::vector<ScaledReal> values;
    for (const Fixed &fixed : outcomes) {
        const auto &place = positions_[fixed.variable];
        values.push_back(prior(weights_, fixed));
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

    void run(std::uint64_t count, ExplanationAnswer &answer);

  private:
    struct Region {
        std::vector<ScaledReal> inputs; // 0 for outcomes that are not in it
        circuit::Assignment best;
    };
    void add_region(std::vector<ScaledReal> inputs);
    void split(const Region &region, const FixedOutcomes &reason);
    bool covers(const FixedOutcomes &reason, const circuit::Assignment &choice) const;
    FixedOutcomes shrink(const circuit::Assignment &choice);
    void sort_by_gain(FixedOutcomes &outcomes);
    bool suffices(const FixedOutcomes &outcomes, const std::optional<ScaledReal> &certainty);
    ScaledReal certainty_of(const FixedOutcomes &outcomes);
    Reason describe(const FixedOutcomes &outcomes);
    bool are_disjoint() const;

    const Task &task_;
    Side &with_;
    Side &without_;
    std::vector<Region> regions_; // disjoint; all choices with O and q that are not covered
    std::vector<FixedOutcomes> reasons_;
};

void ReasonSearch::run(std::uint64_t count, ExplanationAnswer &answer) {
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
        reasons_.push_back(shrink(top->best));
        answer.reasons.push_back(describe(reasons_.back()));
    }
    answer.truncated = !regions_.empty();
    answer.disjoint = are_disjoint();
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

FixedOutcomes ReasonSearch::shrink(const circuit::Assignment &choice) {
    FixedOutcomes kept;
    const auto &variables = with_.entry().variables;
    for (std::size_t v = 0; v < variables.size(); ++v) {
        kept.push_back({variables[v], choice.outcomes[v]});
    }
    // Where free choices decide, even all outcomes leave q uncertain; the others must leave it just so.
    std::optional<ScaledReal> certainty;
    if (!without_.value_with(kept).is_zero()) certainty = certainty_of(kept);
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
    if (!certainty) return without_.value_with(outcomes).is_zero();
    return base::is_tie(certainty_of(outcomes), *certainty);
}

// P(q | outcomes, O).
ScaledReal ReasonSearch::certainty_of(const FixedOutcomes &outcomes) {
    const ScaledReal with = with_.value_with(outcomes);
    return with / (with + without_.value_with(outcomes));
}

Reason ReasonSearch::describe(const FixedOutcomes &outcomes) {
    Reason reason;
    for (const Fixed &fixed : outcomes) {
        reason.outcomes.push_back(
            {task_.grounding().variables()[fixed.variable].name,
             task_.grounding().outcome_texts(fixed.variable).atoms[fixed.outcome],
             prior(task_.weights, fixed).to_double()});
    }
    const ScaledReal with = with_.value_with(outcomes);
    const ScaledReal both = with + without_.value_with(outcomes);
    reason.probability = (both / (with_.value() + without_.value())).to_probability();
    reason.share = (with / with_.value()).to_double();
    reason.certainty = (with / both).to_double();
    return reason;
}

bool ReasonSearch::are_disjoint() const {
    const auto exclude = [](const FixedOutcomes &a, const FixedOutcomes &b) {
        return std::any_of(a.begin(), a.end(), [&](const Fixed &one) {
            return std::any_of(b.begin(), b.end(), [&](const Fixed &other) {
                return one.variable == other.variable && one.outcome != other.outcome;
            });
        });
    };
    for (std::size_t i = 0; i < reasons_.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!exclude(reasons_[i], reasons_[j])) return false;
        }
    }
    return true;
}

} // namespace

void find_reasons(const Task &task, Side &with, Side &without, std::uint64_t count,
                  ExplanationAnswer &answer) {
    ReasonSearch(task, with, without).run(count, answer);
}

} // namespace neurasp::inference
