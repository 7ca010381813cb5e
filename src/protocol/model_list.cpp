// Stable models as JSON, in pieces.
#include "protocol/model_list.hpp"

#include "protocol/answer_parts.hpp"
#include "protocol/answers.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

// "truncated" is null if it is not known whether there are more models.
Json rest_of(const std::optional<Probability> &mass, const HowAnswered &how,
             const std::optional<bool> &more) {
    Json rest = Json::object();
    add_mass(rest, mass ? &*mass : nullptr);
    add_how(rest, how);
    rest["truncated"] = more ? Json(*more) : Json();
    return rest;
}

Json rest_of(const ModelsAnswer &answer) {
    Json rest = rest_of(answer.mass, answer.how, answer.more);
    if (answer.upper_bound) {
        rest["upper_bound"] = number(answer.upper_bound->value);
        rest["log_upper_bound"] = number(answer.upper_bound->log);
    }
    return rest;
}

} // namespace

Json to_json(const StableModel &model) {
    Json object = {{"probability", number(model.probability.value)},
                   {"log_probability", number(model.probability.log)},
                   {"atoms", model.atoms},
                   {"cost", model.cost}};
    if (!model.probability.exact) object["probability_exact"] = false;
    return object;
}

std::string ModelList::model(const StableModel &model) {
    const char *before = count_++ == 0 ? "{\n  \"models\": [\n    " : ",\n    ";
    return before + line(to_json(model));
}

std::string ModelList::end(const ModelsAnswer &answer, const Json &extra) const {
    return end_with(rest_of(answer), extra);
}

std::string ModelList::end(const StreamEnd &stream, const Json &extra) const {
    return end_with(rest_of(stream.mass, stream.how, stream.more), extra);
}

std::string ModelList::end_with(Json rest, const Json &extra) const {
    std::string text = count_ == 0 ? "{\n  \"models\": []" : "\n  ]";
    rest.update(extra);
    for (const auto &[key, value] : rest.items()) text += ",\n" + member(key, value);
    return text + "\n}\n";
}

} // namespace neurasp::protocol
