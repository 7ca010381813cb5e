#include "inference/few_models.hpp"

#include "circuit/circuit_builder.hpp"
#include "inference/enumeration.hpp"

#include <algorithm>

namespace neurasp::inference {

namespace {

constexpr std::uint64_t few = 64;
constexpr std::size_t fewest_rules = 2'000;
constexpr std::size_t most_rules = 50'000;
constexpr double most_seconds = 0.25;

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
list_choices(Problem &problem, const CircuitRequest &request, const base::Budget &budget) {
    const double seconds = std::min(most_seconds, 0.2 * budget.seconds_left().value_or(1.0));
    base::Budget granted(seconds, few, std::nullopt, budget.stop_flag());
    std::optional<std::vector<std::int64_t>> cost;
    if (!request.cost.empty()) cost = request.cost.front();
    asp::Solver &solver = cost ? problem.optimiser() : problem.enumerator();
    std::vector<TotalChoice> choices;
    const auto on_model = [&](const asp::ModelView &view) {
        if (!granted.take_model()) return false;
        read_choice(problem, view, choices.emplace_back());
        return true;
    };
    const auto end = solver.search({request.evidence, nullptr, false, cost}, granted, on_model);
    if (end != asp::SearchEnd::exhausted) return std::nullopt;
    std::sort(choices.begin(), choices.end());
    return choices;
}

} // namespace

std::optional<circuit::Circuit> circuit_of_few_models(World &world, const CircuitRequest &request,
                                                      const base::Budget &budget) {
    Problem &problem = world.problem();
    // those of the program alone: what was asked before must not decide how this is answered, or a resumed
    // training would get other circuits, which round differently
    const std::size_t rules = world.program_rule_count();
    // With a cost, clasp has the rules already: it has found the least one.
    const bool small = request.cost.empty() && rules < fewest_rules;
    if (!problem.determined() || small || rules > most_rules || !request.alternatives.empty() ||
        request.models || request.external_inputs) {
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
