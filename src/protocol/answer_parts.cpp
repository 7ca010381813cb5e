#include "protocol/answer_parts.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

Json numbers(const std::vector<double> &values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(number(value));
    return list;
}

Json bounds(const Interval &interval) {
    return {{"lower", number(interval.lower.value)}, {"upper", number(interval.upper.value)}};
}

void add_interval(Json &object, const char *key, const char *bounds_key, const Interval &interval) {
    object[key] = number(interval.lower.value);
    if (!interval.exact) object[bounds_key] = bounds(interval);
}

void add_mass(Json &object, const Interval *mass) {
    const bool known = mass != nullptr && mass->exact;
    object["mass"] = known ? number(mass->lower.value) : Json();
    if (mass != nullptr && !mass->exact) object["mass_bounds"] = bounds(*mass);
}

void add_info(Json &object, const AnswerInfo &info) {
    object["exact"] = info.exact;
    object["engine"] = info.engine;
    if (!info.note.empty()) object["note"] = info.note;
}

} // namespace neurasp::protocol
