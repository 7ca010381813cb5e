// Why a query is as probable as it is.
#include "protocol/answer_parts.hpp"
#include "protocol/answers.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

Json reason_json(const Reason &reason) {
    Json outcomes = Json::array();
    for (const ReasonOutcome &outcome : reason.outcomes) {
        outcomes.push_back({{"variable", outcome.variable},
                            {"atom", outcome.atom},
                            {"probability", number(outcome.probability)}});
    }
    return {{"outcomes", std::move(outcomes)},
            {"probability", number(reason.probability.value)},
            {"log_probability", number(reason.probability.log)},
            {"share", number(reason.share)},
            {"certainty", number(reason.certainty)}};
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
    return object;
}

} // namespace neurasp::protocol
