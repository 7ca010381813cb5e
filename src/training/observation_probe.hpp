// Evaluates observations for network outputs that we choose, to learn which outcomes they allow.
//
// A place of an observation is an event of a call that its P(O) mentions. A point gives each place a distribution over the
// outcomes. log P(O) at the uniform distribution over sets of outcomes is finite exactly if some choice from these sets
// satisfies the observation, and the derivative with respect to an outcome's probability, P(O and the outcome) / (P(O)
// times its probability), is positive exactly if one of these choices has the outcome.
//
// Probabilities of learnable rules are taken as positive, whatever is written, because learning keeps them so.
#pragma once

#include "base/budget.hpp"
#include "neurasp/training.hpp"
#include "training/outcome_set.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::training {

struct Place {
    std::uint32_t call = 0; // in PreparedObservation::calls
    std::uint32_t event = 0;
    std::uint32_t network = 0;
    std::uint32_t outcomes = 0; // of that network

    friend bool operator==(const Place &, const Place &) = default;
};

// One distribution for each place, one after the other.
using Point = std::vector<double>;

struct ProbeResult {
    bool possible = false; // P(O) > 0
    bool known = false;    // false: a limit was reached before it is known whether P(O) > 0
    bool complete = false; // false: a limit was reached before all of the following was known
    // P(O | outcome) / P(O) for each number of the point, if that was asked for, is complete, and P(O) > 0.
    std::vector<double> ratios = {};
};

class ObservationProbe {
  public:
    // Both must outlive it. Requires: the gradients of the program are exact and plain.
    ObservationProbe(const TrainingProgram &program, base::Budget &budget, StopToken stop);

    // All events of the calls that may matter for P(O).
    std::vector<Place> places(ObservationId observation) const;
    // Events without a place have the uniform distribution.
    std::vector<ProbeResult> evaluate(ObservationId observation, std::span<const Place> places,
                                      std::span<const Point> points, bool with_ratios);
    // The same at the uniform distribution over a set for each place. Requires: no set is empty.
    ProbeResult evaluate(ObservationId observation, std::span<const Place> places,
                         std::span<const OutcomeSet> sets, bool with_ratios);
    // Whether the probabilities of learnable rules changed P(O) in the last evaluation with ratios.
    bool rules_mattered() const noexcept { return rules_mattered_; }
    // Notes that a limit was the reason that a total choice could not be judged; maps may be missing then.
    void give_up() noexcept { gave_up_ = true; }
    bool gave_up() const noexcept { return gave_up_; }

  private:
    struct Layout; // where the numbers of a batch are
    Layout lay_out(ObservationId observation, std::span<const Place> places,
                   std::span<const Point> points) const;
    bool do_rules_matter(std::span<const double> gradient, std::size_t points) const;

    const TrainingProgram &program_;
    base::Budget &budget_;
    StopToken stop_;
    std::vector<double> rule_numbers_;
    bool rules_mattered_ = false;
    bool gave_up_ = false;
};

// The uniform distribution over a set for each place.
Point uniform_point(std::span<const OutcomeSet> sets);
// Whether numbers of the same meaning differ by more than rounding explains.
bool differ(std::span<const double> numbers);
// All outcomes for each place.
std::vector<OutcomeSet> all_outcomes(std::span<const Place> places);

} // namespace neurasp::training
