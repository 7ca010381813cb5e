// The queries of a question in a grounding: the atoms that stand for them, and the instances of those that are
// asked for each.
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
    std::string text; // as the user wrote it; of an instance, with values for its variables
    std::optional<AtomId> atom;   // nothing: it never holds
    std::string instance_of = {}; // as in QueryAnswer
    std::vector<std::pair<std::string, std::string>> bindings = {};
};

struct ScopeQueries {
    std::vector<ScopeQuery> list;
    std::vector<EachAnswer> each;
};

// `first` is the number of the first of them; `each` tells about those with `Query::each`, in order. The
// instances of a query are sorted by their values, in clingo's order of terms.
// Cost: linear in the number of atoms if a query is asked for each instance.
ScopeQueries find_queries(const Grounding &grounding, const std::vector<Query> &queries,
                          std::uint32_t first, std::span<const language::EachQuery> each);

} // namespace neurasp::inference
