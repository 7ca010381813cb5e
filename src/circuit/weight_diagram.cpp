// Weight bodies as decision diagrams.
//
// The idea. Whether literals weigh at least n is decided by going through them one by one and keeping the weight that is
// still needed. States with the same position and the same weight still needed are one node, so there are at most
// positions * (number of different partial sums) nodes instead of exponentially many. Each node becomes a gate
// (gates.hpp). This is how MiniSat+ translates pseudo-Boolean constraints with decision diagrams (Een and Sorensson 2006).
//
// How ours differs. All literals of one random variable are one position with one branch per outcome, because exactly
// one outcome holds: the literals of a digit with ten outcomes are one node, not ten in a row, and the bounds on what the
// rest can weigh are tight. Weights may be negative (costs), so a literal and its negation are one position, too, with
// a weight for each value.
//
// Early ends. A node is true if the rest weighs at least as much as needed whatever happens (`least`), and false if the
// rest can never weigh enough (`greatest`). Positions are sorted so that the one whose weights differ most comes first;
// then the light ones at the end often cannot matter any more.
//
// Two passes: forward to find which weights may still be needed at each position, layer by layer; backward to make the
// gates, so that a gate is made after its inputs. Gates are shared, so nodes with the same function become one.
//
// Invariants. `least` and `greatest` of a position are bounds for all positions from it to the end. At one position, the
// gate for a larger needed weight implies the gate for a smaller one; monotone_switch() requires this.
//
// Cost. Nodes times outcomes. Beyond 400,000 nodes we give up, and the program is not compiled.
#include "circuit/weight_diagram.hpp"

#include <algorithm>
#include <map>

namespace neurasp::circuit {

namespace {

constexpr std::size_t most_nodes = 400'000;

// A random variable with the weight of each outcome, or a literal with the weights of true and false.
struct Position {
    std::uint32_t choice = nothing;
    Lit literal;
    std::vector<std::int64_t> weights;
    std::int64_t least = 0; // that all positions from here on can weigh together
    std::int64_t greatest = 0;
};

std::vector<Position> positions_of(const Theory &theory, const std::vector<WeightedLit> &literals,
                                   std::int64_t &bound) {
    std::vector<Position> positions;
    std::map<std::uint32_t, std::size_t> by_choice;
    std::map<Var, std::size_t> by_variable;
    for (const auto &[lit, weight] : literals) {
        if (lit == true_lit) bound -= weight;
        if (lit.var() == 0 || weight == 0) continue;
        const std::uint32_t choice = theory.choice_of(lit.var());
        if (choice == nothing) {
            const auto [place, is_new] = by_variable.try_emplace(lit.var(), positions.size());
            if (is_new) positions.push_back({nothing, Lit(lit.var()), {0, 0}});
            positions[place->second].weights[lit.positive() ? 0 : 1] += weight;
            continue;
        }
        const auto &outcomes = theory.choices()[choice].outcomes;
        const auto [place, is_new] = by_choice.try_emplace(choice, positions.size());
        if (is_new) {
            positions.push_back({choice, Lit(), std::vector<std::int64_t>(outcomes.size(), 0)});
        }
        for (std::size_t o = 0; o < outcomes.size(); ++o) {
            const bool same = outcomes[o].var() == lit.var();
            const bool holds = same ? outcomes[o] == lit : outcomes.size() > 2 && !lit.positive();
            if (holds) positions[place->second].weights[o] += weight;
        }
    }
    // Positions whose weights differ most come first.
    const auto spread = [](const Position &position) {
        const auto [low, high] =
            std::minmax_element(position.weights.begin(), position.weights.end());
        return *high - *low;
    };
    std::stable_sort(positions.begin(), positions.end(),
                     [&](const auto &a, const auto &b) { return spread(a) > spread(b); });
    std::int64_t least = 0;
    std::int64_t greatest = 0;
    for (auto position = positions.rbegin(); position != positions.rend(); ++position) {
        const auto [low, high] =
            std::minmax_element(position->weights.begin(), position->weights.end());
        position->least = least += *low;
        position->greatest = greatest += *high;
    }
    return positions;
}

Lit node(Gates &gates, const Position &position, const std::vector<Lit> &inputs) {
    if (position.choice != nothing) return gates.multiplexer(position.choice, inputs);
    // the heavier value leaves less weight needed
    if (position.weights[0] >= position.weights[1]) {
        return gates.monotone_switch(position.literal, inputs[0], inputs[1]);
    }
    return gates.monotone_switch(~position.literal, inputs[1], inputs[0]);
}

} // namespace

std::optional<Lit> at_least(Gates &gates, const std::vector<WeightedLit> &literals,
                            std::int64_t bound) {
    const auto positions = positions_of(gates.theory(), literals, bound);
    // by position: the weights that may still be needed there
    std::vector<std::map<std::int64_t, Lit>> layers(positions.size() + 1);
    layers[0].emplace(bound, Lit());
    const auto decided = [&](std::size_t place, std::int64_t needed) -> std::optional<Lit> {
        const std::int64_t least = place < positions.size() ? positions[place].least : 0;
        const std::int64_t greatest = place < positions.size() ? positions[place].greatest : 0;
        if (needed <= least) return true_lit;
        if (needed > greatest) return false_lit;
        return std::nullopt;
    };
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        for (const auto &[needed, lit] : layers[i]) {
            if (decided(i, needed)) continue;
            if (++nodes > most_nodes) return std::nullopt;
            for (const std::int64_t weight : positions[i].weights) {
                layers[i + 1].emplace(needed - weight, Lit());
            }
        }
    }
    for (std::size_t i = positions.size() + 1; i-- > 0;) {
        for (auto &[needed, lit] : layers[i]) {
            if (const auto value = decided(i, needed)) {
                lit = *value;
                continue;
            }
            std::vector<Lit> inputs;
            for (const std::int64_t weight : positions[i].weights) {
                inputs.push_back(layers[i + 1].at(needed - weight));
            }
            lit = node(gates, positions[i], inputs);
        }
    }
    return layers[0].begin()->second;
}

} // namespace neurasp::circuit
