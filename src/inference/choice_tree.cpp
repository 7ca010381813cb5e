// Makes circuits of lists of total choices.
#include "inference/choice_tree.hpp"

#include <algorithm>

namespace neurasp::inference {

circuit::Circuit ChoiceTree::run(std::vector<TotalChoice> choices) && {
    const auto before = [&](const TotalChoice &a, const TotalChoice &b) {
        for (const std::uint32_t variable : order_) {
            if (a[variable] != b[variable]) return a[variable] < b[variable];
        }
        return false;
    };
    std::sort(choices.begin(), choices.end(), before);
    const auto root = add(choices, 0);
    return std::move(builder_).finish(root);
}

circuit::CircuitBuilder::Node ChoiceTree::add(Choices choices, std::size_t depth) {
    if (choices.empty()) return std::nullopt;
    const TotalChoice &first = choices.front();
    std::vector<circuit::InputId> shared;
    for (; depth < order_.size(); ++depth) {
        const std::uint32_t variable = order_[depth];
        if (first[variable] != choices.back()[variable]) break;
        shared.push_back(builder_.input(variable, first[variable]));
    }
    std::vector<circuit::NodeId> rest;
    if (depth < order_.size()) rest.push_back(*branch(choices, depth));
    return builder_.product(shared, rest);
}

circuit::CircuitBuilder::Node ChoiceTree::branch(Choices choices, std::size_t depth) {
    const std::uint32_t variable = order_[depth];
    std::vector<circuit::Edge> edges;
    while (!choices.empty()) {
        const std::uint32_t outcome = choices.front()[variable];
        const auto end = std::find_if(choices.begin(), choices.end(), [&](const auto &choice) {
            return choice[variable] != outcome;
        });
        const auto size = static_cast<std::size_t>(end - choices.begin());
        const circuit::NodeId child = *add(choices.first(size), depth + 1);
        edges.push_back({builder_.input(variable, outcome), child});
        choices = choices.subspan(size);
    }
    return builder_.decision(variable, edges);
}

} // namespace neurasp::inference
