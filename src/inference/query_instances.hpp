// The queries of a question in a grounding: their atoms, and the instances of queries that are asked for each
// instance.
#pragma once

#include "inference/grounding.hpp"
#include "neurasp/question.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace neurasp::inference {

// A query that has one answer.
struct ScopeQuery {
    std::string text; // as the user wrote it, with values for the variables of an instance
    std::optional<AtomId> atom;   // nothing if it never holds
    std::string instance_of = {}; // as in QueryAnswer
    std::vector<std::pair<std::string, std::string>> bindings = {};
};

struct ScopeQueries {
    std::vector<ScopeQuery> list;
    std::vector<EachAnswer> each;
};

// `first` is the number of the first query. `each` describes the queries with `Query::each`, in order. The
// instances of a query are sorted by their values, in clingo's order of terms.
// Cost: linear in the number of atoms for each query that is asked for each instance.
ScopeQueries find_queries(const Grounding &grounding, const std::vector<Query> &queries,
                          std::uint32_t first, std::span<const language::EachQuery> each);

} // namespace neurasp::inference
