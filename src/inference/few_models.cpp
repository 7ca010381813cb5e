// Lists of few models as circuits.
//
// A Sudoku with its givens has about 15,000 ground rules and one solution. Reading all of these rules takes the
// compiler longer than clasp needs to solve the puzzle. So before a theory is translated, clasp gets a short
// time to list the models. If there are at most 64, the list becomes a circuit: a sum of products, with one path
// for each model.
//
// How. The total choices are sorted and become a tree of decisions. Variables on which all choices of a branch
// agree are factors of one product, so one model is one product node and the circuit has at most as many
// decisions as models.
//
// Conditions. The program must be determined, because every listed choice counts once, which is right only if
// Num(C) = 1. Requests for alternatives, for models, and with external inputs need more than the list. A program
// with fewer than 2,000 rules is compiled at once, unless the request has a least cost: then clasp has just
// found it and already has the rules. With more than 50,000 rules, loading them into clasp is the greater
// effort.
//
// The rules that count are those of the program alone. Rules that earlier questions added must not decide how
// this one is answered: a resumed training would otherwise get different circuits, which round differently.
//
// Invariant: choices are sorted and different, and those below a node agree on all variables before it.
// Cost: a small share of the time (time_plan::few_models), whatever comes of it.
#include "inference/few_models.hpp"

#include "circuit/circuit_builder.hpp"
#include "inference/enumeration.hpp"

#include <algorithm>

namespace neurasp::inference {

namespace {

constexpr std::uint64_t few = 64;
constexpr std::size_t fewest_rules = 2'000;
constexpr std::size_t most_rules_to_list = 50'000;

using circuit::CircuitBuilder;
using circuit::Edge;
using circuit::NodeId;

// Makes a tree of decisions of different total choices.
class ChoiceTree {
  public:
    explicit ChoiceTree(circuit::Signature signature) : builder_(std::move(signature)) {}

    // Requires: `choices` are sorted, different, and equal before `variable`.
    CircuitBuilder::Node add(std::span<const TotalChoice> choices, std::uint32_t variable) {
        if (choices.empty()) return std::nullopt;
        const TotalChoice &first = choices.front();
        std::vector<circuit::InputId> shared;
        while (variable < first.size() && first[variable] == choices.back()[variable]) {
            shared.push_back(builder_.input(variable, first[variable]));
            ++variable;
        }
        std::vector<NodeId> rest;
        if (variable < first.size()) rest.push_back(*branch(choices, variable));
        return builder_.product(shared, rest);
    }
    circuit::Circuit finish(CircuitBuilder::Node root) { return std::move(builder_).finish(root); }

  private:
    CircuitBuilder::Node branch(std::span<const TotalChoice> choices, std::uint32_t variable) {
        std::vector<Edge> edges;
        while (!choices.empty()) {
            const std::uint32_t outcome = choices.front()[variable];
            const auto end = std::find_if(choices.begin(), choices.end(), [&](const auto &choice) {
                return choice[variable] != outcome;
            });
            const auto size = static_cast<std::size_t>(end - choices.begin());
            const NodeId child = *add(choices.first(size), variable + 1);
            edges.push_back({builder_.input(variable, outcome), child});
            choices = choices.subspan(size);
        }
        return builder_.decision(variable, edges);
    }

    CircuitBuilder builder_;
};

// The choices of all models, sorted; nothing if there are too many, or if time ran out.
std::optional<std::vector<TotalChoice>>
list_choices(const SearchProblem &problem, const Request &request, const base::Budget &budget) {
    base::Budget granted = budget.part(base::time_plan::few_models).with_models(few);
    std::vector<TotalChoice> choices;
    const auto on_model = [&](const asp::ModelView &view) {
        if (!granted.take_model()) return false;
        read_choice(problem, view, choices.emplace_back());
        return true;
    };
    const auto end =
        problem.search({request.evidence, request.cost, nullptr, false}, granted, on_model);
    if (end != asp::SearchEnd::exhausted) return std::nullopt;
    std::sort(choices.begin(), choices.end());
    return choices;
}

} // namespace

std::optional<circuit::Circuit> circuit_of_few_models(const Grounding &grounding,
                                                      const Request &request,
                                                      const base::Budget &budget) {
    const SearchProblem &problem = grounding.problem();
    const std::size_t rules = grounding.program_rule_count();
    // With a cost, clasp already has the rules, because it has found the least cost.
    const bool small = !request.cost && rules < fewest_rules;
    if (!problem.determined() || small || rules > most_rules_to_list ||
        !request.alternatives.empty() || request.models || request.external_inputs) {
        return std::nullopt;
    }
    const auto choices = list_choices(problem, request, budget);
    if (!choices) return std::nullopt;
    circuit::Signature signature;
    for (const auto &group : problem.groups()) {
        signature.outcomes.push_back(static_cast<std::uint32_t>(group.size()));
    }
    signature.random_variables = static_cast<std::uint32_t>(signature.outcomes.size());
    ChoiceTree tree(std::move(signature));
    return tree.finish(tree.add(*choices, 0));
}

} // namespace neurasp::inference
