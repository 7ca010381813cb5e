// The derivatives of log P(O).
#include "protocol/answer_parts.hpp"
#include "protocol/answers.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

std::string_view convention_name(GradientConvention convention) {
    return convention == GradientConvention::plain ? "plain" : "proposition1";
}

Json gradient_json(const VariableGradient &variable) {
    return {{"name", variable.name},
            {"atoms", variable.atoms},
            {"values", numbers(variable.values)},
            {"learnable", variable.learnable}};
}

} // namespace

Json to_json(const GradientAnswer &answer, GradientConvention convention,
             std::string_view undefined) {
    Json object = {{"log_probability", answer.defined ? number(answer.probability.log) : Json()},
                   {"probability", number(answer.probability.value)}};
    if (!answer.how.exact) object["bounds"] = bounds(answer.probability);
    add_how(object, answer.how);
    object["convention"] = convention_name(convention);
    if (!answer.defined) {
        object["gradients"] = nullptr;
        object["undefined"] = undefined;
        return object;
    }
    object["gradients"] = Json::array();
    for (const VariableGradient &variable : answer.variables) {
        object["gradients"].push_back(gradient_json(variable));
    }
    return object;
}

} // namespace neurasp::protocol
