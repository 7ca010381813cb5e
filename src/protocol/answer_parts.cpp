// The members that several answers share.
#include "protocol/answer_parts.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

Json numbers(const std::vector<double> &values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(number(value));
    return list;
}

Json bounds(const Probability &probability) {
    return {{"lower", number(probability.lower)}, {"upper", number(probability.upper)}};
}

void add_probability(Json &object, const char *key, const char *bounds_key,
                     const Probability &probability) {
    object[key] = number(probability.value);
    if (!probability.exact) object[bounds_key] = bounds(probability);
}

void add_mass(Json &object, const Probability *mass) {
    const bool known = mass != nullptr && mass->exact;
    object["mass"] = known ? number(mass->value) : Json();
    if (mass != nullptr && !mass->exact) object["mass_bounds"] = bounds(*mass);
}

void add_how(Json &object, const HowAnswered &how) {
    object["exact"] = how.exact;
    object["engine"] = how.engine;
    if (!how.limit.empty()) object["note"] = how.limit;
}

} // namespace neurasp::protocol
