// Literals that name a network but none of its atoms: a misspelt outcome, an event that does not exist,
// too few or too many arguments, a comparison other than `m(i,t)=v`. clingo would take them silently.
#pragma once

#include "language/constants.hpp"
#include "language/statement.hpp"

namespace neurasp::language {

// Warns of such literals in `statement`; those of multi-valued constants are passed over, and what only
// grounding can tell (variables, arithmetic, #const).
void check_network_uses(const SourceMap &sources, const Statement &statement,
                        const ValuedTerms &known, int event_base, Reporter &reporter);

} // namespace neurasp::language
