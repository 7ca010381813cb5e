// Random graphs: simple paths on grids, two-terminal reliability, smokers and their friends.
#include "frontier.hpp"
#include "workload_support.hpp"

#include <algorithm>
#include <set>

namespace neurasp::bench {

namespace {

// The edges in an order with a small frontier: sorted by their later node, then by the earlier one.
std::vector<std::size_t> edge_order(const Graph &graph) {
    const std::vector<int> nodes = frontier_order(graph.nodes, graph.edges);
    std::vector<int> rank(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        rank[static_cast<std::size_t>(nodes[i])] = static_cast<int>(i);
    }
    std::vector<std::size_t> order;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) order.push_back(e);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto key = [&](std::size_t e) {
            const int from = rank[static_cast<std::size_t>(graph.edges[e].first)];
            const int to = rank[static_cast<std::size_t>(graph.edges[e].second)];
            return std::pair(std::max(from, to), std::min(from, to));
        };
        return key(a) < key(b);
    });
    return order;
}

// A random tree with `extra` more edges (fewer if the graph is complete then).
Graph random_graph(int nodes, int extra, RandomStream &random) {
    std::set<std::pair<int, int>> edges;
    for (int i = 1; i < nodes; ++i) edges.emplace(random.below(i), i);
    const int complete = nodes * (nodes - 1) / 2;
    const auto size = static_cast<std::size_t>(std::min(nodes - 1 + extra, complete));
    while (edges.size() < size) {
        const int a = random.below(nodes);
        const int b = random.below(nodes);
        if (a != b) edges.emplace(std::min(a, b), std::max(a, b));
    }
    return {nodes, {edges.begin(), edges.end()}};
}

// Whether the last node can be reached from node 0.
Workload reachability(const Graph &graph) {
    const int target = graph.nodes - 1;
    Workload workload;
    workload.program = graph_program(graph) + "reached(0).\nreached(Y) :- reached(X), on(X,Y).\n";
    workload.observation = ":- not reached(" + std::to_string(target) + ").\n";
    workload.calls = {graph_call(graph)};
    workload.enumerable = graph.edges.size() <= 15;
    workload.probability = [graph, target](const NetworkOutputs &outputs) {
        const std::vector<double> present = edge_probabilities(outputs);
        std::vector<RandomArcs> events;
        for (const std::size_t e : edge_order(graph)) {
            const auto [from, to] = graph.edges[e];
            events.push_back({{{from, to}, {to, from}}, present[e]});
        }
        return reachability_probability(events, 0, {target}, [&](std::uint64_t reached) {
            return (reached >> static_cast<unsigned>(target) & 1U) != 0;
        });
    };
    return workload;
}

const char *const smoker_rules = "nn(stress(1,X),[true,false]) :- person(X).\n"
                                 "nn(influence(1,X,Y),[true,false]) :- friend(X,Y).\n"
                                 "nn(fragile(1,X),[true,false]) :- person(X).\n"
                                 "smokes(X) :- stress(0,X,true).\n"
                                 "smokes(Y) :- smokes(X), influence(0,X,Y,true).\n"
                                 "asthma(X) :- smokes(X), fragile(0,X,true).\n";

std::string pair_terms(int from, int to) { return std::to_string(from) + "," + std::to_string(to); }

// The first person does not smoke and the last one does.
double smokers_probability(const Graph &graph, const NetworkOutputs &outputs) {
    // Stress is an arc from an additional node; it is decided when the person first occurs.
    const int source = graph.nodes;
    std::vector<bool> met(static_cast<std::size_t>(graph.nodes), false);
    std::vector<RandomArcs> events;
    for (const std::size_t e : edge_order(graph)) {
        const auto [a, b] = graph.edges[e];
        for (const int person : {a, b}) {
            if (met[static_cast<std::size_t>(person)]) continue;
            met[static_cast<std::size_t>(person)] = true;
            const double p = values(outputs, "stress", std::to_string(person))[0];
            events.push_back({{{source, person}}, p});
        }
        events.push_back({{{a, b}}, values(outputs, "influence", pair_terms(a, b))[0]});
        events.push_back({{{b, a}}, values(outputs, "influence", pair_terms(b, a))[0]});
    }
    const int last = graph.nodes - 1;
    return reachability_probability(events, source, {0, last}, [last](std::uint64_t smokes) {
        return (smokes & 1U) == 0 && (smokes >> static_cast<unsigned>(last) & 1U) != 0;
    });
}

} // namespace

std::optional<Workload> make_simple_path(std::string_view name) {
    const auto found = match(name, "grid*");
    if (!found) return std::nullopt;
    const Graph graph = grid_graph(found->front(), found->front());
    const int target = graph.nodes - 1;
    const std::string ends = "(0;" + std::to_string(target) + ")";
    Workload workload;
    workload.program = graph_program(graph) + "end" + ends +
                       ".\nreached(0).\nreached(Y) :- reached(X), on(X,Y).\n";
    workload.observation = ":- end(X), #count { Y : on(X,Y) } != 1.\n"
                           ":- node(X), not end(X), #count { Y : on(X,Y) } = 1.\n"
                           ":- node(X), #count { Y : on(X,Y) } > 2.\n"
                           ":- on(X,Y), not reached(X).\n";
    workload.calls = {graph_call(graph)};
    workload.enumerable = graph.nodes <= 25;
    workload.probability = [graph, target](const NetworkOutputs &outputs) {
        const std::vector<double> present = edge_probabilities(outputs);
        std::vector<RandomEdge> edges;
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            edges.push_back({graph.edges[e].first, graph.edges[e].second, present[e]});
        }
        return simple_path_probability(graph.nodes, edges, 0, target);
    };
    return workload;
}

std::optional<Workload> make_reachability(std::string_view name) {
    if (const auto found = match(name, "rel_*x*")) {
        return reachability(grid_graph((*found)[0], (*found)[1]));
    }
    if (const auto found = match(name, "relrand*")) {
        const int nodes = found->front();
        RandomStream random(static_cast<std::uint64_t>(nodes));
        return reachability(random_graph(nodes, nodes / 2, random));
    }
    return std::nullopt;
}

std::optional<Workload> make_smokers(std::string_view name) {
    const auto found = match(name, "smokers*");
    if (!found || found->front() < 2) return std::nullopt;
    const int people = found->front();
    RandomStream random(static_cast<std::uint64_t>(people));
    const Graph graph = random_graph(people, people / 2 + 1, random);
    Workload workload;
    workload.program = "person(0.." + std::to_string(people - 1) + ").\n";
    for (const auto &[a, b] : graph.edges) {
        workload.program += "friend(" + pair_terms(a, b) + "). friend(" + pair_terms(b, a) + ").\n";
    }
    workload.program += smoker_rules;
    workload.observation = ":- smokes(0).\n:- not smokes(" + std::to_string(people - 1) + ").\n";
    for (int i = 0; i < people; ++i) {
        for (const char *network : {"stress", "fragile"}) {
            workload.calls.push_back({network, std::to_string(i), 1, {"true", "false"}});
        }
    }
    for (const auto &[a, b] : graph.edges) {
        workload.calls.push_back({"influence", pair_terms(a, b), 1, {"true", "false"}});
        workload.calls.push_back({"influence", pair_terms(b, a), 1, {"true", "false"}});
    }
    workload.enumerable = people <= 3;
    workload.probability = [graph](const NetworkOutputs &outputs) {
        return smokers_probability(graph, outputs);
    };
    return workload;
}

} // namespace neurasp::bench
