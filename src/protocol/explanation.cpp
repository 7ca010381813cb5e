// Why a query is as probable as it is.
#include "protocol/answer_parts.hpp"
#include "protocol/answers.hpp"
#include "protocol/derivation.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

Json outcome_json(const ReasonOutcome &outcome) {
    return {{"variable", outcome.variable},
            {"atom", outcome.atom},
            {"probability", number(outcome.probability)}};
}

Json outcomes_json(const std::vector<ReasonOutcome> &outcomes) {
    Json list = Json::array();
    for (const ReasonOutcome &outcome : outcomes) list.push_back(outcome_json(outcome));
    return list;
}

Json derivation_json(const std::optional<Derivation> &derivation) {
    return derivation ? to_json(*derivation) : Json();
}

Json reason_json(const Reason &reason) {
    return {{"outcomes", outcomes_json(reason.outcomes)},
            {"probability", number(reason.probability.value)},
            {"log_probability", number(reason.probability.log)},
            {"share", number(reason.share)},
            {"certainty", number(reason.certainty)},
            {"exact", reason.exact},
            {"derivation", derivation_json(reason.derivation)}};
}

void add_reasons(Json &object, const ExplanationAnswer &answer) {
    object["reasons"] = Json::array();
    for (const Reason &reason : answer.reasons) object["reasons"].push_back(reason_json(reason));
    object["disjoint"] = answer.disjoint;
    object["truncated"] = answer.truncated;
}

void add_models(Json &object, const ExplanationAnswer &answer) {
    const auto model = [](const std::optional<StableModel> &found) {
        return found ? to_json(*found) : Json();
    };
    object["with_query"] = model(answer.with_query);
    object["without_query"] = model(answer.without_query);
    object["models_known"] = answer.models_known;
    object["only_with"] = answer.only_with;
    object["only_without"] = answer.only_without;
    object["why"] = derivation_json(answer.why);
    object["why_not"] = derivation_json(answer.why_not);
    object["changes"] = Json::array();
    for (const OutcomeChange &change : answer.changes) {
        object["changes"].push_back(
            {{"with", outcome_json(change.with)}, {"without", outcome_json(change.without)}});
    }
}

Json conflict_json(const std::optional<Conflict> &conflict) {
    if (!conflict) return {};
    return {{"probability", number(conflict->probability.value)},
            {"log_probability", number(conflict->probability.log)},
            {"outcomes", outcomes_json(conflict->outcomes)},
            {"derivation", to_json(conflict->derivation)}};
}

} // namespace

Json to_json(const ExplanationAnswer &answer) {
    Json object = {{"query", answer.query}};
    if (answer.probability) {
        add_probability(object, "probability", "bounds", *answer.probability);
    } else {
        object["probability"] = nullptr;
    }
    add_probability(object, "observation", "observation_bounds", answer.observation);
    add_how(object, answer.how);
    if (!answer.note.empty()) object["note"] = answer.note;
    add_reasons(object, answer);
    add_models(object, answer);
    object["conflict"] = conflict_json(answer.conflict);
    return object;
}

} // namespace neurasp::protocol
