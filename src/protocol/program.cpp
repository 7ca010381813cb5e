// Facts about a program: summaries, checks, statistics, generated text.
#include "protocol/answers.hpp"
#include "protocol/diagnostics.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

std::string_view coherence_name(Coherence coherence) {
    switch (coherence) {
    case Coherence::coherent: return "coherent";
    case Coherence::incoherent: return "incoherent";
    case Coherence::unknown: break;
    }
    return "unknown";
}

} // namespace

Json to_json(const ProgramSummary &summary) {
    return {{"neural_rules", summary.neural_rules},
            {"probabilistic_rules", summary.probabilistic_rules},
            {"random_variables", summary.random_variables},
            {"log10_total_choices", number(summary.log10_total_choices)},
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

Json to_json(const CoherenceAnswer &answer) {
    const bool incoherent = answer.coherence == Coherence::incoherent;
    return {{"result", coherence_name(answer.coherence)},
            {"witness", incoherent ? Json(answer.witness) : Json()}};
}

Json to_json(const ConsistencyAnswer &answer) {
    // null: a limit ended the search for a model
    const auto known = [&](bool found) { return found || answer.how.exact ? Json(found) : Json(); };
    return {{"choice", answer.choice},
            {"satisfies_program", known(answer.satisfies_program)},
            {"satisfies_observation", known(answer.satisfies_observation)}};
}

Json check_json(std::span<const Diagnostic> diagnostics, const ProgramSummary &summary,
                const std::optional<CoherenceAnswer> &coherence,
                const std::optional<ConsistencyAnswer> &argmax) {
    Json object = {
        {"ok", true}, {"diagnostics", to_json(diagnostics)}, {"summary", to_json(summary)}};
    if (coherence) object["coherence"] = to_json(*coherence);
    if (argmax) object["argmax"] = to_json(*argmax);
    return object;
}

Json ground_json(std::string_view format, const std::string &text) {
    return {{"format", format}, {"text", text}};
}

Json stats_json(const HowAnswered &how, const Times &times, const ProgramSummary &summary) {
    Json object = {{"engine", how.engine},
                   {"models_seen", how.models_seen},
                   {"solver_calls", how.solver_calls},
                   {"seconds",
                    {{"reading", times.reading},
                     {"grounding", times.grounding},
                     {"answering", times.answering}}},
                   {"program", to_json(summary)}};
    if (!how.why.empty()) object["detail"] = how.why;
    return object;
}

} // namespace neurasp::protocol
