// Literals that name a network but none of its atoms: a misspelt outcome, an event that does not exist,
// too few or too many arguments, the paper's `m(i,t)=v`. clingo would silently take them as false.
#pragma once

#include "language/atom_index.hpp"
#include "language/statement.hpp"

#include <set>

namespace neurasp::language {

// Warns of such literals in `statement`. `constants` are the multi-valued ones, for which `=` has a
// meaning. What only grounding can tell (variables, arithmetic, #const) is passed over.
void check_network_uses(const SourceMap &sources, const Statement &statement,
                        const AtomIndex &index, const std::set<Signature> &constants,
                        int event_base, Reporter &reporter);

} // namespace neurasp::language
