// Reads the files and texts that options name.
#include "cli/inputs.hpp"

#include "base/suggest.hpp"
#include "base/text_file.hpp"
#include "cli/clingo_habits.hpp"
#include "cli/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace neurasp::cli {

namespace {

void declare_logits(NetworkOutputs &outputs, const std::string &network) {
    if (outputs.table().contains(network)) {
        outputs.declare_logits(network);
        return;
    }
    std::vector<std::string> networks;
    for (const auto &[name, entries] : outputs.table()) networks.push_back(name);
    const auto close = base::closest_name(network, networks);
    throw UsageError(fmt::format("--logits {}: no outputs of this network are given{}", network,
                                 close ? fmt::format("; did you mean '{}'?", *close) : ""));
}

} // namespace

void check_program_files(const Options &options) {
    for (const std::string &file : options.files) {
        if (is_number_of_models(file)) {
            throw UsageError(fmt::format("'{}' is not a program", file), clingo_hint("-n"));
        }
        if (file.ends_with(".json")) {
            throw UsageError(fmt::format("'{}' is not a program", file),
                             fmt::format("network outputs are given with -p {}", file));
        }
        if (file.ends_with(".toml")) {
            throw UsageError(fmt::format("'{}' is not a program", file),
                             "one experiment file alone is for check, train, evaluate and predict");
        }
    }
}

void check_networks(const Options &options) {
    if (options.inputs.empty() || !options.networks.empty()) return;
    throw UsageError("--input needs a network to run on it",
                     "give --net NETWORK=FILE as well, or outputs with -p instead");
}

void check_standard_input(const Options &options) {
    const auto uses = [](const std::vector<std::string> &paths) {
        return std::count(paths.begin(), paths.end(), "-");
    };
    if (uses(options.files) + uses(options.observation_files) + uses(options.output_files) +
            uses({options.observation_set}) >
        1) {
        throw UsageError("standard input (-) can be read only once");
    }
}

std::string display_name(const std::string &path) { return path == "-" ? "<stdin>" : path; }

std::string read_text(const std::string &path) {
    return path == "-" ? base::read_text(*stdin, display_name(path)) : base::read_text_file(path);
}

std::vector<Observation> read_observations(const Options &options) {
    std::vector<Observation> texts;
    for (const std::string &text : options.observations) {
        const std::string number =
            options.observations.size() == 1 ? "" : fmt::format(" {}", texts.size() + 1);
        texts.push_back({text, {}, fmt::format("<observe{}>", number)});
    }
    for (const std::string &path : options.observation_files) {
        texts.push_back({read_text(path), {}, display_name(path)});
    }
    return texts;
}

void add_outputs(const NetworkOutputs &more, NetworkOutputs &outputs) {
    for (const auto &[network, entries] : more.table()) {
        for (const auto &[terms, entry] : entries) {
            outputs.set(network, terms, entry.values, entry.kind, entry.origin);
        }
    }
}

NetworkOutputs read_outputs(const Options &options) {
    NetworkOutputs merged;
    for (const std::string &path : options.output_files) {
        add_outputs(NetworkOutputs::from_json(read_text(path), display_name(path)), merged);
    }
    for (const std::string &network : options.logits) {
        const auto runs = [&](const std::string &text) { return text.starts_with(network + "="); };
        const bool live = std::any_of(options.networks.begin(), options.networks.end(), runs);
        if (!live) declare_logits(merged, network);
    }
    return merged;
}

} // namespace neurasp::cli
