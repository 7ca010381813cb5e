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

// Different total choices as a tree of decisions.
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

// All of them, sorted; nothing if there are too many.
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
    // those of the program alone: what was asked before must not decide how this is answered, or a resumed
    // training would get other circuits, which round differently
    const std::size_t rules = grounding.program_rule_count();
    // With a cost, clasp has the rules already: it has found the least one.
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
