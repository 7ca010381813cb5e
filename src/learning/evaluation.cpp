// Metrics of a split. Networks run batch by batch; queries and constraints are answered example by example. One
// search for the most probable stable model serves all queries of an example; sets of constraints are checked
// against its most probable outcomes.
//
// An evaluation that is stopped returns the metrics of the examples seen so far. A search that reaches its time limit
// counts with the best model found, and the share of such examples is a metric of its own ("not proven"), so a
// result that was cut short can be recognised.
#include "learning/evaluation.hpp"

#include "base/text_file.hpp"
#include "data/metric_names.hpp"
#include "learning/count_right.hpp"
#include "learning/one_by_one.hpp"
#include "learning/semantic_loss.hpp"
#include "neurasp/consistency.hpp"
#include "runs/experiment_program.hpp"
#include "runs/experiment_settings.hpp"

#include <torch/utils.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>

namespace neurasp::learning {

using data::accuracy_name;
using data::constraints_name;
using data::log_probability_name;
using data::one_by_one_name;
using data::whole_outputs_name;

// One set of constraints, and a check of the program together with it.
struct Evaluator::ConstraintSet {
    std::string name;
    ConsistencyCheck check;
};

struct Evaluator::Counts {
    std::size_t examples = 0;
    std::size_t possible = 0;
    double log_probability = 0.0;
    std::vector<runs::RightCounts> labels; // by network
    std::vector<torch::Tensor> confusions; // by network: expected x concluded, in one row
    std::vector<std::size_t> queries;
    std::size_t not_proven = 0; // examples where the model found may not be the most probable one
    std::vector<std::size_t> constraints;
};

namespace {

// Networks with more outcomes have no confusion matrix: it would be larger than anyone can look at.
constexpr std::int64_t most_confused = 256;

std::string text_of(const data::ConstraintSettings &settings) {
    return settings.file.empty() ? settings.text.text : base::read_text_file(settings.file.path);
}

// The distinct observations of a split.
std::vector<Observation> all_observations(const data::Dataset &dataset) {
    std::vector<Observation> observations;
    for (const std::string &text : dataset.observations().texts()) {
        observations.push_back({text, {}});
    }
    return observations;
}

// The observations of a question; an empty text is not an observation.
std::vector<Observation> observed(const std::string &text, const std::string &name) {
    if (text.empty()) return {};
    return {runs::observation_of(text, name)};
}

} // namespace

Evaluator::Evaluator(const data::Experiment &experiment, std::string_view split,
                     data::ArrayStore &arrays, TrainingProgram &step)
    : experiment_(experiment), step_(step), dataset_(experiment, split, arrays),
      maker_(dataset_, step), split_(split) {
    for (const data::ConstraintSettings &settings : experiment.evaluation.constraints) {
        const std::string name = settings.file.empty() ? settings.name : settings.file.path;
        constraints_.push_back(
            {settings.name,
             ConsistencyCheck(runs::program_of(experiment, {{name, text_of(settings)}}),
                              all_observations(dataset_))});
    }
}

Evaluator::~Evaluator() = default;

void Evaluator::validate(Model &model) {
    if (dataset_.size() == 0) return;
    const torch::NoGradGuard guard;
    constexpr std::size_t first = 0;
    model.run(maker_, maker_.make({&first, 1}, BatchMaker::For::evaluation));
    const std::string &call = experiment_.evaluation.one_by_one;
    if (!call.empty()) static_cast<void>(OneByOne(call, dataset_, step_));
    const auto texts = observed(dataset_.observations()[first], dataset_.example_name(first));
    if (!dataset_.queries().empty()) queries_of(texts, first);
    const Observation observation =
        runs::observation_of(dataset_.observations()[first], dataset_.example_name(first));
    for (ConstraintSet &set : constraints_) set.check.prepare(observation);
}

void Evaluator::count_labels(const Batch &batch, const std::vector<torch::Tensor> &outputs,
                             Counts &counts) const {
    counts.labels.resize(std::max(counts.labels.size(), outputs.size()));
    counts.confusions.resize(counts.labels.size());
    for (std::size_t m = 0; m < outputs.size(); ++m) {
        const BatchLabels &labels = batch.labels[m];
        if (labels.rows.empty()) continue;
        const torch::Tensor rows = outputs[m].index_select(0, torch::tensor(labels.rows));
        const torch::Tensor truth =
            torch::tensor(labels.outcomes).view({rows.size(0), rows.size(1)});
        const torch::Tensor concluded = rows.argmax(2);
        counts.labels[m] += count_right(concluded.eq(truth));
        const std::int64_t outcomes = rows.size(2);
        if (outcomes > most_confused) continue;
        const torch::Tensor pairs =
            torch::bincount((truth * outcomes + concluded).flatten(), {}, outcomes * outcomes);
        torch::Tensor &known = counts.confusions[m];
        known = known.defined() ? known + pairs : pairs;
    }
}

// As in training: weak constraints select models here if they do there.
Settings Evaluator::settings() const {
    Settings settings;
    settings.optimal = experiment_.training.optimal;
    settings.circuit_folder = experiment_.training.circuits.path;
    return settings;
}

// The limits of one search.
Limits Evaluator::limits(const StopToken &stop) const {
    Limits limits;
    limits.stop = stop;
    if (experiment_.evaluation.time_limit > 0.0) limits.seconds = experiment_.evaluation.time_limit;
    return limits;
}

// The question that has all queries of an example.
Question Evaluator::queries_of(const std::vector<Observation> &observed, std::size_t example) {
    std::vector<std::string> queries;
    for (const data::DistinctTexts &query : dataset_.queries()) queries.push_back(query[example]);
    return step_.ask(observed, queries).without_constraints();
}

// One search answers all queries.
void Evaluator::count_queries(const std::vector<Observation> &observed, std::size_t example,
                              const NetworkOutputs &outputs, Counts &counts,
                              const StopToken &stop) {
    const auto best =
        queries_of(observed, example).most_probable(outputs, 1, false, settings(), limits(stop));
    if (!best.how.exact) ++counts.not_proven;
    if (best.models.empty()) return;
    for (std::size_t q = 0; q < counts.queries.size(); ++q) {
        if (best.models.front().queries[q]) ++counts.queries[q];
    }
}

void Evaluator::count_answers(const Batch &batch, const TrainingBatch<float> &numbers,
                              Counts &counts, const StopToken &stop) {
    const std::size_t queries = dataset_.queries().size();
    counts.queries.resize(queries);
    counts.constraints.resize(constraints_.size());
    if (queries + constraints_.size() == 0) return;
    for (std::size_t e = 0; e < batch.examples.size(); ++e) {
        const std::size_t example = batch.examples[e];
        const auto texts =
            observed(dataset_.observations()[example], dataset_.example_name(example));
        const NetworkOutputs outputs = step_.outputs_of(numbers, e);
        if (queries > 0) count_queries(texts, example, outputs, counts, stop);
        const Observation observation =
            runs::observation_of(dataset_.observations()[example], dataset_.example_name(example));
        for (std::size_t c = 0; c < constraints_.size(); ++c) {
            if (constraints_[c].check.satisfies(observation, outputs)) ++counts.constraints[c];
        }
    }
}

void Evaluator::count_probabilities(const TrainingBatch<float> &numbers, Counts &counts,
                                    const StopToken &stop) {
    std::vector<double> log(numbers.examples.size());
    Limits limits;
    limits.stop = stop;
    step_.run(numbers, {log, {}, {}, {}}, limits);
    if (stop.raised()) return; // some values may be missing
    for (const double value : log) {
        if (std::isinf(value)) continue;
        ++counts.possible;
        counts.log_probability += value;
    }
}

// nullopt if it is stopped while observations are prepared.
std::optional<Batch> Evaluator::make_batch(std::span<const std::size_t> examples,
                                           const StopToken &stop) {
    try {
        return maker_.make(examples, BatchMaker::For::evaluation, stop);
    } catch (const LimitError &error) {
        if (!error.interrupted()) throw;
        return std::nullopt;
    }
}

runs::Evaluation Evaluator::run(Model &model, const StopToken &stop) {
    const auto begin = std::chrono::steady_clock::now();
    const torch::NoGradGuard guard;
    model.train(false);
    Counts counts;
    std::optional<OneByOne> one_by_one;
    std::vector<std::size_t> order(dataset_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t size = experiment_.evaluation.batch_size;
    for (std::size_t first = 0; first < order.size(); first += size) {
        if (stop.raised()) break;
        const auto chosen = std::span(order).subspan(first, std::min(size, order.size() - first));
        const std::optional<Batch> made = make_batch(chosen, stop);
        if (!made) break;
        const Batch &batch = *made;
        const std::vector<torch::Tensor> outputs = model.run(maker_, batch);
        const StepNumbers numbers = step_numbers(step_, outputs, model.rule_values(), batch.steps);
        if (data::measures_log_probability(experiment_)) {
            count_probabilities(numbers.batch, counts, stop);
            if (stop.raised()) break;
        }
        counts.examples += batch.examples.size();
        count_labels(batch, outputs, counts);
        count_answers(batch, numbers.batch, counts, stop);
        if (experiment_.evaluation.one_by_one.empty()) continue;
        if (!one_by_one) one_by_one.emplace(experiment_.evaluation.one_by_one, dataset_, step_);
        one_by_one->add(model, batch);
    }
    runs::Evaluation evaluation;
    evaluation.split = split_;
    evaluation.examples = counts.examples;
    evaluation.confusions = confusions(counts);
    evaluation.metrics = label_metrics(counts, evaluation.confusions);
    if (one_by_one) {
        const std::string &name = one_by_one->network();
        evaluation.metrics.push_back(
            {one_by_one_name(accuracy_name(name)), one_by_one->counts().event_share()});
        evaluation.metrics.push_back(
            {one_by_one_name(whole_outputs_name(name)), one_by_one->counts().output_share()});
    }
    add_answer_metrics(counts, evaluation.metrics);
    evaluation.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return evaluation;
}

std::vector<runs::Confusion> Evaluator::confusions(const Counts &counts) const {
    std::vector<runs::Confusion> result;
    for (std::size_t m = 0; m < counts.confusions.size(); ++m) {
        if (!counts.confusions[m].defined()) continue;
        const torch::Tensor numbers = counts.confusions[m].contiguous();
        const auto *first = numbers.data_ptr<std::int64_t>();
        result.push_back({split_,
                          step_.networks()[m].name,
                          step_.networks()[m].values,
                          {first, first + numbers.numel()}});
    }
    return result;
}

std::vector<runs::Metric>
Evaluator::label_metrics(const Counts &counts,
                         const std::vector<runs::Confusion> &confusions) const {
    std::vector<runs::Metric> metrics;
    for (std::size_t m = 0; m < counts.labels.size(); ++m) {
        const runs::RightCounts &labels = counts.labels[m];
        if (labels.events == 0) continue;
        const std::string &name = step_.networks()[m].name;
        metrics.push_back({accuracy_name(name), labels.event_share()});
        if (step_.networks()[m].events > 1) {
            metrics.push_back({whole_outputs_name(name), labels.output_share()});
        }
        const auto confusion = std::find_if(confusions.begin(), confusions.end(),
                                            [&](const auto &one) { return one.network == name; });
        if (confusion == confusions.end()) continue;
        for (const data::LabelMetric metric : experiment_.evaluation.metrics) {
            if (metric == data::LabelMetric::macro_f1) {
                metrics.push_back({data::macro_f1_name(name), macro_f1(*confusion)});
            } else {
                metrics.push_back(
                    {data::balanced_accuracy_name(name), balanced_accuracy(*confusion)});
            }
        }
    }
    return metrics;
}

void Evaluator::add_answer_metrics(const Counts &counts, std::vector<runs::Metric> &metrics) const {
    for (std::size_t q = 0; q < counts.queries.size(); ++q) {
        metrics.push_back({experiment_.evaluation.queries[q].name,
                           runs::share(counts.queries[q], counts.examples)});
    }
    if (counts.not_proven > 0) {
        metrics.push_back({"not proven", runs::share(counts.not_proven, counts.examples)});
    }
    for (std::size_t c = 0; c < counts.constraints.size(); ++c) {
        metrics.push_back({constraints_name(constraints_[c].name),
                           runs::share(counts.constraints[c], counts.examples)});
    }
    if (!data::measures_log_probability(experiment_)) return;
    // there is no mean over no examples; 0 would look like the best of all
    if (counts.possible > 0) {
        metrics.push_back({log_probability_name,
                           counts.log_probability / static_cast<double>(counts.possible), false});
    }
    if (counts.possible < counts.examples) {
        metrics.push_back(
            {"impossible", runs::share(counts.examples - counts.possible, counts.examples)});
    }
}

} // namespace neurasp::learning
