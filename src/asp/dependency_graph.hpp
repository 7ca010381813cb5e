// The dependency graph of a ground program (from heads to the atoms of their bodies) and its strongly
// connected components.
#pragma once

#include "asp/ground_program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::asp {

class DependencyGraph {
  public:
    enum class Edges { positive, all };
    // Rules are those that `rules` marks; all of them if it is empty.
    DependencyGraph(const GroundProgram &program, Edges edges, const std::vector<bool> &rules);

    std::span<const std::uint32_t> successors(std::uint32_t atom) const {
        return std::span(targets_).subspan(begin_[atom], begin_[atom + 1] - begin_[atom]);
    }
    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(begin_.size() - 1); }

    // The number of each atom's component; components are numbered children first.
    // Cost: linear; Tarjan's algorithm with its own stack, so depth is no limit.
    std::vector<std::uint32_t> components() const;

  private:
    std::vector<std::size_t> begin_;
    std::vector<std::uint32_t> targets_;
};

} // namespace neurasp::asp
