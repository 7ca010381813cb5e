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
    // Made from the rules that `rules` marks; from all of them if it is empty.
    DependencyGraph(const GroundProgram &program, Edges edges, const std::vector<bool> &rules);

    std::span<const std::uint32_t> successors(std::uint32_t atom) const {
        return std::span(targets_).subspan(begin_[atom], begin_[atom + 1] - begin_[atom]);
    }
    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(begin_.size() - 1); }

    // The number of each atom's component; a component has a larger number than those it depends on.
    // Cost: linear; does not recurse.
    std::vector<std::uint32_t> components() const;

  private:
    std::vector<std::size_t> begin_;
    std::vector<std::uint32_t> targets_;
};

} // namespace neurasp::asp
