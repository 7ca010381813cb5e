// Reads labels, and explains those that do not fit their networks.
#include "runs/experiment_labels.hpp"

#include "base/counted.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

namespace neurasp::runs {

namespace {

InputError label_error(std::string message, std::string hint) {
    Diagnostic diagnostic;
    diagnostic.code = "label";
    diagnostic.message = std::move(message);
    diagnostic.hint = std::move(hint);
    return InputError(std::move(diagnostic));
}

} // namespace

std::size_t network_of(const data::DatasetLabel &label, const TrainingProgram &program) {
    const std::size_t network = program.network_index(label.network);
    if (network < program.networks().size()) return network;
    throw label_error(fmt::format("[example.labels] has '{}({})', but the program does not call a "
                                  "network '{}'",
                                  label.network, label.terms, label.network),
                      "");
}

std::vector<std::uint32_t> label_outcomes(const data::Dataset &dataset,
                                          const data::DatasetLabel &label, std::size_t example,
                                          const NetworkShape &shape) {
    const std::string &text = label.outcomes[example];
    if (text.empty()) return {};
    const auto words = data::split_outcomes(text, shape.events);
    if (!words) {
        throw label_error(fmt::format("{}: the label '{}' of {}({}) does not fit {}",
                                      dataset.example_name(example), text, label.network,
                                      label.terms, base::counted(shape.events, "event")),
                          "give one outcome for each event, separated by blanks");
    }
    std::vector<std::uint32_t> outcomes;
    for (const std::string &word : *words) {
        const auto found = std::find(shape.values.begin(), shape.values.end(), word);
        if (found == shape.values.end()) {
            throw label_error(fmt::format("{}: the label '{}' is not an outcome of '{}'",
                                          dataset.example_name(example), word, label.network),
                              fmt::format("outcomes are: {}", fmt::join(shape.values, ", ")));
        }
        outcomes.push_back(static_cast<std::uint32_t>(found - shape.values.begin()));
    }
    return outcomes;
}

} // namespace neurasp::runs
