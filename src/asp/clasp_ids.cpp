// Translates lists of atoms and literals into clasp's.
#include "asp/clasp_ids.hpp"

namespace neurasp::asp {

std::vector<clingo_literal_t> translate(std::span<const Literal> literals,
                                        std::span<const std::uint32_t> ids) {
    std::vector<clingo_literal_t> result;
    result.reserve(literals.size());
    for (const Literal literal : literals) result.push_back(translate(literal, ids));
    return result;
}

std::vector<clingo_atom_t> translate(std::span<const AtomId> atoms,
                                     std::span<const std::uint32_t> ids) {
    std::vector<clingo_atom_t> result;
    result.reserve(atoms.size());
    for (const AtomId atom : atoms) result.push_back(ids[atom.index()]);
    return result;
}

} // namespace neurasp::asp
