// A run's history as JSON text and back.
#include "protocol/history_json.hpp"

#include "neurasp/diagnostic.hpp"

#include <nlohmann/json.hpp>

// nlohmann finds these only in the namespace of the types.
namespace neurasp::runs {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Metric, name, value, is_share)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Evaluation, split, examples, metrics, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PhaseSeconds, data, network, symbolic, compile)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EpochRecord, epoch, batches, examples, loss,
                                   mean_log_probability, impossible, seconds, evaluations,
                                   learning_rates)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(EarlyEvaluation, batch, epoch, evaluation)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LossPoint, batch, loss, examples_per_second)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(BestEvaluation, metric, value, is_share, batch, epoch, since,
                                   judged)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Confusion, split, network, outcomes, counts)

// Written by hand because the last two may be missing.
void to_json(nlohmann::json &json, const History &history) {
    json = {{"epochs", history.epochs},
            {"early", history.early},
            {"points", history.points},
            {"impossible_examples", history.impossible_examples}};
    if (history.best) json["best"] = *history.best;
    if (!history.confusions.empty()) json["confusions"] = history.confusions;
}

void from_json(const nlohmann::json &json, History &history) {
    json.at("epochs").get_to(history.epochs);
    json.at("early").get_to(history.early);
    json.at("points").get_to(history.points);
    json.at("impossible_examples").get_to(history.impossible_examples);
    if (json.contains("best")) history.best = json.at("best").get<BestEvaluation>();
    if (!json.contains("confusions")) return;
    json.at("confusions").get_to(history.confusions);
    for (const Confusion &confusion : history.confusions) {
        const std::size_t size = confusion.outcomes.size();
        if (size > 65535 || confusion.counts.size() != size * size) {
            throw std::length_error("counts do not fit outcomes");
        }
    }
}

} // namespace neurasp::runs

namespace neurasp::protocol {

namespace {

// JSON has no infinity and no NaN: they are written as null. Reading them as 0 keeps the checkpoint readable.
void nulls_to_zero(nlohmann::json &json) {
    if (json.is_null()) json = 0.0;
    if (!json.is_structured()) return;
    for (auto &part : json) nulls_to_zero(part);
}

} // namespace

std::string history_to_json(const runs::History &history) {
    return nlohmann::json(history).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

runs::History history_from_json(std::string_view json) {
    try {
        // our own text is shallow; any other could be too deep for recursion
        constexpr int most_depth = 16;
        auto parsed = nlohmann::json::parse(json, [](int depth, auto, const auto &) {
            if (depth > most_depth) throw std::length_error("too deep");
            return true;
        });
        nulls_to_zero(parsed);
        return parsed.get<runs::History>();
    } catch (const std::exception &) { // from the parser, or too deep
        Diagnostic diagnostic;
        diagnostic.code = "checkpoint";
        diagnostic.message = "the checkpoint's history cannot be read";
        throw InputError(std::move(diagnostic));
    }
}

} // namespace neurasp::protocol
