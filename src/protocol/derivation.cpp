// Derivations: steps that refer to each other by their place in the list.
#include "protocol/derivation.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

const char *kind_name(StepKind kind) {
    switch (kind) {
    case StepKind::fact: return "fact";
    case StepKind::outcome: return "outcome";
    case StepKind::external: return "external";
    case StepKind::rule: return "rule";
    case StepKind::choice: return "choice";
    case StepKind::disjunction: return "disjunction";
    case StepKind::constraint: return "constraint";
    case StepKind::other: return "other_outcome";
    case StepKind::underivable: return "underivable";
    case StepKind::blocked: return "blocked";
    case StepKind::circular: return "circular";
    }
    return "";
}

Json links_json(const std::vector<DerivationLink> &links) {
    Json list = Json::array();
    for (const DerivationLink &link : links) {
        list.push_back(
            {{"literal", link.literal}, {"step", link.step ? Json(*link.step) : Json()}});
    }
    return list;
}

Json step_json(const DerivationStep &step) {
    Json object = {{"literal", step.literal}, {"kind", kind_name(step.kind)}};
    if (!step.rule.empty()) {
        object["rule"] = step.rule;
        object["body"] = links_json(step.body);
    }
    if (!step.blocked.empty()) {
        object["blocked"] = Json::array();
        for (const BlockedRule &rule : step.blocked) {
            object["blocked"].push_back(
                {{"rule", rule.rule}, {"because", links_json(rule.because)}});
        }
        object["more_blocked"] = step.more_blocked;
    }
    if (!step.outcome.empty()) {
        object["variable"] = step.variable;
        object["outcome"] = step.outcome;
        object["probability"] = number(step.probability);
    }
    return object;
}

} // namespace

Json to_json(const Derivation &derivation) {
    Json steps = Json::array();
    for (const DerivationStep &step : derivation.steps) steps.push_back(step_json(step));
    Json object = {{"query", links_json(derivation.query)},
                   {"observation", links_json(derivation.observation)},
                   {"steps", std::move(steps)},
                   {"left_out", derivation.left_out}};
    if (!derivation.note.empty()) object["note"] = derivation.note;
    return object;
}

} // namespace neurasp::protocol
