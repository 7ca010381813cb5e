// Every setting of an experiment as JSON, and the fingerprint: a hash of the same JSON without the settings that do
// not influence weights.
#include "protocol/experiment_json.hpp"

#include "data/experiment_keys.hpp"
#include "protocol/json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace neurasp::protocol {

namespace {

// The word that the experiment file uses for the value of an enum.
template <class Enum> std::string word(std::string_view key, Enum value) {
    return data::words_of(data::find_experiment_key(key)->words)
        .at(static_cast<std::size_t>(value));
}

// Settings that are not given are left out.
void add(Json &json, const char *key, const data::FileReference &file) {
    if (!file.empty()) json[key] = file.written;
}

void add(Json &json, const char *key, const data::InlineText &text) {
    if (!text.text.empty()) json[key] = text.text;
}

void add(Json &json, const char *key, const std::string &text) {
    if (!text.empty()) json[key] = text;
}

Json layers_json(const std::vector<data::LayerSpec> &layers) {
    Json json = Json::array();
    for (const data::LayerSpec &layer : layers) {
        Json one = {{"kind", layer.kind}};
        for (const auto &[name, number] : layer.numbers) one[name] = number;
        json.push_back(std::move(one));
    }
    return json;
}

Json network_json(const data::NetworkSettings &network) {
    Json json = Json::object();
    add(json, "preset", network.spec.preset);
    if (!network.spec.numbers.empty()) json["numbers"] = network.spec.numbers;
    if (!network.spec.layers.empty()) json["layers"] = layers_json(network.spec.layers);
    add(json, "script", network.script);
    json["logits"] = network.spec.logits;
    json["train"] = network.train;
    if (!network.class_weights.empty()) json["class_weights"] = network.class_weights;
    add(json, "weights", network.weights);
    const data::OptimizerSettings &optimizer = network.optimizer;
    json["optimizer"] = {{"kind", word("networks.<name>.optimizer.kind", optimizer.kind)},
                         {"learning_rate", optimizer.learning_rate},
                         {"beta1", optimizer.beta1},
                         {"beta2", optimizer.beta2},
                         {"weight_decay", optimizer.weight_decay},
                         {"momentum", optimizer.momentum}};
    json["schedule"] = {{"kind", word("networks.<name>.schedule.kind", network.schedule.kind)},
                        {"every", network.schedule.every},
                        {"factor", network.schedule.factor},
                        {"warmup", network.schedule.warmup}};
    return json;
}

std::string reference_text(const data::ArrayReference &reference) {
    const std::string column = reference.column.empty() ? "#" : reference.column;
    const std::string tile = reference.tile ? "," + std::to_string(*reference.tile) : "";
    return reference.array + "[" + column + tile + "]";
}

Json example_json(const data::ExampleSettings &example) {
    Json json = Json::object();
    if (!example.columns.empty()) json["columns"] = example.columns;
    add(json, "observation", example.observation);
    add(json, "observation_file", example.observation_file);
    json["inputs"] = Json::object();
    for (const data::InputSettings &input : example.inputs) {
        json["inputs"][input.terms] = reference_text(input.source);
    }
    json["labels"] = Json::object();
    for (const data::LabelSettings &label : example.labels) {
        json["labels"][label.network + "(" + label.terms + ")"] =
            label.source ? reference_text(*label.source) : label.text.text;
    }
    return json;
}

Json array_json(const data::ArraySettings &array) {
    Json json = {{"file", array.file.written},
                 {"scale", array.scale},
                 {"mean", array.mean},
                 {"deviation", array.deviation},
                 {"channels_first", array.channels_first},
                 {"colors", word("splits.<split>.arrays.<array>.colors", array.colors)}};
    if (!array.tiles.empty()) json["tiles"] = array.tiles;
    if (array.trim) json["trim"] = true;
    add(json, "member", array.member);
    if (!array.columns.empty()) json["columns"] = array.columns;
    if (!array.augment.is_none()) {
        json["augment"] = {{"shift", array.augment.shift},
                           {"rotate", array.augment.rotate},
                           {"scale", array.augment.scale},
                           {"noise", array.augment.noise}};
    }
    return json;
}

Json split_json(const data::SplitSettings &split) {
    Json json = Json::object();
    add(json, "table", split.table);
    if (split.separator) json["separator"] = std::string(1, *split.separator);
    if (split.header) json["header"] = *split.header;
    if (split.rest_in_last) json["rest_in_last"] = true;
    if (split.rows) {
        const std::string end = split.rows->end ? std::to_string(*split.rows->end) : "";
        json["rows"] = std::to_string(split.rows->begin) + ":" + end;
    }
    add(json, "rows_file", split.rows_file);
    json["arrays"] = Json::object();
    for (const data::ArraySettings &array : split.arrays)
        json["arrays"][array.name] = array_json(array);
    return json;
}

Json training_json(const data::TrainingSettings &training) {
    return {{"method", word("training.method", training.method)},
            {"samples", training.samples},
            {"k", training.k},
            {"alpha", training.alpha},
            {"label_smoothing", training.label_smoothing},
            {"batch_size", training.batch_size},
            {"accumulate", training.accumulate},
            {"epochs", training.epochs},
            {"optimal", training.optimal},
            {"gradient", word("training.gradient", training.gradient)},
            {"clip", training.clip},
            {"threads", training.threads},
            {"shuffle", training.shuffle},
            {"circuits", training.circuits.written},
            {"compile_seconds", training.compile_seconds},
            {"checkpoint_every", training.checkpoint_every},
            {"evaluate_every", training.evaluate_every},
            {"evaluate_batches", training.evaluate_batches},
            {"stop_after", training.stop_after},
            {"best", training.best},
            {"patience", training.patience}};
}

Json evaluation_json(const data::EvaluationSettings &evaluation) {
    Json json = {{"batch_size", evaluation.batch_size},
                 {"log_probability", evaluation.log_probability},
                 {"time_limit", evaluation.time_limit},
                 {"one_by_one", evaluation.one_by_one},
                 {"metrics", Json::array()},
                 {"queries", Json::array()},
                 {"constraints", Json::array()}};
    for (const data::LabelMetric metric : evaluation.metrics) {
        json["metrics"].push_back(word("evaluation.metrics", metric));
    }
    for (const data::QuerySettings &query : evaluation.queries) {
        json["queries"].push_back({{"name", query.name}, {"query", query.query.text}});
    }
    for (const data::ConstraintSettings &set : evaluation.constraints) {
        Json one = {{"name", set.name}};
        add(one, "file", set.file);
        add(one, "text", set.text);
        json["constraints"].push_back(std::move(one));
    }
    return json;
}

Json settings_json(const data::Experiment &experiment) {
    Json json = Json::object();
    for (const data::FileReference &program : experiment.programs) {
        json["program"].push_back(program.written);
    }
    add(json, "program_text", experiment.program_text);
    json["output"] = experiment.output.written;
    json["seed"] = experiment.seed;
    json["networks"] = Json::object();
    for (const data::NetworkSettings &network : experiment.networks) {
        json["networks"][network.spec.name] = network_json(network);
    }
    json["rules"] = {{"learning_rate", experiment.rules.learning_rate}};
    json["example"] = example_json(experiment.example);
    json["splits"] = Json::object();
    for (const data::SplitSettings &split : experiment.splits) {
        json["splits"][split.name] = split_json(split);
    }
    json["training"] = training_json(experiment.training);
    json["evaluation"] = evaluation_json(experiment.evaluation);
    return json;
}

bool needs_epochs(const data::NetworkSettings &network) {
    return network.schedule.kind == data::ScheduleKind::cosine && network.schedule.every == 0;
}

} // namespace

std::string experiment_json(const data::Experiment &experiment) {
    return line(settings_json(experiment));
}

std::string fingerprint(const data::Experiment &experiment) {
    Json json = settings_json(experiment);
    json.erase("output");
    json["splits"].erase("test");
    Json &training = json["training"];
    // Evaluations influence the weights only where they decide which ones are kept.
    if (experiment.training.best.empty()) {
        json.erase("evaluation");
        json["splits"].erase("validation");
        training.erase("evaluate_every");
        training.erase("evaluate_batches");
    }
    const data::TrainingMethod method = experiment.training.method;
    if (method != data::TrainingMethod::sampling) training.erase("samples");
    if (method != data::TrainingMethod::top_k) training.erase("k");
    for (const char *key :
         {"threads", "circuits", "compile_seconds", "checkpoint_every", "stop_after", "patience"}) {
        training.erase(key);
    }
    const auto &networks = experiment.networks;
    if (std::none_of(networks.begin(), networks.end(), needs_epochs)) training.erase("epochs");

    // 64-bit FNV-1a, twice with different offsets.
    const std::string text = line(json);
    std::string result;
    for (std::uint64_t hash : {0xcbf29ce484222325U, 0x9ae16a3b2f90404fU}) {
        for (const char c : text) {
            hash ^= static_cast<unsigned char>(c);
            hash *= 0x100000001b3U;
        }
        for (int shift = 60; shift >= 0; shift -= 4) {
            result += "0123456789abcdef"[(hash >> static_cast<unsigned>(shift)) & 15U];
        }
    }
    return result;
}

} // namespace neurasp::protocol
