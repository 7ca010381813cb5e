// Shared by the families of workloads: names with numbers in them, seeded outputs, pieces of programs.
#pragma once

#include "workloads.hpp"

#include <optional>
#include <utility>

namespace neurasp::bench {

// The numbers that stand for the stars of `pattern` ("topk_*_*") if `name` has that form.
std::optional<std::vector<int>> match(std::string_view name, std::string_view pattern);

// A stream of numbers that is the same on every machine (splitmix64).
class RandomStream {
  public:
    explicit RandomStream(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    double uniform();     // in (0, 1)
    int below(int bound); // 0 .. bound - 1
    // A point drawn uniformly from all distributions over `size` outcomes.
    std::vector<double> distribution(std::size_t size);

  private:
    std::uint64_t state_;
};

// Draws every row of every call independently.
NetworkOutputs random_outputs(const std::vector<Call> &calls, std::uint64_t seed);

// The probabilities of one call, row by row.
const std::vector<double> &values(const NetworkOutputs &outputs, const std::string &network,
                                  const std::string &terms);

// "0", "1", ..., as outcomes of a network.
std::vector<std::string> number_outcomes(int first, int last);
// "[a,b,c]"
std::string outcome_list(const std::vector<std::string> &outcomes);

// Undirected graphs over the nodes 0, 1, ..., where edge number i is event i of the call edge(g).
struct Graph {
    int nodes = 0;
    std::vector<std::pair<int, int>> edges;
};
Graph grid_graph(int rows, int columns);
// The neural rule of the edges, the facts link(number,from,to), and on/2, which is symmetric.
std::string graph_program(const Graph &graph);
Call graph_call(const Graph &graph);
// P(edge present), edge by edge.
std::vector<double> edge_probabilities(const NetworkOutputs &outputs);

// The families; nullopt if the name is not one of theirs.
std::optional<Workload> make_addition(std::string_view name);
std::optional<Workload> make_member(std::string_view name);
std::optional<Workload> make_tables(std::string_view name);
std::optional<Workload> make_formula(std::string_view name);
std::optional<Workload> make_shortest_path(std::string_view name);
std::optional<Workload> make_simple_path(std::string_view name);
std::optional<Workload> make_reachability(std::string_view name);
std::optional<Workload> make_smokers(std::string_view name);
std::optional<Workload> make_choose(std::string_view name);
std::optional<Workload> make_free_choice(std::string_view name);
std::optional<Workload> make_sudoku(std::string_view name);
std::optional<Workload> make_small_sudoku(std::string_view name);

} // namespace neurasp::bench
