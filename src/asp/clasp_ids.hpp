// Our atoms and literals translated into clasp's: `ids` holds clasp's atom for each of ours.
//
// Invariant: every literal is about an atom of the program or of a group, so its atom has an id.
#pragma once

#include "asp/clingo_abi.hpp"
#include "asp/ground_program.hpp"
#include "base/assert.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace neurasp::asp {

inline clingo_literal_t translate(Literal literal, std::span<const std::uint32_t> ids) {
    NEURASP_ASSERT(literal.atom().value > 0 && literal.atom().index() < ids.size(),
                   "a literal is about an atom of the program or of a group");
    const auto atom = static_cast<clingo_literal_t>(ids[literal.atom().index()]);
    return literal.positive() ? atom : -atom;
}

std::vector<clingo_literal_t> translate(std::span<const Literal> literals,
                                        std::span<const std::uint32_t> ids);
std::vector<clingo_atom_t> translate(std::span<const AtomId> atoms,
                                     std::span<const std::uint32_t> ids);

} // namespace neurasp::asp
