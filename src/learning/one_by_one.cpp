// Filling blanks one by one, after Park's Sudoku solver: the network sees an input with blanks, the blank whose most
// probable outcome is the most probable of all is filled with it, and the network runs again on the result.
//
// All inputs of a batch advance together, one blank each per run, and those without blanks drop out; the number of
// runs is that of the blanks in the input that has most. Event i of the output fills number i of the input, so there
// must be as many, and outcomes must be integers other than 0, which marks a blank. Given numbers are never changed.
#include "learning/one_by_one.hpp"

#include "base/counted.hpp"
#include "learning/count_right.hpp"
#include "runs/experiment_inputs.hpp"

#include <fmt/format.h>
#include <torch/utils.h>

#include <algorithm>
#include <charconv>

namespace neurasp::learning {

namespace {

[[noreturn]] void refuse(const std::string &message, const std::string &hint) {
    Diagnostic diagnostic;
    diagnostic.code = "one-by-one";
    diagnostic.message = message;
    diagnostic.hint = hint;
    throw InputError(std::move(diagnostic));
}

float number_of(const std::string &outcome, const std::string &network) {
    int number = 0;
    const char *end = outcome.data() + outcome.size();
    const auto [rest, error] = std::from_chars(outcome.data(), end, number);
    if (error == std::errc() && rest == end && number != 0) return static_cast<float>(number);
    refuse(fmt::format("the outcome '{}' of '{}' cannot fill a blank: it is 0 or not an integer",
                       outcome, network),
           "evaluation.one_by_one is for networks whose outcomes are the numbers of their input");
}

} // namespace

OneByOne::OneByOne(const std::string &call, const data::Dataset &dataset,
                   const TrainingProgram &step)
    : name_(call.substr(0, call.find('('))), network_(step.network_index(name_)) {
    if (network_ == step.networks().size()) {
        refuse(fmt::format("no example calls the network '{}'", name_), "");
    }
    const NetworkShape &shape = step.networks()[network_];
    const std::string terms = call.substr(name_.size() + 1, call.size() - name_.size() - 2);
    const std::size_t input = runs::InputTable(dataset).find(name_, terms);
    const data::DatasetArray &array = dataset.arrays()[dataset.inputs()[input].array];
    if (array.array().row_size() != shape.events) {
        refuse(fmt::format("the input of {} has {}, but its output has {}", call,
                           base::counted(array.array().row_size(), "number"),
                           base::counted(shape.events, "event")),
               "event i fills number i of the input, so there must be as many");
    }
    const auto as_input = [&](float number) {
        const auto value = array.as_input(number);
        if (!value) {
            refuse(fmt::format("the channels of the input of {} are normalised differently", call),
                   "give one mean and one deviation");
        }
        return *value;
    };
    blank_ = as_input(0.0F);
    for (const std::string &outcome : shape.values) {
        filled_.push_back(as_input(number_of(outcome, name_)));
    }
}

void OneByOne::add(Model &model, const Batch &batch) {
    const BatchLabels &labels = batch.labels[network_];
    if (labels.rows.empty()) return;
    const torch::Tensor numbers = torch::tensor(filled_);
    torch::Tensor inputs = batch.inputs[network_].index_select(0, torch::tensor(labels.rows));
    const auto flat = inputs.view({inputs.size(0), -1});
    for (;;) {
        const torch::Tensor open = flat.eq(blank_).any(1).nonzero().squeeze(1);
        if (open.size(0) == 0) break;
        const torch::Tensor looked = inputs.index_select(0, open);
        const auto [surest, outcomes] = model.look(network_, looked).max(2);
        const torch::Tensor places =
            surest.masked_fill(looked.view({open.size(0), -1}).ne(blank_), -1.0).argmax(1, true);
        flat.index_put_({open, places.squeeze(1)},
                        numbers.index_select(0, outcomes.gather(1, places).squeeze(1)));
    }
    const torch::Tensor truth = numbers.index_select(0, torch::tensor(labels.outcomes));
    counts_ += count_right(flat.eq(truth.view(flat.sizes())));
}

} // namespace neurasp::learning
