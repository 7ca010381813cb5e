// The history of a training run as plain numbers, for the log, the checkpoint and the report.
#pragma once

#include "runs/confusion.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace neurasp::runs {

// One named number of an evaluation, e.g. {"accuracy of digit", 0.975}; shares lie in [0, 1].
struct Metric {
    std::string name; // for people, and the key in the log
    double value = 0.0;
    bool is_share = true; // shown as a percentage
};

struct Evaluation {
    std::string split; // "validation", "test"
    std::size_t examples = 0;
    std::vector<Metric> metrics;
    double seconds = 0.0;
    std::vector<Confusion> confusions{}; // of networks with labels
};

// Seconds spent on each kind of work.
struct PhaseSeconds {
    double data = 0.0;     // making batches
    double network = 0.0;  // forward, backward, optimiser
    double symbolic = 0.0; // log P(O) and its gradient; compiling included
    double compile = 0.0;  // the part of `symbolic` for grounding and compiling new observations

    double total() const { return data + network + symbolic; }
};

struct EpochRecord {
    std::size_t epoch = 0; // from 1
    std::size_t batches = 0;
    std::size_t examples = 0;
    double loss = 0.0;                 // mean over the examples that count
    double mean_log_probability = 0.0; // of their observations, also a mean
    std::size_t impossible = 0;        // examples with P(O) = 0
    PhaseSeconds seconds;
    std::vector<Evaluation> evaluations;
    std::vector<std::pair<std::string, double>> learning_rates; // by network
};

// An evaluation before the end of an epoch.
struct EarlyEvaluation {
    std::uint64_t batch = 0; // since the beginning of the run
    double epoch = 0.0;      // the same in epochs: 0.5 is the middle of the first
    Evaluation evaluation;
};

// The best evaluation by the metric that decides which weights are kept.
struct BestEvaluation {
    std::string metric; // empty until it has been measured
    double value = 0.0;
    bool is_share = true;
    std::uint64_t batch = 0;  // when: since the beginning of the run
    double epoch = 0.0;       // the same in epochs
    std::size_t since = 0;    // evaluations since then
    std::uint64_t judged = 0; // the time of the last one, as `batch`
};

// The loss along the way: one point for every few batches.
struct LossPoint {
    std::uint64_t batch = 0; // since the beginning of the run
    double loss = 0.0;       // mean since the previous point
    double examples_per_second = 0.0;
};

struct History {
    std::vector<EpochRecord> epochs;
    std::vector<EarlyEvaluation> early;
    std::vector<LossPoint> points;
    std::vector<std::string> impossible_examples; // names of the first ones with P(O) = 0
    std::optional<BestEvaluation> best;           // if weights are kept by a metric
    std::vector<Confusion> confusions; // of the last or, if there is one, the best evaluation
};

// A prediction to show: an example with its pictures, the networks' outputs, and the labels.
struct SamplePrediction {
    struct Picture {
        std::string terms; // that stand for it in the program
        std::size_t width = 0;
        std::size_t height = 0;
        std::size_t channels = 1;         // 1 or 3, channel last
        std::vector<std::uint8_t> pixels; // empty if the input is not a picture
        std::string prediction;           // most probable outcome(s)
        double probability = 0.0;         // of that
        std::string label;                // the true one, if known
    };
    std::string name;        // "test.csv:17"
    std::string observation; // its text
    std::vector<Picture> pictures;
    std::vector<std::string> expected; // queries that are true
    std::string conclusion;            // e.g. the shown atoms of the most probable stable model
    std::optional<std::vector<std::string>> atoms; // of that model, if there is one
    bool right = true;                             // meaningful only if `judged`
    bool judged = false;                           // whether the right answer is known
};

// Whether the program concludes something wrong, or a network something other than its label.
bool is_mistake(const SamplePrediction &prediction);

// The probabilities that a rule has learned.
struct LearnedRule {
    std::size_t rule = 0; // which probabilistic rule, in the order of the program
    std::string name;     // for people
    std::vector<std::string> atoms;
    std::vector<double> probabilities; // of these atoms
};

// The result of a run.
struct TrainingResult {
    bool interrupted = false;
    std::string finished; // empty, or why the run ended early
    History history;
    double seconds = 0.0;
};

// Everything that a report shows.
struct RunSummary {
    std::string title;                                         // the experiment file's name
    std::string configuration_json;                            // protocol::experiment_json of it
    std::string experiment_text;                               // the file as written
    std::vector<std::pair<std::string, std::string>> networks; // name, description
    std::vector<std::pair<std::string, std::vector<std::pair<std::string, double>>>>
        rules; // learned
    History history;
    std::vector<SamplePrediction> predictions;
    double seconds = 0.0;
    std::string finished; // "", or why the run ended early
};

} // namespace neurasp::runs
