// Elimination orders: greedy ones, and the cost of any.
//
// Adjacency is kept as sorted lists for orders by weight and for costs, because graphs of long programs are sparse: a
// bit matrix took a second on 2,700 vertices. Min-fill counts pairs of neighbours that are not joined, for which rows of
// bits are quicker; it is used on graphs that are small.
//
// Min-fill and random tie-breaking are from the literature on tree decompositions (Bodlaender and Koster 2010).
#include "circuit/elimination.hpp"

#include "circuit/fingerprint.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

namespace neurasp::circuit {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// log2 of a sum of powers of 2.
class LogSum {
  public:
    void add(double exponent) {
        if (exponent > top_) {
            sum_ = sum_ * std::exp2(top_ - exponent) + 1.0;
            top_ = exponent;
        } else {
            sum_ += std::exp2(exponent - top_);
        }
    }
    double value() const { return sum_ == 0.0 ? 0.0 : top_ + std::log2(sum_); }

  private:
    double top_ = 0.0;
    double sum_ = 0.0;
};

class SparseGraph {
  public:
    explicit SparseGraph(const CliqueGraph &graph)
        : weight_(graph.weight), neighbours_(graph.size()) {
        for (const auto &clique : graph.cliques) {
            for (const std::uint32_t v : clique) {
                auto &list = neighbours_[v];
                list.insert(list.end(), clique.begin(), clique.end());
            }
        }
        for (std::uint32_t v = 0; v < graph.size(); ++v) {
            auto &list = neighbours_[v];
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
            std::erase(list, v);
        }
    }

    const std::vector<std::uint32_t> &neighbours(std::uint32_t v) const { return neighbours_[v]; }
    double bag_weight(std::uint32_t v) const {
        double sum = weight_[v];
        for (const std::uint32_t u : neighbours_[v]) sum += weight_[u];
        return sum;
    }
    void eliminate(std::uint32_t v) {
        for (const std::uint32_t u : neighbours_[v]) {
            merged_.clear();
            std::set_union(neighbours_[u].begin(), neighbours_[u].end(), neighbours_[v].begin(),
                           neighbours_[v].end(), std::back_inserter(merged_));
            std::erase_if(merged_, [&](std::uint32_t w) { return w == u || w == v; });
            neighbours_[u] = merged_;
        }
    }

  private:
    const std::vector<double> &weight_;
    std::vector<std::vector<std::uint32_t>> neighbours_;
    std::vector<std::uint32_t> merged_;
};

// Adjacency as rows of bits.
class BitGraph {
  public:
    explicit BitGraph(const CliqueGraph &graph)
        : words_((graph.size() + 63) / 64), bits_(std::size_t{graph.size()} * words_, 0) {
        for (const auto &clique : graph.cliques) {
            for (const std::uint32_t v : clique) {
                for (const std::uint32_t u : clique) {
                    if (u != v) row(v)[u / 64] |= std::uint64_t{1} << (u % 64);
                }
            }
        }
    }

    // The number of pairs of neighbours that are not neighbours of each other, twice.
    std::uint64_t fill(std::uint32_t v) const {
        std::uint64_t missing = 0;
        const std::uint64_t *own = row(v);
        visit(v, [&](std::uint32_t u) {
            const std::uint64_t *other = row(u);
            for (std::size_t i = 0; i < words_; ++i) {
                missing += static_cast<std::uint64_t>(std::popcount(own[i] & ~other[i]));
            }
            --missing; // u itself
        });
        return missing;
    }
    template <typename Visitor> void visit(std::uint32_t v, Visitor visitor) const {
        const std::uint64_t *own = row(v);
        for (std::size_t i = 0; i < words_; ++i) {
            for (std::uint64_t left = own[i]; left != 0; left &= left - 1) {
                visitor(static_cast<std::uint32_t>(64 * i) +
                        static_cast<std::uint32_t>(std::countr_zero(left)));
            }
        }
    }
    void eliminate(std::uint32_t v) {
        visit(v, [&](std::uint32_t u) {
            for (std::size_t i = 0; i < words_; ++i) row(u)[i] |= row(v)[i];
            row(u)[u / 64] &= ~(std::uint64_t{1} << (u % 64));
            row(u)[v / 64] &= ~(std::uint64_t{1} << (v % 64));
        });
    }

  private:
    std::uint64_t *row(std::uint32_t v) { return bits_.data() + v * words_; }
    const std::uint64_t *row(std::uint32_t v) const { return bits_.data() + v * words_; }

    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

} // namespace

double elimination_cost(const CliqueGraph &graph, std::span<const std::uint32_t> order,
                        double bound) {
    SparseGraph rest(graph);
    LogSum sum;
    for (const std::uint32_t v : order) {
        const double bag = rest.bag_weight(v);
        if (bag > bound) return infinite;
        sum.add(bag);
        rest.eliminate(v);
    }
    return sum.value();
}

Elimination min_weight_order(const CliqueGraph &graph, double bound) {
    SparseGraph rest(graph);
    Elimination result;
    LogSum sum;
    std::set<std::pair<double, std::uint32_t>> queue;
    std::vector<double> bags(graph.size());
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
        bags[v] = rest.bag_weight(v);
        queue.emplace(bags[v], v);
    }
    while (!queue.empty()) {
        const auto [bag, v] = *queue.begin();
        queue.erase(queue.begin());
        if (bag > bound) {
            result.cost = infinite;
            return result;
        }
        sum.add(bag);
        result.order.push_back(v);
        rest.eliminate(v);
        for (const std::uint32_t u : rest.neighbours(v)) {
            queue.erase({bags[u], u});
            bags[u] = rest.bag_weight(u);
            queue.emplace(bags[u], u);
        }
    }
    result.cost = sum.value();
    return result;
}

Elimination min_fill_order(const CliqueGraph &graph, std::uint64_t seed) {
    BitGraph rest(graph);
    Elimination result;
    std::vector<std::uint64_t> fill(graph.size());
    std::vector<bool> gone(graph.size(), false);
    std::vector<bool> stale(graph.size(), true);
    const auto rank = [&](std::uint32_t v) {
        return seed == 0 ? static_cast<std::uint64_t>(graph.weight[v] * 1024.0) : mix(seed, v);
    };
    while (result.order.size() < graph.size()) {
        std::uint32_t best = graph.size();
        for (std::uint32_t v = 0; v < graph.size(); ++v) {
            if (gone[v]) continue;
            if (stale[v]) {
                fill[v] = rest.fill(v);
                stale[v] = false;
            }
            if (best == graph.size() ||
                std::pair(fill[v], rank(v)) < std::pair(fill[best], rank(best))) {
                best = v;
            }
        }
        gone[best] = true;
        result.order.push_back(best);
        rest.eliminate(best);
        // the neighbours got edges, which also count for their neighbours
        rest.visit(best, [&](std::uint32_t u) {
            stale[u] = true;
            rest.visit(u, [&](std::uint32_t w) { stale[w] = true; });
        });
    }
    result.cost = elimination_cost(graph, result.order);
    return result;
}

} // namespace neurasp::circuit
