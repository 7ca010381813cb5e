// Finds the atoms of queries. A query that is asked for each instance has one ground atom
// `__neurasp_query(K,values)` for each of them that grounding could not rule out.
#include "inference/query_instances.hpp"

#include <algorithm>

namespace neurasp::inference {

namespace {

struct Instance {
    AtomId atom;
    std::vector<Symbol> values;
};

std::vector<Instance> instances_of(const Grounding &grounding, const language::EachQuery &query) {
    const Symbol number = Symbol::number(static_cast<int>(query.number));
    std::vector<Instance> instances;
    for (const AtomId atom : grounding.rules().named_atoms()) {
        const Symbol symbol = *grounding.rules().symbol(atom);
        if (symbol.name() != language::query_helper) continue;
        std::vector<Symbol> arguments = symbol.arguments();
        if (arguments.size() != query.variables.size() + 1 || arguments.front() != number) continue;
        arguments.erase(arguments.begin());
        instances.push_back({atom, std::move(arguments)});
    }
    std::sort(instances.begin(), instances.end(), [](const Instance &a, const Instance &b) {
        return std::lexicographical_compare(a.values.begin(), a.values.end(), b.values.begin(),
                                            b.values.end());
    });
    return instances;
}

// The query's text with values in the places of its variables.
std::string filled(const std::string &text, const language::EachQuery &query,
                   const std::vector<std::string> &values) {
    std::string result;
    std::size_t copied = 0;
    for (const language::EachQuery::Place &place : query.places) {
        const std::string &value = values[place.variable];
        result.append(text, copied, place.span.begin - copied);
        const bool parentheses = place.in_arithmetic && value.starts_with('-');
        result += parentheses ? "(" + value + ")" : value;
        copied = place.span.end;
    }
    return result.append(text, copied);
}

void add_instances(const Grounding &grounding, const std::string &text,
                   const language::EachQuery &query, ScopeQueries &result) {
    const std::vector<Instance> instances = instances_of(grounding, query);
    for (const Instance &instance : instances) {
        std::vector<std::string> values;
        for (const Symbol value : instance.values) values.push_back(value.text());
        ScopeQuery found{filled(text, query, values), instance.atom, text, {}};
        for (std::size_t v = 0; v < values.size(); ++v) {
            found.bindings.emplace_back(query.variables[v], std::move(values[v]));
        }
        result.list.push_back(std::move(found));
    }
    result.each.push_back({text, instances.size()});
}

} // namespace

ScopeQueries find_queries(const Grounding &grounding, const std::vector<Query> &queries,
                          std::uint32_t first, std::span<const language::EachQuery> each) {
    ScopeQueries result;
    std::size_t next = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
        const auto number = first + static_cast<std::uint32_t>(q);
        if (queries[q].each) {
            add_instances(grounding, queries[q].text, each[next++], result);
        } else {
            result.list.push_back(
                {queries[q].text, grounding.helper(language::query_helper, number)});
        }
    }
    return result;
}

} // namespace neurasp::inference
