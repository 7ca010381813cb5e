// Stable models as a stream: found one after the other, weighed, passed on, not stored.
#pragma once

#include "inference/engine.hpp"
#include "inference/num_counter.hpp"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace neurasp::inference {

// A stable model at which the search pauses.
struct Found {
    const asp::ModelView &view;
    const TotalChoice &choice; // by group of the problem
    std::size_t zeros = 0;     // outcomes of probability 0 in it
    ScaledReal positive;       // the product of its other outcomes, divided by Num
    // P(I)
    ScaledReal probability() const { return zeros == 0 ? positive : ScaledReal(); }
};

class Enumeration {
  public:
    Enumeration(Problem &problem, const Weights &weights, base::Budget &budget)
        : problem_(problem), weights_(weights), budget_(budget), counter_(problem, budget) {}

    // Runs over the stable models under the assumptions. With `cost`, only over those of at most this
    // cost (weak constraints). The end is `interrupted` also when a Num could not be counted.
    using OnFound = std::function<bool(const Found &)>; // returns false to stop
    asp::SearchEnd run(std::span<const Literal> assumptions,
                       const std::optional<std::vector<std::int64_t>> &cost,
                       const OnFound &on_found);

  private:
    Problem &problem_;
    const Weights &weights_;
    base::Budget &budget_;
    NumCounter counter_;
    TotalChoice choice_;
};

// Reads the outcome of each group off a model.
void read_choice(const Problem &problem, const asp::ModelView &view, TotalChoice &choice);

// The restriction to least-cost models that optimal mode asks for.
struct CostRestriction {
    std::optional<std::vector<std::int64_t>> cost; // nothing: no restriction
    bool no_model = false;                         // there is no model at all
    bool proven = true;
};
CostRestriction find_cost_restriction(Task &task, std::span<const Literal> assumptions);

// Literals that make the observation hold.
std::vector<Literal> observed(const QuestionAtoms &atoms);

// A model for the user: what it shows, its cost, its probability.
StableModel describe_model(Task &task, const asp::ModelView &view, const ScaledReal &probability);

// About how many bytes keeping a model takes, for memory limits.
std::uint64_t stored_size(const StableModel &model);

// Fills in how an answer came about.
void finish(AnswerInfo &info, const Engine &engine, const base::Budget &budget, asp::SearchEnd end,
            std::uint64_t solver_calls);

Interval exact_interval(const ScaledReal &value);
Interval interval(const ScaledReal &lower, const ScaledReal &upper);

} // namespace neurasp::inference
