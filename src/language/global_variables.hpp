// The global variables of a query: those that tell its ground instances apart.
#pragma once

#include "language/program.hpp"
#include "language/statement.hpp"

namespace neurasp::language {

// The variables that occur outside of aggregates and conditional literals, except `_`. The places of a global
// variable may be anywhere in the query, also inside an aggregate.
EachQuery each_query(const SourceMap &sources, const Statement &query);

} // namespace neurasp::language
