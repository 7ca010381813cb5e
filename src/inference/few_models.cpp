// Lists of few models as circuits.
//
// A Sudoku with its givens has about 15,000 ground rules and one solution. Reading all of these rules takes the
// compiler longer than clasp needs to solve the puzzle. So before a theory is translated, clasp gets a short
// time to list the models. If there are at most 64, the list becomes a circuit: a sum of products, with one path
// for each model.
//
// How. choice_tree.hpp makes the circuit. One model is one product node, and the circuit has at most as many decisions
// as models. What a request shows is read off each model, like a further outcome.
//
// Conditions. The program must be determined, because every listed choice counts once, which is right only if
// Num(C) = 1. Requests for alternatives, for models, and with external inputs need more than the list. If the
// observation depends on fewer than 2,000 rules, it is compiled at once, unless the request has a least cost: then clasp
// has just found it and already has the rules. A program that is large only because it covers many observations (all
// sums of two numbers, of which one is observed) is thus not searched in vain. With more than 50,000 rules, loading
// the program into clasp is the greater effort.
//
// Rules that earlier questions added must not decide how this one is answered: a resumed training would otherwise get
// different circuits, which round differently. Neither number counts them: no other question depends on them, and
// the second is that of the program alone.
//
// Cost: a small share of the time (time_plan::few_models), whatever comes of it.
#include "inference/few_models.hpp"

#include "inference/choice_tree.hpp"
#include "inference/enumeration.hpp"

#include <algorithm>
#include <numeric>

namespace neurasp::inference {

namespace {

constexpr std::uint64_t few = 64;
constexpr std::size_t most_rules_to_list = 50'000; // of the program

// Whether the compiler has little to read. (With a cost, clasp already has the rules, so this does not matter.)
bool depends_on_few_rules(const Grounding &grounding, const Request &request) {
    if (grounding.program_rule_count() < fewest_rules_to_list) return true;
    std::vector<AtomId> roots;
    for (const Literal literal : request.evidence) roots.push_back(literal.atom());
    return grounding.relevance(roots).rule_count < fewest_rules_to_list;
}

// Whether one of the conjunctions holds in the model.
bool holds(const std::vector<std::vector<Literal>> &alternatives, const asp::ModelView &view) {
    return std::any_of(alternatives.begin(), alternatives.end(), [&](const auto &conjunction) {
        return std::all_of(conjunction.begin(), conjunction.end(), [&](Literal literal) {
            return view.is_true(literal.atom()) == literal.positive();
        });
    });
}

} // namespace

std::optional<std::vector<TotalChoice>>
list_choices(const SearchProblem &problem, const SearchRequest &request, base::Budget &budget,
             const std::function<void(const asp::ModelView &, TotalChoice &)> &add_more) {
    std::vector<TotalChoice> choices;
    const auto on_model = [&](const asp::ModelView &view) {
        if (!budget.take_model()) return false;
        read_choice(problem, view, choices.emplace_back());
        if (add_more) add_more(view, choices.back());
        return true;
    };
    const auto end = problem.search(request, budget, on_model);
    if (end != asp::SearchEnd::exhausted) return std::nullopt;
    return choices;
}

std::optional<circuit::Circuit>
circuit_of_few_models(const SearchProblem &problem, const SearchRequest &request,
                      std::size_t program_rules, const base::Budget &budget,
                      std::span<const std::vector<std::vector<Literal>>> shown) {
    if (!problem.determined() || program_rules > most_rules_to_list) return std::nullopt;
    base::Budget granted = budget.part(base::time_plan::few_models).with_models(few);
    const auto add_shown = [&](const asp::ModelView &view, TotalChoice &choice) {
        for (const auto &alternatives : shown) {
            choice.push_back(holds(alternatives, view) ? 0 : 1);
        }
    };
    auto choices = list_choices(problem, request, granted, add_shown);
    if (!choices) return std::nullopt;
    circuit::Signature signature;
    for (const auto &group : problem.groups()) {
        signature.outcomes.push_back(static_cast<std::uint32_t>(group.size()));
    }
    signature.random_variables = static_cast<std::uint32_t>(signature.outcomes.size());
    signature.outcomes.resize(signature.outcomes.size() + shown.size(), 2);
    std::vector<std::uint32_t> order(signature.outcomes.size());
    std::iota(order.begin(), order.end(), 0U);
    return ChoiceTree(std::move(signature), std::move(order)).run(std::move(*choices));
}

std::optional<circuit::Circuit> circuit_of_few_models(const Grounding &grounding,
                                                      const Request &request,
                                                      const base::Budget &budget) {
    if (!request.alternatives.empty() || request.models || request.external_inputs) {
        return std::nullopt;
    }
    if (!request.cost && depends_on_few_rules(grounding, request)) return std::nullopt;
    return circuit_of_few_models(grounding.problem(),
                                 {request.evidence, request.cost, nullptr, false},
                                 grounding.program_rule_count(), budget, request.shown);
}

} // namespace neurasp::inference
