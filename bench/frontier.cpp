// The two dynamic programs along a frontier, and an order of the nodes that keeps it small.
#include "frontier.hpp"

#include <algorithm>
#include <map>

namespace neurasp::bench {

namespace {

std::size_t at(int node) { return static_cast<std::size_t>(node); }

// For each node, the other end of its path; the node itself if it has no edge, -1 if it has two.
using Mates = std::vector<int>;

constexpr int inner = -1;

// Joins the paths that end in the edge's nodes. False if a node would get a third edge.
bool join(Mates &mates, const RandomEdge &edge) {
    const int first = mates[at(edge.from)];
    const int last = mates[at(edge.to)];
    if (first == inner || last == inner) return false;
    mates[at(edge.from)] = inner;
    mates[at(edge.to)] = inner;
    mates[at(first)] = last;
    mates[at(last)] = first;
    return true;
}

bool all_closed(const Mates &mates) {
    for (std::size_t i = 0; i < mates.size(); ++i) {
        if (mates[i] != inner && at(mates[i]) != i) return false;
    }
    return true;
}

} // namespace

double simple_path_probability(int nodes, const std::vector<RandomEdge> &edges, int first_end,
                               int last_end) {
    std::vector<std::size_t> last_edge(at(nodes), 0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        last_edge[at(edges[e].from)] = last_edge[at(edges[e].to)] = e;
    }
    // As if there were one more edge between the two ends: a path between them then closes a cycle.
    Mates start(at(nodes));
    for (int i = 0; i < nodes; ++i) start[at(i)] = i;
    start[at(first_end)] = last_end;
    start[at(last_end)] = first_end;
    std::map<Mates, double> layer{{start, 1.0}};
    double closed = 0.0; // the mass of complete paths, all edges after it absent so far
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const RandomEdge &edge = edges[e];
        closed *= 1.0 - edge.present;
        std::map<Mates, double> next;
        const auto keep = [&](Mates mates, double mass) {
            for (const int node : {edge.from, edge.to}) {
                if (last_edge[at(node)] != e) continue;
                if (mates[at(node)] != inner && mates[at(node)] != node) return; // a loose end
                mates[at(node)] = inner;
            }
            next[std::move(mates)] += mass;
        };
        for (const auto &[mates, mass] : layer) {
            keep(mates, mass * (1.0 - edge.present));
            Mates joined = mates;
            if (mates[at(edge.from)] == edge.to) {
                joined[at(edge.from)] = joined[at(edge.to)] = inner;
                if (all_closed(joined)) closed += mass * edge.present;
            } else if (join(joined, edge)) {
                keep(std::move(joined), mass * edge.present);
            }
        }
        layer = std::move(next);
    }
    return closed;
}

namespace {

using Rows =
    std::vector<std::uint64_t>; // for each node, the nodes that it reaches, including itself

std::uint64_t bit(int node) { return std::uint64_t{1} << static_cast<unsigned>(node); }

void add_arc(Rows &rows, int from, int to) {
    const std::uint64_t gained = rows[at(to)];
    for (std::uint64_t &row : rows) {
        if ((row & bit(from)) != 0) row |= gained;
    }
}

// Nodes that the source reaches need no other way to be reached, and whatever they reach is reached too.
void forget_reached(Rows &rows, int source) {
    const std::uint64_t reached = rows[at(source)];
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i != at(source)) rows[i] = (reached >> i & 1U) != 0 ? 0 : rows[i] & ~reached;
    }
}

} // namespace

double reachability_probability(const std::vector<RandomArcs> &events, int source,
                                const std::vector<int> &watched,
                                const std::function<bool(std::uint64_t)> &accept) {
    int nodes = source + 1;
    for (const int node : watched) nodes = std::max(nodes, node + 1);
    for (const RandomArcs &event : events) {
        for (const auto &[from, to] : event.arcs) nodes = std::max({nodes, from + 1, to + 1});
    }
    std::vector<std::size_t> last_event(at(nodes), 0);
    for (std::size_t e = 0; e < events.size(); ++e) {
        for (const auto &[from, to] : events[e].arcs) last_event[at(from)] = last_event[at(to)] = e;
    }
    for (const int node : watched) last_event[at(node)] = events.size();
    last_event[at(source)] = events.size();

    Rows start(at(nodes));
    for (int i = 0; i < nodes; ++i) start[at(i)] = bit(i);
    std::map<Rows, double> layer{{start, 1.0}};
    for (std::size_t e = 0; e < events.size(); ++e) {
        std::uint64_t finished = 0;
        for (int i = 0; i < nodes; ++i) finished |= last_event[at(i)] == e ? bit(i) : 0;
        std::map<Rows, double> next;
        const auto keep = [&](Rows rows, double mass) {
            forget_reached(rows, source);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                rows[i] = (finished >> i & 1U) != 0 ? 0 : rows[i] & ~finished;
            }
            next[std::move(rows)] += mass;
        };
        for (const auto &[rows, mass] : layer) {
            keep(rows, mass * (1.0 - events[e].present));
            Rows more = rows;
            for (const auto &[from, to] : events[e].arcs) {
                if ((more[at(source)] & bit(to)) == 0) add_arc(more, from, to);
            }
            keep(std::move(more), mass * events[e].present);
        }
        layer = std::move(next);
    }
    double sum = 0.0;
    for (const auto &[rows, mass] : layer) sum += accept(rows[at(source)]) ? mass : 0.0;
    return sum;
}

std::vector<int> frontier_order(int nodes, const std::vector<std::pair<int, int>> &edges) {
    std::vector<int> order;
    std::vector<bool> placed(at(nodes), false);
    const auto boundary = [&] { // placed nodes with neighbours that are not placed yet
        std::vector<bool> open(at(nodes), false);
        for (const auto &[a, b] : edges) {
            if (placed[at(a)] != placed[at(b)]) open[at(placed[at(a)] ? a : b)] = true;
        }
        return std::count(open.begin(), open.end(), true);
    };
    while (order.size() < at(nodes)) {
        int best = -1;
        std::ptrdiff_t least = 0;
        for (int node = 0; node < nodes; ++node) {
            if (placed[at(node)]) continue;
            placed[at(node)] = true;
            const std::ptrdiff_t size = boundary();
            placed[at(node)] = false;
            if (best < 0 || size < least) {
                best = node;
                least = size;
            }
        }
        placed[at(best)] = true;
        order.push_back(best);
    }
    return order;
}

} // namespace neurasp::bench
