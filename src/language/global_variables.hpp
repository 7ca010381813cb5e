// The global variables of a query: those that tell its ground instances apart.
#pragma once

#include "language/program.hpp"
#include "language/statement.hpp"

namespace neurasp::language {

// The variables outside of the braces of aggregates and outside of conditional literals, which have variables
// of their own; `_` is never one. A place of a global variable may be anywhere in the query, also inside
// an aggregate.
EachQuery each_query(const SourceMap &sources, const Statement &query);

} // namespace neurasp::language
