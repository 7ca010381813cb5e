#include "cli/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace neurasp::cli {

namespace {

Json position(std::uint32_t value) { return value == 0 ? Json() : Json(value); }

bool spreads(const Json &value) {
    return !value.empty() && (value.is_object() || (value.is_array() && value.front().is_object()));
}

} // namespace

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

std::string json_line(const Json &value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_member(std::string_view key, const Json &value) {
    std::string text = fmt::format("  {}: ", json_line(std::string(key)));
    if (!spreads(value)) return text + json_line(value);
    const bool object = value.is_object();
    text += object ? "{" : "[";
    bool first = true;
    for (const auto &[item_key, item] : value.items()) {
        text += first ? "\n    " : ",\n    ";
        first = false;
        if (object) text += json_line(item_key) + ": ";
        text += json_line(item);
    }
    return text + (object ? "\n  }" : "\n  ]");
}

std::string json_document(const Json &object) {
    std::string text = "{";
    bool first = true;
    for (const auto &[key, value] : object.items()) {
        text += first ? "\n" : ",\n";
        first = false;
        text += json_member(key, value);
    }
    return text + "\n}\n";
}

Json to_json(const StableModel &model) {
    Json object = {{"probability", json_number(model.probability.value)},
                   {"log_probability", json_number(model.probability.log)},
                   {"atoms", model.atoms},
                   {"cost", model.cost}};
    if (!model.probability_exact) object["probability_exact"] = false;
    return object;
}

Json to_json(const Diagnostic &diagnostic) {
    const SourceLocation &at = diagnostic.location;
    return {{"severity", to_string(diagnostic.severity)},
            {"code", diagnostic.code},
            {"message", diagnostic.message},
            {"file", at.file.empty() ? Json() : Json(at.file)},
            {"line", position(at.line)},
            {"column", position(at.column)},
            {"end_line", position(at.end_line)},
            {"end_column", position(at.end_column)},
            {"hint", diagnostic.hint.empty() ? Json() : Json(diagnostic.hint)}};
}

Json to_json(std::span<const Diagnostic> diagnostics) {
    Json list = Json::array();
    for (const Diagnostic &diagnostic : diagnostics) list.push_back(to_json(diagnostic));
    return list;
}

Json to_json(const ProgramSummary &summary) {
    return {{"neural_rules", summary.neural_rules},
            {"probabilistic_rules", summary.probabilistic_rules},
            {"random_variables", summary.random_variables},
            {"log10_total_choices", json_number(summary.log10_total_choices)},
            {"ground_atoms", summary.ground_atoms},
            {"ground_rules", summary.ground_rules},
            {"constraints", summary.constraints},
            {"weak_constraints", summary.weak_constraints},
            {"largest_scc", summary.largest_scc},
            {"tight", summary.tight},
            {"determined", summary.determined},
            {"coherent", summary.coherent},
            {"relevant_rules", summary.relevant_rules},
            {"relevant_variables", summary.relevant_variables},
            {"engines", summary.engines}};
}

Json json_bounds(const Interval &interval) {
    return {{"lower", json_number(interval.lower.value)},
            {"upper", json_number(interval.upper.value)}};
}

void add_interval(Json &object, const char *key, const char *bounds_key, const Interval &interval) {
    object[key] = json_number(interval.lower.value);
    if (!interval.exact) object[bounds_key] = json_bounds(interval);
}

void add_mass(Json &object, const Interval *mass) {
    const bool known = mass != nullptr && mass->exact;
    object["mass"] = known ? json_number(mass->lower.value) : Json();
    if (mass != nullptr && !mass->exact) object["mass_bounds"] = json_bounds(*mass);
}

void add_info(Json &object, const AnswerInfo &info) {
    object["exact"] = info.exact;
    object["engine"] = info.engine;
    if (!info.note.empty()) object["note"] = info.note;
}

} // namespace neurasp::cli
