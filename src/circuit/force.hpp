// Linear arrangements of hypergraphs in which the vertices of an edge are close to each other.
#pragma once

#include <cstdint>
#include <vector>

namespace neurasp::circuit {

struct Hypergraph {
    std::vector<std::vector<std::uint32_t>> edges;    // vertices
    std::vector<std::vector<std::uint32_t>> edges_of; // by vertex

    std::size_t size() const { return edges_of.size(); }
    std::uint32_t add_vertex() {
        edges_of.emplace_back();
        return static_cast<std::uint32_t>(edges_of.size() - 1);
    }
    // Edges of fewer than two vertices are left out. Requires: the vertices are different.
    void add_edge(std::vector<std::uint32_t> vertices);
};

using Positions = std::vector<std::uint32_t>; // by vertex

// FORCE: moves each vertex to the centre of its edges until the sum of the spans stops shrinking.
void pull_together(const Hypergraph &graph, Positions &position);

// Orders vertices breadth first, from `start` and then from every vertex not reached before. Returns the last vertex
// reached from `start`, which is far away from it.
std::uint32_t breadth_first(const Hypergraph &graph, std::uint32_t start, Positions &position);

// Arrangements from which pull_together() may start: the given order of vertices, and three breadth-first ones.
std::vector<Positions> starting_positions(const Hypergraph &graph);

} // namespace neurasp::circuit
