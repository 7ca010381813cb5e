// Circuits for questions with few stable models, such as a Sudoku with its givens: clasp lists the models faster
// than the compiler reads the rules.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "inference/request.hpp"

#include <functional>

namespace neurasp::inference {

// A circuit over all variables of the grounding and what the request shows, with one path for each model that
// satisfies the request. Nothing if there are more than a few models, if they are not found quickly, or if the ground
// program is too small or too large for this to be worth a try.
std::optional<circuit::Circuit> circuit_of_few_models(const Grounding &grounding,
                                                      const Request &request,
                                                      const base::Budget &budget);

// The same for a search, whatever it is about: nothing if the problem is not determined, or too large, or has more than a few
// models. `shown`: conditions that are read off each model.
std::optional<circuit::Circuit>
circuit_of_few_models(const SearchProblem &problem, const SearchRequest &request,
                      std::size_t program_rules, const base::Budget &budget,
                      std::span<const std::vector<std::vector<Literal>>> shown = {});

// The compiler reads fewer rules faster than clasp lists models, unless clasp already has the rules.
inline constexpr std::size_t fewest_rules_to_list = 2'000;

// The total choices of all models of a determined problem; nothing if the budget's models or time do not suffice.
// `add_more` may append to the choice of a model.
std::optional<std::vector<TotalChoice>>
list_choices(const SearchProblem &problem, const SearchRequest &request, base::Budget &budget,
             const std::function<void(const asp::ModelView &, TotalChoice &)> &add_more = {});

} // namespace neurasp::inference
