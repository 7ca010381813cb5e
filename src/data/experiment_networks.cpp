// The networks of an experiment file: where each comes from and how it learns.
#include "data/experiment_section.hpp"

namespace neurasp::data {

namespace {

// Refuses a key that is given, differs from its default and has no effect: its author expects one.
void refuse_unused(ExperimentContext &context, const Section &section, std::string_view key,
                   double fallback, std::string_view kind) {
    const TomlValue *value = section.given(key);
    if (value == nullptr || value->number == fallback) return;
    context.add("unused-key", value->at,
                "'" + std::string(key) + "' has no effect if the kind is '" + std::string(kind) +
                    "'",
                "leave it out, or choose another kind");
}

// Adds an error if the table lacks a number above 0 that `what` needs.
void require(ExperimentContext &context, const TomlValue *table, std::string_view what,
             std::string_view key) {
    const TomlEntry *entry = table->find(key);
    if (entry != nullptr && entry->value.number > 0) return;
    context.add("missing-key", entry == nullptr ? table->at : entry->value.at,
                std::string(what) + " needs '" + std::string(key) + "' above 0");
}

OptimizerSettings read_optimizer(ExperimentContext &context, const Section &section,
                                 const TomlValue *given) {
    OptimizerSettings settings;
    const OptimizerSettings defaults;
    settings.kind = section.word<OptimizerKind>("kind");
    settings.learning_rate = section.number("learning_rate");
    settings.beta1 = section.number("beta1");
    settings.beta2 = section.number("beta2");
    settings.weight_decay = section.number("weight_decay");
    settings.momentum = section.number("momentum");
    if (settings.kind != OptimizerKind::sgd) {
        const bool is_adam = settings.kind == OptimizerKind::adam;
        refuse_unused(context, section, "momentum", defaults.momentum, is_adam ? "adam" : "adamw");
        if (!is_adam) require(context, given, "the optimizer 'adamw'", "weight_decay");
    } else {
        refuse_unused(context, section, "beta1", defaults.beta1, "sgd");
        refuse_unused(context, section, "beta2", defaults.beta2, "sgd");
    }
    return settings;
}

ScheduleSettings read_schedule(ExperimentContext &context, const Section &section,
                               const TomlValue *given) {
    ScheduleSettings settings;
    const ScheduleSettings defaults;
    settings.kind = section.word<ScheduleKind>("kind");
    settings.every = section.count("every");
    settings.factor = section.number("factor");
    settings.warmup = section.count("warmup");
    if (given == nullptr) return settings;
    switch (settings.kind) {
    case ScheduleKind::constant:
        refuse_unused(context, section, "every", 0, "constant");
        refuse_unused(context, section, "factor", defaults.factor, "constant");
        break;
    case ScheduleKind::step:
        require(context, given, "the schedule 'step'", "every");
        require(context, given, "the schedule 'step'", "factor");
        break;
    case ScheduleKind::exponential:
        require(context, given, "the schedule 'exponential'", "factor");
        refuse_unused(context, section, "every", 0, "exponential");
        break;
    case ScheduleKind::cosine:
        refuse_unused(context, section, "factor", defaults.factor, "cosine");
        break;
    }
    return settings;
}

LayerSpec read_layer(const ExperimentContext &context, const TomlValue &table) {
    LayerSpec layer;
    layer.location = context.locate(table.at);
    for (const TomlEntry &entry : table.entries) {
        if (entry.key == "kind") {
            layer.kind = entry.value.text;
        } else {
            const bool is_boolean = entry.value.kind == TomlKind::boolean;
            layer.numbers[entry.key] =
                is_boolean ? (entry.value.boolean ? 1.0 : 0.0) : entry.value.number;
        }
    }
    return layer;
}

NetworkSettings read_network(ExperimentContext &context, const TomlEntry &entry) {
    const Section section(context, &entry.value, "networks.<name>");
    NetworkSettings network;
    network.spec.name = entry.key;
    network.spec.location = context.locate(entry.at);
    network.spec.preset = section.text("preset").text;
    if (const TomlValue *numbers = section.given("numbers")) {
        for (const TomlEntry &number : numbers->entries) {
            network.spec.numbers[number.key] = number.value.number;
        }
        if (network.spec.preset.empty()) {
            context.add("unused-key", numbers->at, "'numbers' has no effect without a preset",
                        "leave it out, or choose a preset");
        }
    }
    network.script = section.file("script");
    network.spec.script = network.script.path;
    for (const TomlValue &layer : section.items("layers")) {
        network.spec.layers.push_back(read_layer(context, layer));
    }
    const TomlValue *layers = section.given("layers");
    if (layers != nullptr && network.spec.layers.empty()) {
        context.add("value-range", layers->at, "a network needs at least one layer");
    }
    network.spec.logits = section.boolean("logits");
    network.train = section.boolean("train");
    for (const TomlValue &item : section.items("class_weights")) {
        network.class_weights.push_back(item.number);
    }
    network.weights = section.file("weights");
    network.optimizer =
        read_optimizer(context, section.table("optimizer"), section.given("optimizer"));
    network.schedule = read_schedule(context, section.table("schedule"), section.given("schedule"));
    return network;
}

} // namespace

std::vector<NetworkSettings> read_networks(ExperimentContext &context, const Section &root) {
    std::vector<NetworkSettings> networks;
    for (const TomlEntry &entry : root.entries("networks")) {
        networks.push_back(read_network(context, entry));
    }
    return networks;
}

} // namespace neurasp::data
