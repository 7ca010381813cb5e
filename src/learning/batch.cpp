// Makes batches: observations are prepared, the array rows they need are collected by network, and each example
// gets the places of its rows among the outputs.
//
// Idea: a network runs once per batch, on the rows of all examples together, so its cost does not depend on how the
// examples are mixed. Everything that depends only on an observation (which input each call uses, which call a label
// belongs to) is found once and kept by observation; labels are parsed once per distinct text.
//
// Invariants: no two examples share a row, which semantic_loss.hpp requires; the first `relevant_calls` calls of an
// observation come first, so that training can stop there. New observations of a batch are prepared in one call,
// because several threads compile them.
#include "learning/batch.hpp"

#include "runs/experiment_labels.hpp"
#include "runs/experiment_program.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace neurasp::learning {

BatchMaker::BatchMaker(const data::Dataset &dataset, TrainingProgram &step)
    : dataset_(dataset), step_(step), inputs_(dataset),
      ids_(dataset.observations().texts().size()) {
    for (const data::DatasetLabel &label : dataset.labels()) {
        labels_.push_back({runs::network_of(label, step), inputs_.find(label.network, label.terms),
                           label.terms,
                           std::vector<std::vector<std::int64_t>>(label.outcomes.texts().size())});
    }
    if (step.options().circuits) expect_all();
}

// All observations of the data set, so that those of one kind can be prepared together from the first batch on.
void BatchMaker::expect_all() {
    std::vector<Observation> observations;
    std::vector<bool> seen(ids_.size(), false);
    for (std::size_t e = 0; e < dataset_.size(); ++e) {
        const std::uint32_t text = dataset_.observations().id(e);
        if (seen[text]) continue;
        seen[text] = true;
        observations.push_back(
            runs::observation_of(dataset_.observations()[e], dataset_.example_name(e)));
    }
    step_.expect(observations);
}

const BatchMaker::Layout &BatchMaker::layout_of(ObservationId observation) {
    const PreparedObservation &prepared = step_.at(observation);
    const auto found = layouts_.find(&prepared);
    if (found != layouts_.end()) return found->second;
    Layout layout;
    const auto &calls = prepared.calls;
    for (const NetworkCall &call : calls) {
        layout.inputs.push_back(inputs_.find(step_.networks()[call.network].name, call.terms));
    }
    for (const Label &label : labels_) {
        std::size_t c = 0;
        while (c < calls.size() &&
               !(calls[c].network == label.network && layout.inputs[c] == label.input)) {
            ++c;
        }
        layout.label_calls.push_back(c);
    }
    return layouts_.emplace(&prepared, std::move(layout)).first->second;
}

// Prepares the observations that are new, all in one call, since several threads compile them.
void BatchMaker::prepare(std::span<const std::size_t> examples, const StopToken &stop) {
    std::vector<std::uint32_t> texts;
    std::vector<Observation> observations;
    for (const std::size_t example : examples) {
        const std::uint32_t text = dataset_.observations().id(example);
        if (ids_[text]) continue;
        texts.push_back(text);
        observations.push_back(
            runs::observation_of(dataset_.observations()[example], dataset_.example_name(example)));
    }
    if (texts.empty()) return;
    Limits limits;
    limits.stop = stop;
    const std::vector<ObservationId> ids = step_.prepare(observations, limits);
    for (std::size_t i = 0; i < ids.size(); ++i) ids_[texts[i]] = ids[i];
    if (ids.size() < texts.size()) {
        throw LimitError("interrupted while observations were prepared", "", true);
    }
}

std::span<const std::int64_t> BatchMaker::outcomes_of(std::size_t label, std::size_t example) {
    const data::DatasetLabel &source = dataset_.labels()[label];
    auto &known = labels_[label].outcomes[source.outcomes.id(example)];
    if (!known.empty()) return known;
    const auto outcomes =
        runs::label_outcomes(dataset_, source, example, step_.networks()[labels_[label].network]);
    known.assign(outcomes.begin(), outcomes.end());
    return known;
}

torch::Tensor BatchMaker::gather(std::span<const Row> rows,
                                 std::span<const std::size_t> examples) const {
    const data::Array &first = dataset_.arrays()[rows.front().array].array();
    std::vector<std::int64_t> shape{static_cast<std::int64_t>(rows.size())};
    for (const std::size_t length : first.row_shape()) {
        shape.push_back(static_cast<std::int64_t>(length));
    }
    torch::Tensor batch = torch::empty(shape, torch::kFloat);
    const std::size_t size = first.row_size();
    float *place = batch.data_ptr<float>();
    for (const Row &row : rows) {
        const data::DatasetArray &array = dataset_.arrays()[row.array];
        if (augmentation_) {
            const std::uint64_t seed[] = {*augmentation_, examples[row.owner], row.array, row.row};
            array.copy_augmented(row.row, {place, size}, data::mixed_seed(seed));
        } else {
            array.copy_input(row.row, {place, size});
        }
        place += size;
    }
    return batch;
}

Batch BatchMaker::make(std::span<const std::size_t> examples, For purpose, const StopToken &stop) {
    prepare(examples, stop); // first, because facts of an observation may call further networks
    Batch batch;
    batch.examples.assign(examples.begin(), examples.end());
    std::vector<std::vector<Row>> rows(step_.networks().size());
    std::vector<std::size_t> first; // where each example's part of batch.rows begins
    batch.labels.resize(rows.size());
    for (std::uint32_t e = 0; e < examples.size(); ++e) {
        const std::size_t example = examples[e];
        const PreparedObservation &observation = step_.at(id_of(example));
        const Layout &layout = layout_of(id_of(example));
        const auto sources = dataset_.rows(example);
        const auto add = [&](std::size_t network, std::size_t input) {
            const auto array = static_cast<std::uint32_t>(dataset_.inputs()[input].array);
            rows[network].push_back({array, sources[input], e});
            return static_cast<std::uint32_t>(rows[network].size() - 1);
        };
        first.push_back(batch.rows.size());
        const auto &calls = observation.calls;
        const std::size_t wanted =
            purpose == For::evaluation ? calls.size() : observation.relevant_calls;
        for (std::size_t c = 0; c < wanted; ++c) {
            batch.rows.push_back(add(calls[c].network, layout.inputs[c]));
        }
        if (purpose == For::training) continue;
        for (std::size_t l = 0; l < labels_.size(); ++l) {
            const auto outcomes = outcomes_of(l, example);
            if (outcomes.empty()) continue;
            const std::size_t call = layout.label_calls[l];
            const std::size_t network = labels_[l].network;
            const std::uint32_t row =
                call < wanted ? batch.rows[first.back() + call] : add(network, labels_[l].input);
            BatchLabels &labels = batch.labels[network];
            labels.rows.push_back(row);
            labels.owners.push_back(e);
            labels.outcomes.insert(labels.outcomes.end(), outcomes.begin(), outcomes.end());
        }
    }
    for (std::size_t e = 0; e < examples.size(); ++e) {
        const std::size_t end = e + 1 < first.size() ? first[e + 1] : batch.rows.size();
        batch.steps.push_back(
            {id_of(examples[e]), std::span(batch.rows).subspan(first[e], end - first[e])});
    }
    for (const std::vector<Row> &network : rows) {
        batch.inputs.push_back(network.empty() ? torch::Tensor() : gather(network, examples));
        auto &owners = batch.owners.emplace_back();
        for (const Row &row : network) owners.push_back(row.owner);
    }
    return batch;
}

std::string BatchMaker::describe_row(const Batch &batch, std::size_t network,
                                     std::size_t row) const {
    const std::size_t place = batch.owners[network][row];
    const std::string name = dataset_.example_name(batch.examples[place]);
    const auto &calls = step_.at(batch.steps[place].observation).calls;
    for (std::size_t c = 0; c < batch.steps[place].rows.size(); ++c) {
        if (calls[c].network == network && batch.steps[place].rows[c] == row) {
            return fmt::format("{} of {}", calls[c].terms, name);
        }
    }
    return name;
}

} // namespace neurasp::learning
