// Choosing exactly k of n, and programs whose outcomes leave choices open (Num > 1).
#include "workload_support.hpp"

#include <array>
#include <cmath>

namespace neurasp::bench {

namespace {

// Two coins; their outcomes leave three, two or one model.
Workload coin() {
    Workload workload;
    workload.program = "nn(coin(2,x),[head,tail]).\n"
                       "win :- coin(0,x,head), coin(1,x,head).\n"
                       "1 { prize(1..3) } 1 :- win.\n"
                       "{ again } :- not win, coin(1,x,tail).\n";
    workload.observation = ":- prize(1).\n:- again, coin(0,x,head).\n";
    workload.calls = {{"coin", "x", 2, {"head", "tail"}}};
    workload.enumerable = true;
    workload.probability = [](const NetworkOutputs &outputs) {
        const auto &p = values(outputs, "coin", "x");
        const double head_head = p[0] * p[2] * 2.0 / 3.0; // two of three prizes
        const double head_tail = p[0] * p[3] / 2.0;       // not again
        return head_head + head_tail + p[1];
    };
    return workload;
}

// A cycle with chords from node 0; edges are random, the colouring is free.
Graph color_graph(int nodes) {
    Graph graph{nodes, {}};
    for (int i = 0; i < nodes; ++i) graph.edges.emplace_back(i, (i + 1) % nodes);
    for (int i = 2; i + 1 < nodes; i += 2) graph.edges.emplace_back(0, i);
    return graph;
}

// Sums over the subsets of edges; for each, over all colourings with three colours.
double color_probability(const Graph &graph, const std::vector<double> &present) {
    const auto nodes = static_cast<std::size_t>(graph.nodes);
    std::size_t colorings = 1;
    for (std::size_t i = 0; i < nodes; ++i) colorings *= 3;
    // the edges that each colouring forbids, and whether it satisfies the observation
    std::vector<std::pair<std::uint32_t, bool>> conflicts;
    for (std::size_t code = 0; code < colorings; ++code) {
        std::vector<std::size_t> color(nodes);
        for (std::size_t i = 0, rest = code; i < nodes; ++i, rest /= 3) color[i] = rest % 3;
        std::uint32_t forbidden = 0;
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            const auto [from, to] = graph.edges[e];
            if (color[static_cast<std::size_t>(from)] == color[static_cast<std::size_t>(to)]) {
                forbidden |= 1U << e;
            }
        }
        conflicts.emplace_back(forbidden, color[0] == color[nodes / 2]);
    }
    double sum = 0.0;
    for (std::uint32_t edges = 0; edges < 1U << graph.edges.size(); ++edges) {
        double mass = 1.0;
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            mass *= (edges >> e & 1U) != 0 ? present[e] : 1.0 - present[e];
        }
        double models = 0.0;
        double satisfying = 0.0;
        for (const auto &[forbidden, observed] : conflicts) {
            if ((forbidden & edges) != 0) continue;
            models += 1.0;
            if (observed) satisfying += 1.0;
        }
        if (models > 0.0) sum += mass * satisfying / models;
    }
    return sum;
}

Workload color(int nodes) {
    const Graph graph = color_graph(nodes);
    Workload workload;
    workload.program = graph_program(graph) + "color(red). color(green). color(blue).\n"
                                              "1 { paint(X,C) : color(C) } 1 :- node(X).\n"
                                              ":- on(X,Y), paint(X,C), paint(Y,C).\n";
    workload.observation = ":- paint(0,C), not paint(" + std::to_string(nodes / 2) + ",C).\n";
    workload.calls = {graph_call(graph)};
    workload.enumerable = nodes <= 7;
    workload.probability = [graph](const NetworkOutputs &outputs) {
        return color_probability(graph, edge_probabilities(outputs));
    };
    return workload;
}

// Positions in a row that may be filled or not; of the filled ones, any may be picked, but not two neighbours.
// Runs of filled positions have Fibonacci numbers of models. The observation: of two filled neighbours, one is
// picked.
double chain_probability(const std::vector<double> &row, std::size_t size) {
    // For runs of length L: all models and those that satisfy the observation, by whether the last one is picked.
    std::vector<double> ratio{1.0};
    std::array<double, 2> all{1.0, 0.0};
    std::array<double, 2> observed{1.0, 0.0};
    for (std::size_t length = 1; length <= size; ++length) {
        all = {all[0] + all[1], all[0]};
        observed = length == 1 ? std::array{1.0, 1.0} : std::array{observed[1], observed[0]};
        ratio.push_back((observed[0] + observed[1]) / (all[0] + all[1]));
    }
    // reach[i]: the mass of positions 0..i-1 where position i-1 is empty (or i = 0)
    std::vector<double> reach(size + 2, 0.0);
    reach[0] = 1.0;
    for (std::size_t start = 0; start <= size; ++start) {
        double mass = reach[start];
        for (std::size_t end = start; end <= size; ++end) { // a run from start to end - 1
            const double empty = end < size ? row[2 * end + 1] : 1.0;
            reach[end + 1] += mass * ratio[end - start] * empty;
            if (end < size) mass *= row[2 * end];
        }
    }
    return reach[size + 1];
}

Workload chain(int size) {
    Workload workload;
    workload.program = "nn(cell(" + std::to_string(size) +
                       ",x),[full,empty]).\n"
                       "{ pick(I) } :- cell(I,x,full).\n"
                       ":- pick(I), pick(I+1).\n";
    workload.observation = ":- cell(I,x,full), cell(I+1,x,full), not pick(I), not pick(I+1).\n";
    workload.calls = {{"cell", "x", static_cast<std::size_t>(size), {"full", "empty"}}};
    workload.enumerable = size <= 12;
    workload.probability = [size](const NetworkOutputs &outputs) {
        return chain_probability(values(outputs, "cell", "x"), static_cast<std::size_t>(size));
    };
    return workload;
}

} // namespace

std::optional<Workload> make_choose(std::string_view name) {
    const auto found = match(name, "topk_*_*");
    if (!found) return std::nullopt;
    const int items = (*found)[0];
    const auto chosen = static_cast<std::size_t>((*found)[1]);
    Workload workload;
    workload.program = "nn(item(" + std::to_string(items) + ",x),[in,out]).\n";
    workload.observation = ":- #count { I : item(I,x,in) } != " + std::to_string(chosen) + ".\n";
    workload.calls = {{"item", "x", static_cast<std::size_t>(items), {"in", "out"}}};
    workload.enumerable = items <= 16;
    workload.probability = [chosen](const NetworkOutputs &outputs) {
        const auto &rows = values(outputs, "item", "x");
        std::vector<double> mass(chosen + 2, 0.0); // by the number of items in, capped
        mass[0] = 1.0;
        for (std::size_t i = 0; i < rows.size(); i += 2) {
            mass[chosen + 1] += mass[chosen] * rows[i];
            for (std::size_t k = chosen; k > 0; --k) {
                mass[k] = mass[k] * rows[i + 1] + mass[k - 1] * rows[i];
            }
            mass[0] *= rows[i + 1];
        }
        return mass[chosen];
    };
    return workload;
}

std::optional<Workload> make_free_choice(std::string_view name) {
    if (name == "coin") return coin();
    if (const auto found = match(name, "color*")) return color(found->front());
    if (const auto found = match(name, "chain*")) return chain(found->front());
    return std::nullopt;
}

} // namespace neurasp::bench
