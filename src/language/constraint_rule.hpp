// Rules without a positive head atom: `:- b.`, `not a.`, `not a | X < 3 :- b(X).`, `1 { not a; not b }.`
//
// Such a rule derives nothing, it only forbids models: it is strongly equivalent to the constraint whose body
// holds the negation of its head. A disjunct `not L : C` holds if L is false for some instance of C, so its
// negation is the conditional literal `not not L : C`; a head aggregate over such literals constrains, too,
// because the choice between `not a` and `not not a` is no choice.
#pragma once

#include "language/edits.hpp"
#include "language/statement.hpp"

#include <string>

namespace neurasp::language {

// Whether the rule derives nothing. A head that clingo will refuse may be answered either way.
bool is_constraint(const SourceMap &sources, const Statement &statement);

// Turns such a rule, in place, into `head :- not Head, Body.`
void lower_constraint(const SourceMap &sources, const Statement &statement, const std::string &head,
                      Edits &edits);

} // namespace neurasp::language
