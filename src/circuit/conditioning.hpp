// Conditions a circuit: rules out inputs, drops variables whose outcome is given, and keeps only what costs least.
//
// A family of observations shares one circuit, in which the differences between the observations are variables
// (training/family.hpp). The circuit of one observation is then found in microseconds.
#pragma once

#include "circuit/circuit.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace neurasp::circuit {

// Scratch memory for one circuit; one thread at a time.
class Conditioner {
  public:
    // The random variables from `kept` on are dropped. Requires: the circuit is smooth and has no free atoms.
    Conditioner(std::shared_ptr<const Circuit> circuit, std::uint32_t kept);

    struct Evidence {
        // By input, of which `one` and the constants do not count. Requires: exactly one outcome of each dropped
        // variable is possible.
        std::span<const std::uint8_t> possible;
        // By input, `levels` numbers each, the most important first; only assignments of least cost are kept.
        std::span<const std::int64_t> costs;
        std::size_t levels = 0;
    };
    // A smooth circuit over the variables that are kept. Cost: the nodes that possible inputs lead to.
    Circuit run(const Evidence &evidence);

  private:
    struct Visit {
        std::uint32_t stamp = 0; // of the run that reached the node
        bool possible = false;
        NodeId node;
    };
    using Cost = std::span<std::int64_t>;

    bool allows(const Edge &edge, const Evidence &evidence) const;
    void reach(const Evidence &evidence);
    void rebuild(NodeId id, const Evidence &evidence, Circuit &result);
    void rebuild_sum(NodeId id, const Evidence &evidence, Circuit &result);
    void rebuild_product(NodeId id, const Evidence &evidence, Circuit &result);
    NodeId product_of(Circuit &result) const;
    Edge moved(const Edge &edge, Circuit &result) const;
    Cost cost_of(NodeId id) { return std::span(costs_).subspan(id.index() * levels_, levels_); }
    // The cost of an edge, in `edge_cost_`.
    void weigh(const Edge &edge, const Evidence &evidence);

    std::shared_ptr<const Circuit> circuit_;
    Signature signature_;
    std::uint32_t first_dropped_ = 0; // input
    std::vector<Visit> visits_;       // by node
    std::uint32_t stamp_ = 0;
    std::vector<std::uint32_t> reached_; // nodes
    std::size_t levels_ = 0;
    std::vector<std::int64_t> costs_; // by node, `levels_` each
    std::vector<std::int64_t> edge_cost_;
    std::vector<Edge> edges_;
};

} // namespace neurasp::circuit
