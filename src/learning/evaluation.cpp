#include "learning/evaluation.hpp"

#include "learning/plan.hpp"
#include "learning/semantic_loss.hpp"

#include <fmt/format.h>
#include <torch/utils.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>

namespace neurasp::learning {

// One set of constraints: the program with it, ready to be asked.
struct Evaluator::ConstraintSet {
    std::string name;
    std::unique_ptr<Reasoner> reasoner;
};

struct Evaluator::Counts {
    struct Labels {
        std::size_t events = 0;
        std::size_t right_events = 0;
        std::size_t outputs = 0;
        std::size_t right_outputs = 0;
    };
    std::size_t examples = 0;
    std::size_t possible = 0;
    double log_probability = 0.0;
    std::vector<Labels> labels; // by network
    std::vector<std::size_t> queries;
    std::vector<std::size_t> constraints;
};

namespace {

std::string text_of(const data::ConstraintSettings &settings) {
    if (settings.file.empty()) return settings.text.text;
    std::ifstream in(settings.file.path, std::ios::binary);
    if (!in) throw EnvironmentError(fmt::format("cannot read '{}'", settings.file.path));
    return {std::istreambuf_iterator<char>(in), {}};
}

double share(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

// Observation texts for a question; an empty one is none.
std::vector<NamedText> observed(const std::string &text, const std::string &name) {
    if (text.empty()) return {};
    return {{name, text}};
}

} // namespace

Evaluator::Evaluator(const data::Experiment &experiment, std::string_view split,
                     data::ArrayStore &arrays, SymbolicStep &step)
    : experiment_(experiment), step_(step), dataset_(experiment, split, arrays),
      maker_(dataset_, step), split_(split) {
    for (const data::ConstraintSettings &settings : experiment.evaluation.constraints) {
        const std::string name = settings.file.empty() ? settings.name : settings.file.path;
        constraints_.push_back({settings.name, std::make_unique<Reasoner>(program_of(
                                                   experiment, {{name, text_of(settings)}}))});
    }
}

Evaluator::~Evaluator() = default;

void Evaluator::count_labels(const Batch &batch, const std::vector<torch::Tensor> &outputs,
                             Counts &counts) const {
    counts.labels.resize(std::max(counts.labels.size(), outputs.size()));
    for (std::size_t m = 0; m < outputs.size(); ++m) {
        const BatchLabels &labels = batch.labels[m];
        if (labels.rows.empty()) continue;
        const torch::Tensor rows = outputs[m].index_select(0, torch::tensor(labels.rows));
        const torch::Tensor truth =
            torch::tensor(labels.outcomes).view({rows.size(0), rows.size(1)});
        const torch::Tensor right = rows.argmax(2).eq(truth);
        Counts::Labels &place = counts.labels[m];
        place.events += static_cast<std::size_t>(right.numel());
        place.right_events += static_cast<std::size_t>(right.sum().item<std::int64_t>());
        place.outputs += labels.rows.size();
        place.right_outputs += static_cast<std::size_t>(right.all(1).sum().item<std::int64_t>());
    }
}

// As in training: weak constraints select if they do there.
AnswerOptions Evaluator::answer_options(const std::atomic<bool> *stop) const {
    AnswerOptions options;
    options.optimal = experiment_.training.optimal;
    options.circuit_folder = experiment_.training.circuits.path;
    options.stop = stop;
    return options;
}

void Evaluator::count_answers(const Batch &batch, const SymbolicStep::Batch &numbers,
                              Counts &counts, const std::atomic<bool> *stop) {
    const std::size_t queries = dataset_.queries().size();
    counts.queries.resize(queries);
    counts.constraints.resize(constraints_.size());
    if (queries + constraints_.size() == 0) return;
    for (std::size_t e = 0; e < batch.examples.size(); ++e) {
        const std::size_t example = batch.examples[e];
        const auto texts =
            observed(dataset_.observations()[example], dataset_.example_name(example));
        const NetworkOutputs outputs = step_.outputs_of(numbers, e);
        for (std::size_t q = 0; q < queries; ++q) {
            const Question question = Reasoner::without_constraints(
                step_.reasoner().ask(texts, {dataset_.queries()[q][example]}));
            const auto best =
                step_.reasoner().most_probable(question, outputs, 1, false, answer_options(stop));
            if (!best.models.empty() && best.models.front().queries.front()) ++counts.queries[q];
        }
        for (std::size_t c = 0; c < constraints_.size(); ++c) {
            Reasoner &reasoner = *constraints_[c].reasoner;
            const Question question = Reasoner::without_constraints(reasoner.ask(texts));
            if (reasoner.argmax_consistency(question, outputs).satisfies_program) {
                ++counts.constraints[c];
            }
        }
    }
}

Evaluation Evaluator::run(Model &model, const std::atomic<bool> *stop) {
    const auto begin = std::chrono::steady_clock::now();
    const torch::NoGradGuard guard;
    model.train(false);
    Counts counts;
    std::vector<std::size_t> order(dataset_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t size = experiment_.evaluation.batch_size;
    for (std::size_t first = 0; first < order.size(); first += size) {
        if (stop != nullptr && *stop) break;
        const Batch batch =
            maker_.make(std::span(order).subspan(first, std::min(size, order.size() - first)),
                        BatchMaker::For::evaluation);
        const std::vector<torch::Tensor> outputs = model.run(maker_, batch);
        const StepNumbers numbers = step_numbers(outputs, model.rule_values(), batch.steps);
        std::vector<double> log(batch.examples.size());
        step_.run(numbers.batch, {log, {}, {}});
        for (const double value : log) {
            if (std::isinf(value)) continue;
            ++counts.possible;
            counts.log_probability += value;
        }
        counts.examples += batch.examples.size();
        count_labels(batch, outputs, counts);
        count_answers(batch, numbers.batch, counts, stop);
    }
    Evaluation evaluation;
    evaluation.split = split_;
    evaluation.examples = counts.examples;
    for (std::size_t m = 0; m < counts.labels.size(); ++m) {
        const Counts::Labels &labels = counts.labels[m];
        if (labels.events == 0) continue;
        const std::string &name = step_.networks()[m].name;
        evaluation.metrics.push_back(
            {"accuracy of " + name, share(labels.right_events, labels.events)});
        if (step_.networks()[m].events > 1) {
            evaluation.metrics.push_back(
                {"whole outputs of " + name, share(labels.right_outputs, labels.outputs)});
        }
    }
    for (std::size_t q = 0; q < counts.queries.size(); ++q) {
        evaluation.metrics.push_back(
            {experiment_.evaluation.queries[q].name, share(counts.queries[q], counts.examples)});
    }
    for (std::size_t c = 0; c < counts.constraints.size(); ++c) {
        evaluation.metrics.push_back(
            {"constraints " + constraints_[c].name, share(counts.constraints[c], counts.examples)});
    }
    evaluation.metrics.push_back(
        {"mean log P(O)",
         counts.possible == 0 ? 0.0 : counts.log_probability / static_cast<double>(counts.possible),
         false});
    if (counts.possible < counts.examples) {
        evaluation.metrics.push_back(
            {"impossible", share(counts.examples - counts.possible, counts.examples)});
    }
    evaluation.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return evaluation;
}

} // namespace neurasp::learning
