// P(O) and P(q | O), with bounds and estimates from samples.
#include "protocol/answer_parts.hpp"
#include "protocol/answers.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

Json estimate_json(const Probability &estimate) {
    return {{"value", number(estimate.value)},
            {"lower", number(estimate.lower)},
            {"upper", number(estimate.upper)}};
}

Json sampled_json(const ProbabilityAnswer &answer, const SampledProbability &sampled) {
    Json object = {{"samples", sampled.samples},
                   {"confidence", sampled.confidence},
                   {"probability", estimate_json(sampled.probability)},
                   {"queries", Json::array()}};
    for (std::size_t q = 0; q < answer.queries.size(); ++q) {
        const auto &conditional = sampled.conditional[q];
        object["queries"].push_back(
            {{"query", answer.queries[q].query},
             {"probability", conditional ? estimate_json(*conditional) : Json()},
             {"joint", estimate_json(sampled.joint[q])}});
    }
    return object;
}

// Null if there is nothing.
void add_optional(Json &object, const char *key, const char *bounds_key,
                  const std::optional<Probability> &probability) {
    if (probability) return add_probability(object, key, bounds_key, *probability);
    object[key] = nullptr;
}

Json query_json(const QueryAnswer &query) {
    Json object = {{"query", query.query}};
    add_optional(object, "probability", "bounds", query.conditional);
    object["log_probability"] = query.conditional ? number(query.conditional->log) : Json();
    add_probability(object, "joint", "joint_bounds", query.joint);
    if (query.instance_of.empty()) return object;
    object["instance_of"] = query.instance_of;
    object["bindings"] = Json::object();
    for (const auto &[variable, value] : query.bindings) object["bindings"][variable] = value;
    return object;
}

} // namespace

Json to_json(const ProbabilityAnswer &answer) {
    Json object = {{"probability", number(answer.probability.value)},
                   {"log_probability", number(answer.probability.log)}};
    if (!answer.how.exact) object["bounds"] = bounds(answer.probability);
    add_mass(object, &answer.mass);
    add_optional(object, "given_consistency", "given_consistency_bounds", answer.given_consistency);
    add_how(object, answer.how);
    object["queries"] = Json::array();
    for (const QueryAnswer &query : answer.queries) object["queries"].push_back(query_json(query));
    if (!answer.each.empty()) {
        object["each"] = Json::array();
        for (const EachAnswer &each : answer.each) {
            object["each"].push_back({{"query", each.query}, {"instances", each.instances}});
        }
    }
    if (answer.sampled) object["estimate"] = sampled_json(answer, *answer.sampled);
    return object;
}

} // namespace neurasp::protocol
