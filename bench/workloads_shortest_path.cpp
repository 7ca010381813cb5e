// The paper's shortest path on a 4x4 grid (4.4): p simple path, r reachable, o least edges, nr no removed
// edges. Edges are numbered as in the data set of Xu et al.; ends and removed edges are those of its row
// 145. With _ev, the ends are outcomes of a second network.
#include "workload_support.hpp"

#include <array>
#include <limits>
#include <numeric>

namespace neurasp::bench {

namespace {

constexpr int nodes = 16;
constexpr std::array<int, 2> ends{5, 15};
constexpr std::array<int, 8> removed{5, 15, 1, 14, 21, 2, 18, 0};

struct Rules {
    bool reachable = false;
    bool least = false;
    bool removed = false;
};

// Horizontal edges row by row, then vertical ones column by column.
std::vector<std::pair<int, int>> edges() {
    std::vector<std::pair<int, int>> result;
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 3; ++column) {
            result.emplace_back(4 * row + column, 4 * row + column + 1);
        }
    }
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) {
            result.emplace_back(4 * row + column, 4 * row + column + 4);
        }
    }
    return result;
}

// Searches all sets of edges that satisfy the constraints, edge by edge.
class PathSearch {
  public:
    PathSearch(Rules rules, const std::vector<double> &rows, int first_end, int last_end)
        : rules_(rules), rows_(rows), first_end_(first_end), degree_(nodes, 0) {
        for (const int end : {first_end, last_end}) ++degree_[static_cast<std::size_t>(end)];
        last_edge_.resize(nodes);
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            for (const int node : {edges_[e].first, edges_[e].second}) {
                last_edge_[static_cast<std::size_t>(node)] = e;
            }
        }
        decide(0, 1.0);
    }

    double probability() const { return sum_; }

  private:
    void decide(std::size_t e, double mass) {
        if (e == edges_.size()) {
            accept(mass);
            return;
        }
        const auto from = static_cast<std::size_t>(edges_[e].first);
        const auto to = static_cast<std::size_t>(edges_[e].second);
        const auto go_on = [&](double p) {
            const bool loose = (last_edge_[from] == e && degree_[from] == 1) ||
                               (last_edge_[to] == e && degree_[to] == 1);
            if (!loose) decide(e + 1, mass * p);
        };
        go_on(rows_[2 * e + 1]);
        if (degree_[from] == 2 || degree_[to] == 2 || (rules_.removed && is_removed(e))) return;
        ++degree_[from];
        ++degree_[to];
        taken_.push_back(e);
        go_on(rows_[2 * e]);
        taken_.pop_back();
        --degree_[from];
        --degree_[to];
    }

    static bool is_removed(std::size_t e) {
        for (const int other : removed) {
            if (static_cast<std::size_t>(other) == e) return true;
        }
        return false;
    }

    void accept(double mass) {
        if (rules_.reachable && !connected()) return;
        if (rules_.least && taken_.size() > least_) return;
        if (rules_.least && taken_.size() < least_) {
            least_ = taken_.size();
            sum_ = 0.0;
        }
        sum_ += mass;
    }

    // Whether all edges belong to the component of the ends.
    bool connected() const {
        std::array<std::size_t, nodes> parent{};
        std::iota(parent.begin(), parent.end(), std::size_t{0});
        const auto root = [&](int node) {
            auto i = static_cast<std::size_t>(node);
            while (parent[i] != i) i = parent[i];
            return i;
        };
        for (const std::size_t e : taken_) parent[root(edges_[e].first)] = root(edges_[e].second);
        for (const std::size_t e : taken_) {
            if (root(edges_[e].first) != root(first_end_)) return false;
        }
        return true;
    }

    std::vector<std::pair<int, int>> edges_ = edges();
    Rules rules_;
    const std::vector<double> &rows_;
    int first_end_;
    std::vector<int> degree_; // including the edge outside the grid that joins the ends
    std::vector<std::size_t> last_edge_;
    std::vector<std::size_t> taken_;
    std::size_t least_ = std::numeric_limits<std::size_t>::max();
    double sum_ = 0.0;
};

std::string program(const Rules &rules) {
    std::string text = "nn(sp(24,g),[true,false]).\n";
    const auto all = edges();
    for (std::size_t e = 0; e < all.size(); ++e) {
        text += "sp(" + std::to_string(all[e].first) + "," + std::to_string(all[e].second) +
                ") :- sp(" + std::to_string(e) + ",g,true).\n";
    }
    text += "sp(X,Y) :- sp(Y,X).\n";
    if (rules.reachable) {
        text += "reachable(X,Y) :- sp(X,Y).\nreachable(X,Y) :- reachable(X,Z), sp(Z,Y).\n";
    }
    if (rules.removed) {
        for (const int e : removed) text += "removed(" + std::to_string(e) + ").\n";
    }
    if (rules.least) text += ":~ sp(X,g,true). [1,X]\n";
    return text;
}

Workload fixed_ends(const Rules &rules) {
    Workload workload;
    workload.program = program(rules);
    for (const int end : ends) {
        workload.program += "sp(external," + std::to_string(end) + ").\n";
    }
    workload.observation =
        ":- X=0..15, #count{Y: sp(X,Y)} = 1.\n:- X=0..15, #count{Y: sp(X,Y)} >= 3.\n";
    if (rules.reachable) workload.observation += ":- sp(X,A), sp(Y,B), not reachable(X,Y).\n";
    if (rules.removed) workload.observation += ":- sp(X,g,true), removed(X).\n";
    workload.calls = {{"sp", "g", 24, {"true", "false"}}};
    workload.optimal = rules.least;
    workload.enumerable = true;
    workload.probability = [rules](const NetworkOutputs &outputs) {
        return PathSearch(rules, values(outputs, "sp", "g"), ends[0], ends[1]).probability();
    };
    return workload;
}

Workload ends_as_inputs(const Rules &rules) {
    Workload workload = fixed_ends(rules);
    workload.program = program(rules) + "nn(end(2,g)," + outcome_list(number_outcomes(0, 15)) +
                       ").\nsp(external,N) :- end(I,g,N).\n";
    const std::vector<Call> path = workload.calls;
    workload.calls.push_back({"end", "g", 2, number_outcomes(0, 15)});
    workload.enumerable = false;
    workload.draw = [path](std::uint64_t seed) {
        NetworkOutputs outputs = random_outputs(path, seed);
        RandomStream random(~seed);
        const int first = random.below(nodes);
        const int last = (first + 1 + random.below(nodes - 1)) % nodes;
        std::vector<double> rows(2 * nodes, 0.0);
        rows[static_cast<std::size_t>(first)] = 1.0;
        rows[nodes + static_cast<std::size_t>(last)] = 1.0;
        return outputs.set("end", "g", rows);
    };
    workload.probability = [rules](const NetworkOutputs &outputs) {
        const auto &rows = values(outputs, "end", "g");
        double sum = 0.0;
        for (int first = 0; first < nodes; ++first) {
            for (int last = 0; last < nodes; ++last) {
                const double mass = rows[static_cast<std::size_t>(first)] *
                                    rows[nodes + static_cast<std::size_t>(last)];
                if (first == last || mass == 0.0) continue;
                sum +=
                    mass * PathSearch(rules, values(outputs, "sp", "g"), first, last).probability();
            }
        }
        return sum;
    };
    return workload;
}

} // namespace

std::optional<Workload> make_shortest_path(std::string_view name) {
    if (name == "sp_p") return fixed_ends({});
    if (name == "sp_pr") return fixed_ends({.reachable = true});
    if (name == "sp_pro") return fixed_ends({.reachable = true, .least = true});
    if (name == "sp_pronr") return fixed_ends({.reachable = true, .least = true, .removed = true});
    if (name == "sp_p_ev") return ends_as_inputs({});
    if (name == "sp_pr_ev") return ends_as_inputs({.reachable = true});
    return std::nullopt;
}

} // namespace neurasp::bench
