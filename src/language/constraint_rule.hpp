// Rules without a positive head atom: `:- b.`, `not a.`, `not a | X < 3 :- b(X).`, `1 { not a; not b }.`
//
// Such a rule derives nothing and only forbids models: it is strongly equivalent to a constraint with the
// negated head in its body.
#pragma once

#include "language/edits.hpp"
#include "language/statement.hpp"

#include <string>

namespace neurasp::language {

// Whether the rule derives nothing. The result is arbitrary for heads that clingo does not accept.
bool is_constraint(const SourceMap &sources, const Statement &statement);

// Turns such a rule, in place, into `head :- not Head, Body.`
void lower_constraint(const SourceMap &sources, const Statement &statement, const std::string &head,
                      Edits &edits);

} // namespace neurasp::language
