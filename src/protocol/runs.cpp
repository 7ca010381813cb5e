// The results of training, evaluation and prediction.
#include "protocol/runs.hpp"

#include "protocol/answer_parts.hpp"
#include "protocol/answers.hpp"
#include "protocol/run_parts.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

Json epoch_json(const runs::EpochRecord &record) {
    Json evaluations = Json::array();
    for (const auto &evaluation : record.evaluations) evaluations.push_back(to_json(evaluation));
    return {{"epoch", record.epoch},
            {"loss", number(record.loss)},
            {"mean_log_probability", number(record.mean_log_probability)},
            {"examples", record.examples},
            {"impossible", record.impossible},
            {"seconds", seconds_json(record.seconds)},
            {"evaluations", std::move(evaluations)}};
}

// A row for each expected outcome.
Json confusion_json(const runs::Confusion &confusion) {
    const std::size_t size = confusion.outcomes.size();
    Json rows = Json::array();
    for (std::size_t expected = 0; expected < size; ++expected) {
        Json row = Json::array();
        for (std::size_t concluded = 0; concluded < size; ++concluded) {
            row.push_back(confusion.count(expected, concluded));
        }
        rows.push_back(std::move(row));
    }
    return {{"outcomes", confusion.outcomes}, {"counts", std::move(rows)}};
}

Json best_json(const std::optional<runs::BestEvaluation> &best) {
    if (!best || best->metric.empty()) return {};
    return {{"metric", best->metric},
            {"value", number(best->value)},
            {"epoch", best->epoch},
            {"batch", best->batch}};
}

Json call_json(const runs::SamplePrediction::Picture &call) {
    return {{"outcomes", call.prediction},
            {"probability", number(call.probability)},
            {"label", call.label.empty() ? Json() : Json(call.label)}};
}

} // namespace

Json metrics_json(const std::vector<runs::Metric> &metrics) {
    Json object = Json::object();
    for (const runs::Metric &metric : metrics) object[metric.name] = number(metric.value);
    return object;
}

Json seconds_json(const runs::PhaseSeconds &seconds) {
    return {{"data", seconds.data},
            {"network", seconds.network},
            {"symbolic", seconds.symbolic},
            {"compile", seconds.compile}};
}

Json to_json(const runs::Evaluation &evaluation) {
    Json json = {{"split", evaluation.split},
                 {"examples", evaluation.examples},
                 {"metrics", metrics_json(evaluation.metrics)},
                 {"seconds", evaluation.seconds}};
    for (const runs::Confusion &confusion : evaluation.confusions) {
        json["confusions"][confusion.network] = confusion_json(confusion);
    }
    return json;
}

Json to_json(const runs::TrainingResult &result, const std::string &output) {
    Json epochs = Json::array();
    for (const runs::EpochRecord &record : result.history.epochs) {
        epochs.push_back(epoch_json(record));
    }
    return {{"output", output},
            {"interrupted", result.interrupted},
            {"finished", result.finished},
            {"seconds", result.seconds},
            {"epochs", std::move(epochs)},
            {"best", best_json(result.history.best)}};
}

std::string rules_document(std::span<const runs::LearnedRule> rules) {
    Json list = Json::array();
    for (const runs::LearnedRule &rule : rules) {
        list.push_back({{"rule", rule.rule},
                        {"name", rule.name},
                        {"atoms", rule.atoms},
                        {"probabilities", rule.probabilities}});
    }
    return list.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json to_json(const runs::SamplePrediction &prediction) {
    Json networks = Json::object();
    for (const auto &call : prediction.pictures) networks[call.terms] = call_json(call);
    return {{"name", prediction.name},
            {"observation", prediction.observation},
            {"networks", std::move(networks)},
            {"expected", prediction.expected},
            {"atoms", prediction.atoms ? Json(*prediction.atoms) : Json()},
            {"right", prediction.judged ? Json(prediction.right) : Json()}};
}

Json predictions_json(const std::string &split, Json examples) {
    return {{"split", split}, {"examples", std::move(examples)}};
}

Json predict_json(std::span<const Guess> networks, const ModelsAnswer &best,
                  const std::optional<ProbabilityAnswer> &answer) {
    Json object = {{"networks", Json::object()},
                   {"models", Json::array()},
                   {"proven", best.how.exact},
                   {"probability", answer ? number(answer->probability.value) : Json()},
                   {"queries", Json::object()}};
    for (const Guess &guess : networks) {
        for (const auto &[outcome, probability] : guess.outcomes) {
            object["networks"][guess.call][outcome] = number(probability);
        }
    }
    for (const StableModel &model : best.models) object["models"].push_back(to_json(model));
    if (!answer) return object;
    for (const QueryAnswer &query : answer->queries) {
        object["queries"][query.query] =
            query.conditional ? number(query.conditional->value) : Json();
    }
    object["exact"] = answer->how.exact;
    if (answer->how.exact) return object;
    object["bounds"] = bounds(answer->probability);
    object["query_bounds"] = Json::object();
    for (const QueryAnswer &query : answer->queries) {
        object["query_bounds"][query.query] =
            query.conditional ? bounds(*query.conditional) : Json();
    }
    if (!answer->how.limit.empty()) object["note"] = answer->how.limit;
    return object;
}

} // namespace neurasp::protocol
