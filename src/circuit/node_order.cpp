// Orders over choices, tables and other defined variables.
//
// The graph. Its vertices are open choices, tables, and defined variables that are neither values of a table nor gates
// inside of one. A table contributes a clique for each of its rows: the parents, the table and the row's random variable. It
// does not contribute the long clause over all rows, which would join the random variables of all rows and make a width
// out of what is none: given the parents, only one row matters. All other clauses are cliques. A vertex weighs
// log2 of the number of its values.
//
// Costs. If decisions go backwards along an elimination order, the number of decisions is at most the sum over vertices of
// 2^(weight of the bag) (elimination.hpp). This predicts decisions well: 16,000 for 12,814 on a grid of 8 x 8 tables, 35,000
// for 21,139 on a noisy-or of 8 x 8; it overestimates chains.
//
// Two kinds of orders win. A *line over nodes*: FORCE (force.hpp) on the graph without the vertices that are in one clique
// only, which come last. On tables it is as narrow as min-fill, and the circuits are up to 2.8 times smaller. Its
// direction matters, so both are tried. And *elimination orders* by weight and min-fill, which win on noisy-or by 1.5
// to 8 times. Tried without success: dynamic scores by activity (VSADS), balanced centroids of the decomposition, nested dissection.
//
// Vertices in one clique only (the rows) are eliminated first, whatever the order: that adds no edge. What is left, the
// core, is small enough for min-fill.
//
// Cost. Elimination by weight always, stopped at a bag that is wider than the bound; then min-fill, if the core has at most
// `most_filled` vertices. Random runs and lines over nodes follow only if one of the two is cheaper than lines over random
// variables. So programs for which these are as good pay two eliminations at most.
#include "circuit/node_order.hpp"

#include "circuit/force.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace neurasp::circuit {

namespace {

// Drops cliques that are part of others. They add no edge, but a vertex that seems to be in several cliques seems to matter:
// a random variable in the three clauses of a gate is in one clique only.
void drop_contained_cliques(CliqueGraph &graph) {
    auto &cliques = graph.cliques;
    std::sort(cliques.begin(), cliques.end());
    cliques.erase(std::unique(cliques.begin(), cliques.end()), cliques.end());
    std::vector<std::vector<std::uint32_t>> cliques_of(graph.size());
    for (std::uint32_t c = 0; c < cliques.size(); ++c) {
        for (const std::uint32_t v : cliques[c]) cliques_of[v].push_back(c);
    }
    std::vector<std::vector<std::uint32_t>> kept;
    for (std::uint32_t c = 0; c < cliques.size(); ++c) {
        const auto &clique = cliques[c];
        const std::uint32_t rarest =
            *std::min_element(clique.begin(), clique.end(), [&](std::uint32_t a, std::uint32_t b) {
                return cliques_of[a].size() < cliques_of[b].size();
            });
        const auto &candidates = cliques_of[rarest];
        const bool contained =
            std::any_of(candidates.begin(), candidates.end(), [&](std::uint32_t other) {
                return other != c && cliques[other].size() > clique.size() &&
                       std::includes(cliques[other].begin(), cliques[other].end(), clique.begin(),
                                     clique.end());
            });
        if (!contained) kept.push_back(clique);
    }
    cliques = std::move(kept);
}

class NodeGraph {
  public:
    NodeGraph(const Theory &theory, std::span<const Table> tables, const Remainder &rest)
        : theory_(theory), tables_(tables), rest_(rest),
          vertex_of_(theory.variable_limit(), nothing),
          inside_table_(theory.variable_limit(), false), is_value_(theory.variable_limit(), false) {
        for (std::uint32_t t = 0; t < tables.size(); ++t) add_table(t);
        for (Var var = 1; var < theory.variable_limit(); ++var) {
            if (is_left(var)) add_variable(var);
        }
        for (const Table &table : tables) add_rows(table);
        for (const std::uint32_t clause : rest.clauses) add_clause(clause);
        drop_contained_cliques(graph_);
        std::sort(arcs_.begin(), arcs_.end());
        arcs_.erase(std::unique(arcs_.begin(), arcs_.end()), arcs_.end());
    }

    const CliqueGraph &graph() const { return graph_; }
    // Pairs of a parent and a table with rows that mention it.
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> &arcs() const { return arcs_; }

    // The decisions of an elimination order, backwards.
    std::vector<Decision> decisions(std::span<const std::uint32_t> elimination) const {
        std::vector<Decision> result;
        for (std::size_t i = elimination.size(); i-- > 0;) {
            result.push_back(decision_of_[elimination[i]]);
        }
        return result;
    }

  private:
    bool is_open(Lit lit) const { return rest_.is_open[lit.var()]; }
    bool is_left(Var var) const {
        return rest_.is_open[var] && !inside_table_[var] && vertex_of_[var] == nothing;
    }

    std::uint32_t add_vertex(const Decision &decision, std::size_t values) {
        decision_of_.push_back(decision);
        graph_.weight.push_back(std::log2(static_cast<double>(std::max<std::size_t>(values, 2))));
        return graph_.size() - 1;
    }

    void add_table(std::uint32_t index) {
        const Table &table = tables_[index];
        const auto open = std::count_if(table.values.begin(), table.values.end(),
                                        [&](Lit v) { return is_open(v); });
        if (!table.rows.empty()) {
            for (const Lit value : table.values) is_value_[value.var()] = true;
            find_gates(table);
        }
        if (open == 0) return; // its value is known, or nothing asks for it
        const bool other = !table.complete || static_cast<std::size_t>(open) < table.values.size();
        const std::uint32_t vertex = add_vertex({Decision::Kind::table, index},
                                                static_cast<std::size_t>(open) + (other ? 1 : 0));
        for (const Lit value : table.values) {
            if (is_open(value)) vertex_of_[value.var()] = vertex;
        }
    }

    // Marks the gates between a table's values and the literals of its rows.
    void find_gates(const Table &table) {
        if (owned_begin_.empty()) index_definitions();
        std::vector<Var> open;
        std::vector<bool> &seen = inside_table_;
        std::vector<Var> stops;
        for (const auto &row : table.rows) {
            for (const Lit lit : row) stops.push_back(lit.var());
        }
        for (const Lit value : table.values) stops.push_back(value.var());
        std::sort(stops.begin(), stops.end());
        for (const Lit value : table.values) open.push_back(value.var());
        while (!open.empty()) {
            const Var var = open.back();
            open.pop_back();
            for (std::uint32_t i = owned_begin_[var]; i < owned_begin_[var + 1]; ++i) {
                for (const Lit lit : theory_.clause(owned_[i])) {
                    const Var next = lit.var();
                    if (seen[next] || theory_.choice_of(next) != nothing ||
                        std::binary_search(stops.begin(), stops.end(), next)) {
                        continue;
                    }
                    seen[next] = true;
                    open.push_back(next);
                }
            }
        }
    }

    void index_definitions() {
        owned_begin_.assign(theory_.variable_limit() + 1, 0);
        for (std::size_t c = 0; c < theory_.clause_count(); ++c) {
            ++owned_begin_[theory_.owner(c) + 1];
        }
        std::partial_sum(owned_begin_.begin(), owned_begin_.end(), owned_begin_.begin());
        owned_.resize(theory_.clause_count());
        std::vector<std::uint32_t> next(owned_begin_.begin(), owned_begin_.end() - 1);
        for (std::uint32_t c = 0; c < theory_.clause_count(); ++c) {
            owned_[next[theory_.owner(c)]++] = c;
        }
    }

    void add_variable(Var var) {
        const std::uint32_t choice = theory_.choice_of(var);
        if (choice == nothing) {
            vertex_of_[var] = add_vertex({Decision::Kind::variable, var}, 2);
            return;
        }
        const auto &outcomes = theory_.choices()[choice].outcomes;
        const auto possible = std::count_if(outcomes.begin(), outcomes.end(), [&](Lit outcome) {
            return !rest_.is_false[outcome.code()];
        });
        const std::uint32_t vertex =
            add_vertex({Decision::Kind::choice, choice}, static_cast<std::size_t>(possible));
        for (const Lit outcome : outcomes) vertex_of_[outcome.var()] = vertex;
    }

    void add_clique(std::vector<std::uint32_t> vertices) {
        std::sort(vertices.begin(), vertices.end());
        vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
        if (!vertices.empty()) graph_.cliques.push_back(std::move(vertices));
    }

    // Whether a row can still matter: not if it is excluded, nor if nothing needs its random variables.
    bool matters(const std::vector<Lit> &row) const {
        const bool excluded = std::any_of(row.begin(), row.end(),
                                          [&](Lit lit) { return rest_.is_false[lit.code()]; });
        return !excluded && std::any_of(row.begin(), row.end(), [&](Lit lit) {
            return theory_.choice_of(lit.var()) != nothing && is_open(lit);
        });
    }

    void add_rows(const Table &table) {
        const auto value = std::find_if(table.values.begin(), table.values.end(),
                                        [&](Lit lit) { return is_open(lit); });
        const std::uint32_t own = value == table.values.end() ? nothing : vertex_of_[value->var()];
        for (const auto &row : table.rows) {
            if (!matters(row)) continue;
            std::vector<std::uint32_t> vertices;
            if (own != nothing) vertices.push_back(own);
            for (const Lit lit : row) {
                const std::uint32_t parent = vertex_of_[lit.var()];
                if (parent == nothing) continue;
                vertices.push_back(parent);
                if (own != nothing) arcs_.emplace_back(parent, own);
            }
            add_clique(std::move(vertices));
        }
    }

    void add_clause(std::uint32_t clause) {
        const Var owner = theory_.owner(clause);
        const bool of_table = owner != 0 && is_value_[owner];
        if (owner != 0 && (inside_table_[owner] || of_table)) return;
        std::vector<std::uint32_t> vertices;
        for (const Lit lit : theory_.clause(clause)) {
            if (is_open(lit) && vertex_of_[lit.var()] != nothing) {
                vertices.push_back(vertex_of_[lit.var()]);
            }
        }
        add_clique(std::move(vertices));
    }

    const Theory &theory_;
    std::span<const Table> tables_;
    const Remainder &rest_;
    CliqueGraph graph_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs_;
    std::vector<Decision> decision_of_;    // by vertex
    std::vector<std::uint32_t> vertex_of_; // by variable, or `nothing`
    std::vector<bool> inside_table_;       // by variable: a gate between rows and values
    std::vector<bool> is_value_;           // by variable: of a table with rows
    std::vector<std::uint32_t> owned_begin_;
    std::vector<std::uint32_t> owned_;
};

// The part of a graph without vertices that are in one clique only.
struct Core {
    CliqueGraph graph;
    std::vector<std::uint32_t> vertices; // by vertex of the core: that of the graph
    std::vector<std::uint32_t> outer;    // the others
    std::vector<std::pair<std::uint32_t, std::uint32_t>> arcs; // as those of NodeGraph
};

Core core_of(const NodeGraph &nodes) {
    const CliqueGraph &whole = nodes.graph();
    std::vector<std::uint32_t> cliques(whole.size(), 0);
    for (const auto &clique : whole.cliques) {
        for (const std::uint32_t v : clique) ++cliques[v];
    }
    Core core;
    std::vector<std::uint32_t> number(whole.size(), nothing);
    for (std::uint32_t v = 0; v < whole.size(); ++v) {
        if (cliques[v] < 2) {
            core.outer.push_back(v);
            continue;
        }
        number[v] = core.graph.size();
        core.vertices.push_back(v);
        core.graph.weight.push_back(whole.weight[v]);
    }
    for (const auto &clique : whole.cliques) {
        std::vector<std::uint32_t> inner;
        for (const std::uint32_t v : clique) {
            if (number[v] != nothing) inner.push_back(number[v]);
        }
        if (inner.size() > 1) core.graph.cliques.push_back(std::move(inner));
    }
    std::sort(core.graph.cliques.begin(), core.graph.cliques.end());
    core.graph.cliques.erase(std::unique(core.graph.cliques.begin(), core.graph.cliques.end()),
                             core.graph.cliques.end());
    for (const auto &[parent, table] : nodes.arcs()) {
        if (number[parent] != nothing && number[table] != nothing) {
            core.arcs.emplace_back(number[parent], number[table]);
        }
    }
    return core;
}

// An elimination order of the whole graph from one of its core.
std::vector<std::uint32_t> extended(const Core &core, std::span<const std::uint32_t> order) {
    std::vector<std::uint32_t> result = core.outer;
    for (const std::uint32_t v : order) result.push_back(core.vertices[v]);
    return result;
}

// An order in which tables come after their parents, by depth first search.
Positions parents_first(const Core &core) {
    std::vector<std::vector<std::uint32_t>> parents(core.graph.size());
    for (const auto &[parent, table] : core.arcs) parents[table].push_back(parent);
    Positions position(core.graph.size(), nothing);
    std::uint32_t next = 0;
    std::vector<std::pair<std::uint32_t, std::size_t>> stack; // vertex, next parent
    std::vector<bool> seen(core.graph.size(), false);
    for (std::uint32_t root = 0; root < core.graph.size(); ++root) {
        if (seen[root]) continue;
        seen[root] = true;
        stack.emplace_back(root, 0);
        while (!stack.empty()) {
            auto &[vertex, index] = stack.back();
            if (index == parents[vertex].size()) {
                position[vertex] = next++;
                stack.pop_back();
                continue;
            }
            const std::uint32_t parent = parents[vertex][index++];
            if (seen[parent]) continue;
            seen[parent] = true;
            stack.emplace_back(parent, 0);
        }
    }
    return position;
}

// The cheapest arrangement of the core in a line. Among those of about the same cost, the one with the most tables after
// their parents gives the smallest circuit.
Elimination line_over_nodes(const Core &core, const Elimination &elimination) {
    constexpr double same_cost = 0.5;
    Hypergraph graph;
    for (std::uint32_t v = 0; v < core.graph.size(); ++v) graph.add_vertex();
    for (const auto &clique : core.graph.cliques) graph.add_edge(clique);
    std::vector<Positions> lines = starting_positions(graph);
    lines.push_back(parents_first(core));
    Positions reversed(core.graph.size());
    for (std::uint32_t i = 0; i < reversed.size(); ++i) {
        reversed[elimination.order[reversed.size() - 1 - i]] = i;
    }
    lines.push_back(std::move(reversed));
    const std::size_t starts = lines.size();
    for (std::size_t i = 0; i < starts; ++i) {
        Positions pulled = lines[i];
        pull_together(graph, pulled);
        lines.push_back(std::move(pulled));
    }
    struct Candidate {
        Elimination elimination;
        std::size_t forward = 0; // arcs whose parent is decided first
    };
    std::vector<Candidate> candidates;
    double least = no_cost_bound;
    for (const Positions &line : lines) {
        std::vector<std::uint32_t> order(line.size()); // eliminated from the end of the line
        for (std::uint32_t v = 0; v < line.size(); ++v) order[line.size() - 1 - line[v]] = v;
        const auto forward = static_cast<std::size_t>(
            std::count_if(core.arcs.begin(), core.arcs.end(),
                          [&](const auto &arc) { return line[arc.first] < line[arc.second]; }));
        for (const std::size_t arcs : {forward, core.arcs.size() - forward}) {
            const double cost = elimination_cost(core.graph, order, least + same_cost);
            least = std::min(least, cost);
            candidates.push_back({{order, cost}, arcs});
            std::reverse(order.begin(), order.end());
        }
    }
    const auto is_better = [&](const Candidate &a, const Candidate &b) {
        const bool a_cheap = a.elimination.cost <= least + same_cost;
        const bool b_cheap = b.elimination.cost <= least + same_cost;
        if (a_cheap != b_cheap) return a_cheap;
        return a.forward != b.forward ? a.forward > b.forward
                                      : a.elimination.cost < b.elimination.cost;
    };
    return std::min_element(candidates.begin(), candidates.end(), is_better)->elimination;
}

} // namespace

NodeOrders find_node_orders(const Theory &theory, std::span<const Table> tables,
                            const Remainder &rest, const NodeOrderCosts &costs) {
    constexpr std::uint32_t most_filled = 600;
    constexpr std::uint64_t random_runs = 12;
    const NodeGraph nodes(theory, tables, rest);
    const Core core = core_of(nodes);
    const auto order_of = [&](const Elimination &elimination) -> std::optional<Order> {
        const auto whole = extended(core, elimination.order);
        const double cost = elimination_cost(nodes.graph(), whole, costs.bound);
        if (!(cost < costs.bound)) return std::nullopt;
        return Order{{}, nodes.decisions(whole), cost};
    };
    NodeOrders orders;
    Elimination best = min_weight_order(core.graph, costs.bound);
    if (best.order.size() < core.graph.size()) return orders;
    if (core.graph.size() <= most_filled) {
        for (std::uint64_t seed = 0; seed <= random_runs; ++seed) {
            if (seed > 0 && best.cost >= costs.other) break;
            Elimination found = min_fill_order(core.graph, seed);
            if (found.cost < best.cost) best = std::move(found);
        }
        if (best.cost < costs.other) orders.line = order_of(line_over_nodes(core, best));
    }
    orders.elimination = order_of(best);
    return orders;
}

} // namespace neurasp::circuit
