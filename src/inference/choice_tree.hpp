// Lists of total choices as circuits.
//
// The choices are sorted and become a tree of decisions. Variables on which all choices of a branch agree are factors of
// one product, so a single choice is one product node. Equal branches are shared, so the circuit is a decision diagram
// (an ordered one, with products), and its size depends on the order of the variables.
//
// Invariant: choices are sorted and different, and those below a node agree on all variables before it.
#pragma once

#include "circuit/circuit_builder.hpp"
#include "inference/random_variable.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::inference {

class ChoiceTree {
  public:
    // `order`: the variables in the order of decisions.
    ChoiceTree(circuit::Signature signature, std::vector<std::uint32_t> order)
        : builder_(std::move(signature)), order_(std::move(order)) {}

    // Requires: choices differ.
    circuit::Circuit run(std::vector<TotalChoice> choices) &&;

  private:
    using Choices = std::span<const TotalChoice>;
    circuit::CircuitBuilder::Node add(Choices choices, std::size_t depth);
    circuit::CircuitBuilder::Node branch(Choices choices, std::size_t depth);

    circuit::CircuitBuilder builder_;
    std::vector<std::uint32_t> order_;
};

} // namespace neurasp::inference
