// Stable models as a stream: found one after the other, weighed, passed on, not stored.
#pragma once

#include "inference/num_counter.hpp"
#include "inference/request.hpp"
#include "inference/weights.hpp"
#include "neurasp/answers.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace neurasp::inference {

// A stable model at which the search pauses.
struct Found {
    asp::ModelView view;
    const TotalChoice &choice; // by group of the problem
    std::size_t zeros = 0;     // outcomes of probability 0 in it
    ScaledReal positive;       // the product of its other outcomes, divided by Num
    // P(I)
    ScaledReal probability() const { return zeros == 0 ? positive : ScaledReal(); }
};

// Those that a request allows. What it is given must outlive it.
class Enumeration {
  public:
    Enumeration(const SearchProblem &problem, const Weights &weights, const Request &request,
                base::Budget &budget);

    // The next one; nothing after the last, and when the budget ran out or a Num could not be counted.
    std::optional<Found> next();
    // Whether there is a further one. It is not weighed, and lost for `next`.
    bool passes_another() { return search_.next().has_value(); }
    // Ends the search. `interrupted` also when a Num could not be counted.
    asp::SearchEnd end();

    using OnFound = std::function<bool(const Found &)>; // returns false to stop
    asp::SearchEnd run(const OnFound &on_found);

  private:
    const SearchProblem &problem_;
    const Weights &weights_;
    base::Budget &budget_;
    NumCounter counter_;
    std::optional<asp::CostBound> steering_;
    TotalChoice choice_;
    bool uncounted_ = false;
    SearchProblem::Open search_;
};

// A model for the user: what it shows, its cost, its probability.
StableModel describe_model(const Scope &scope, bool all_atoms, const asp::ModelView &view,
                           const ScaledReal &probability);

// About how many bytes keeping a model takes, for memory limits.
std::uint64_t stored_size(const StableModel &model);

// Fills in how an answer came about.
void finish(HowAnswered &how, std::string_view engine, const base::Budget &budget,
            asp::SearchEnd end, std::uint64_t solver_calls);
// What a limit cut short, if one did.
void note_limit(HowAnswered &how, const base::Budget &budget);

Probability exactly(const ScaledReal &value);
// Whatever the rows of networks sum to: no bound exceeds 1.
Probability between(const ScaledReal &lower, const ScaledReal &upper);

} // namespace neurasp::inference
