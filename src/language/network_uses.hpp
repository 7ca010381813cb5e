// Literals that name a network but none of its atoms: a misspelt outcome, an event that does not exist,
// too few or too many arguments, a comparison other than `m(i,t)=v`. clingo would accept them silently.
#pragma once

#include "language/constants.hpp"
#include "language/statement.hpp"

namespace neurasp::language {

// Warns of such literals in `statement`. Multi-valued constants are left out, and so is everything that only
// grounding can decide (variables, arithmetic, #const).
void check_network_uses(const SourceMap &sources, const Statement &statement,
                        const ValuedTerms &known, int event_base, Reporter &reporter);

} // namespace neurasp::language
