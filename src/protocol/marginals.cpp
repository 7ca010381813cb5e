// The probability of every atom and random variable given the observation.
#include "protocol/answer_parts.hpp"
#include "protocol/answers.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

Json to_json(const MarginalsAnswer &answer) {
    Json object = {{"probability", number(answer.probability.value)},
                   {"log_probability", number(answer.probability.log)}};
    if (!answer.how.exact) object["bounds"] = bounds(answer.probability);
    add_how(object, answer.how);
    // Appended without a search for the key: there may be many atoms, and no two are equal.
    Json atoms = Json::object();
    for (const auto &[atom, value] : answer.atoms) {
        atoms.get_ref<Json::object_t &>().emplace_back(atom, number(value));
    }
    object["atoms"] = std::move(atoms);
    object["variables"] = Json::array();
    for (const VariableMarginal &variable : answer.variables) {
        object["variables"].push_back({{"name", variable.name},
                                       {"atoms", variable.atoms},
                                       {"values", numbers(variable.values)}});
    }
    return object;
}

} // namespace neurasp::protocol
