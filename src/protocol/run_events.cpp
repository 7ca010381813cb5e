// The events of a run, one line of JSON each.
#include "protocol/run_events.hpp"

#include "protocol/run_parts.hpp"

#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace neurasp::protocol {

namespace {

Json by_name(const std::vector<std::pair<std::string, double>> &values) {
    Json json = Json::object();
    for (const auto &[name, value] : values) json[name] = number(value);
    return json;
}

// A configuration that is not JSON stays a text.
Json configuration(const std::string &text) {
    Json json = Json::parse(text, nullptr, false);
    return json.is_discarded() ? Json(text) : json;
}

} // namespace

std::string start_event(const runs::RunSummary &run, std::string_view time) {
    Json networks = Json::object();
    for (const auto &[name, description] : run.networks) networks[name] = description;
    return line({{"event", "start"},
                 {"time", time},
                 {"title", run.title},
                 {"epochs_done", run.history.epochs.size()},
                 {"networks", std::move(networks)},
                 {"configuration", configuration(run.configuration_json)}});
}

std::string batch_event(const runs::LossPoint &point) {
    return line({{"event", "batch"},
                 {"batch", point.batch},
                 {"loss", number(point.loss)},
                 {"examples_per_second", number(point.examples_per_second)}});
}

std::string epoch_event(const runs::EpochRecord &record) {
    return line({{"event", "epoch"},
                 {"epoch", record.epoch},
                 {"batches", record.batches},
                 {"examples", record.examples},
                 {"loss", number(record.loss)},
                 {"mean_log_probability", number(record.mean_log_probability)},
                 {"impossible", record.impossible},
                 {"seconds", seconds_json(record.seconds)},
                 {"learning_rates", by_name(record.learning_rates)}});
}

std::string evaluation_event(std::size_t epoch, std::uint64_t batch,
                             const runs::Evaluation &evaluation) {
    return line({{"event", "evaluation"},
                 {"epoch", epoch},
                 {"batch", batch},
                 {"split", evaluation.split},
                 {"examples", evaluation.examples},
                 {"seconds", evaluation.seconds},
                 {"metrics", metrics_json(evaluation.metrics)}});
}

std::string warning_event(std::string_view code, std::string_view message) {
    return line({{"event", "warning"}, {"code", code}, {"message", message}});
}

std::string end_event(const runs::RunSummary &run, std::string_view time) {
    Json rules = Json::object();
    for (const auto &[rule, outcomes] : run.rules) rules[rule] = by_name(outcomes);
    return line({{"event", "end"},
                 {"time", time},
                 {"seconds", run.seconds},
                 {"epochs", run.history.epochs.size()},
                 {"finished", run.finished},
                 {"rules", std::move(rules)}});
}

} // namespace neurasp::protocol
