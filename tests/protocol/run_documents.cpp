// Documents of training, evaluation and prediction.
#include "protocol/documents.hpp"

#include "data/experiment_file.hpp"
#include "protocol/experiment_json.hpp"
#include "protocol/history_json.hpp"
#include "protocol/input_form.hpp"
#include "protocol/learning_check.hpp"
#include "protocol/preparation.hpp"
#include "protocol/run_events.hpp"
#include "protocol/runs.hpp"
#include "support/source_folder.hpp"

#include <filesystem>
#include <limits>

namespace neurasp::test {

namespace {

using nlohmann::json;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

runs::Evaluation evaluation() {
    return {"test",
            30,
            {{"accuracy of digit", 0.975, true}, {"odd", not_a_number, false}},
            0.25,
            {{"test", "digit", {"0", "1"}, {12, 1, 2, 15}}}};
}

runs::EpochRecord epoch(double loss) {
    runs::EpochRecord record;
    record.epoch = 1;
    record.batches = 4;
    record.examples = 30;
    record.loss = loss;
    record.mean_log_probability = -0.5;
    record.seconds = {0.5, 6.0, 1.5, 0.75};
    record.evaluations = {evaluation()};
    record.learning_rates = {{"digit", 0.001}};
    return record;
}

runs::History history() {
    runs::History history;
    history.epochs = {epoch(0.1), epoch(not_a_number)};
    history.early = {{3, 0.75, evaluation()}};
    history.points = {{100, 1.5, 9000.5}};
    history.impossible_examples = {"train.csv:3"};
    history.best = {"right", 0.75, true, 8, 2.0, 3, 20};
    history.confusions = evaluation().confusions;
    return history;
}

// Every setting that an experiment may have, except those that exclude another.
constexpr auto other_settings = R"toml(program_text = "a."
example.observation_file = "o.lp"
)toml";
constexpr auto many_settings = R"toml(program = ["p.lp", "q.lp"]
[networks.preset]
preset = "digit-cnn"
numbers = {outcomes = 3}
weights = "w.pt"
class_weights = [1, 2.5, 1]
[networks.layered]
layers = [{kind = "linear", out = 3}, {kind = "softmax"}]
[networks.scripted]
script = "s.pt"
[example]
columns = ["a", "b"]
observation = ":- not sum({b})."
[example.inputs]
i1 = "images[a]"
i2 = "images[#]"
[example.labels]
"preset(i1)" = "digits[a]"
"preset(i2)" = "{b}"
[splits.train]
table = "t.csv"
separator = ";"
header = true
rest_in_last = true
rows = "2:9"
arrays.images = {file = "i.png", tiles = [2, 2], trim = true, augment = {shift = 2, rotate = 10}}
arrays.digits = {file = "d.npz", member = "d"}
[splits.test]
table = "u.csv"
rows_file = "rows.txt"
arrays.images = {file = "i.csv", columns = ["x", "y"]}
arrays.digits = {file = "d.npy"}
[training]
alpha = 0.5
label_smoothing = 0.1
[evaluation]
metrics = ["balanced accuracy", "macro F1"]
queries = [{name = "the sum", query = "sum({b})"}]
constraints = [{name = "c", text = ":- a."}, {name = "d", file = "d.lp"}]
)toml";

json experiment(const data::Experiment &experiment) {
    return json::parse(protocol::experiment_json(experiment));
}

runs::RunSummary run() {
    runs::RunSummary run;
    run.title = "addition.toml";
    run.configuration_json =
        protocol::experiment_json(data::read_experiment("program = 'p.lp'", "x.toml"));
    run.networks = {{"digit", "44,426 parameters"}};
    run.rules = {{"0.5 : a.", {{"a", 0.25}}}};
    run.history = history();
    return run;
}

runs::SamplePrediction prediction(bool known) {
    runs::SamplePrediction prediction;
    prediction.name = "test.csv:17";
    prediction.observation = ":- not sum(3).";
    prediction.judged = known;
    prediction.pictures.resize(1);
    prediction.pictures[0].terms = "digit(i1)";
    prediction.pictures[0].prediction = "3";
    prediction.pictures[0].probability = 0.75;
    if (!known) return prediction;
    prediction.pictures[0].label = "4";
    prediction.atoms = {"sum(3)"};
    prediction.expected = {"sum(3)"};
    return prediction;
}

std::vector<Document> predictions() {
    const std::vector<protocol::Guess> guesses = {{"digit(i1)", {{"3", 0.75}, {"4", 0.25}}}};
    ModelsAnswer best;
    best.models.resize(1);
    best.models[0].atoms = {"sum(3)"};
    best.models[0].cost = {1};
    best.models[0].probability.exact = false;
    ProbabilityAnswer answer;
    answer.queries = {{"a", {}, Probability{0.5, -0.7, 0.5, 0.5, true}}, {"b", {}, std::nullopt}};
    const protocol::Json examples = {protocol::to_json(prediction(true)),
                                     protocol::to_json(prediction(false))};
    ProbabilityAnswer cut_short = answer;
    cut_short.how.exact = false;
    cut_short.how.limit = "time limit reached";
    return {{"predict", protocol::predict_json(guesses, best, answer)},
            {"predict", protocol::predict_json(guesses, best, cut_short)},
            {"predict", protocol::predict_json({}, {}, std::nullopt)},
            {"predict-split", protocol::predictions_json("test", examples)}};
}

std::vector<Document> events() {
    std::vector<Document> documents;
    for (const std::string &line :
         {protocol::start_event(run(), "2024-05-01T12:00:00Z"),
          protocol::batch_event({100, not_a_number, 9000.5}), protocol::epoch_event(epoch(0.1)),
          protocol::evaluation_event(1, 4, evaluation()), protocol::warning_event("code", "text"),
          protocol::end_event(run(), "2024-05-01T12:00:12Z")}) {
        documents.push_back({"run-event", json::parse(line)});
    }
    return documents;
}

// The settings of the experiments that we ship.
std::vector<Document> shipped_experiments() {
    std::vector<Document> documents;
    const auto folder = source_folder() / "experiments";
    for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".toml") continue;
        documents.push_back(
            {"experiment", experiment(data::read_experiment_file(entry.path().string(), {}))});
    }
    return documents;
}

// One check that was finished, one that a limit ended.
std::vector<Document> learning_checks() {
    runs::ExperimentCheck check;
    check.split = "train";
    check.examples = 30;
    check.observations = 3;
    check.labelled = 2;
    check.impossible = {2, 1, {"train.csv:3", "train.csv:4"}};
    check.uncalled_networks = {"other"};
    check.diagnostics.emplace_back();
    check.learning.networks = {{"digit", true, true, {1}, {"9"}}, {"idle"}};
    check.learning.shortcuts.emplace();
    check.learning.shortcuts->at_least = check.learning.shortcuts->at_most.emplace("2");
    check.learning.shortcuts->smallest = {{"digit", {{"0", "1"}, {"1", "0"}}}};
    check.learning.shortcuts->changes = 2;
    runs::ExperimentCheck ended = check;
    ended.learning.shortcuts.reset();
    ended.learning.how.exact = false;
    ended.learning.how.limit = "time limit reached";
    runs::ExperimentCheck bounded = check;
    bounded.learning.shortcuts->at_most.reset();
    bounded.learning.shortcuts->smallest.clear();
    LearningCheck every_lesson = check.learning;
    every_lesson.lessons = {Lesson::something, Lesson::nothing, Lesson::impossible,
                            Lesson::unknown};
    every_lesson.contradictory = {2};
    return {{"check-experiment", protocol::to_json(check)},
            {"check-experiment", protocol::to_json(ended)},
            {"check-experiment", protocol::to_json(bounded)},
            {"check-learning", protocol::to_json(every_lesson)}};
}

// A result with how its observations were prepared.
json train_with_stats() {
    TrainingStatistics statistics;
    statistics.observations = 3;
    statistics.in_families = 2;
    statistics.kinds.resize(2);
    statistics.kinds[0].example = ":- not sum(3).";
    statistics.kinds[0].observations = statistics.kinds[0].in_families = 2;
    statistics.kinds[1].refusal = "step limit";
    json document = protocol::to_json(runs::TrainingResult(), "runs/x");
    document["stats"] = protocol::to_json(statistics);
    return document;
}

} // namespace

std::vector<Document> run_documents() {
    const std::vector<runs::LearnedRule> learned = {{2, "0.5 : a.", {"a", "-a"}, {0.25, 0.75}}};
    std::vector<Document> all = {
        {"train",
         protocol::to_json(runs::TrainingResult{true, "interrupted", history(), 12.5}, "runs/x")},
        {"train", protocol::to_json(runs::TrainingResult(), "runs/x")},
        {"train", train_with_stats()},
        {"evaluate", protocol::to_json(evaluation())},
        {"rules", json::parse(protocol::rules_document(learned))},
        {"network-input", json::parse(protocol::input_form_to_json(
                              {{3, 28, 28}, true, data::ColorKind::rgb, 255.0, {0.5}, {1, 2, 3}}))},
        {"history", json::parse(protocol::history_to_json(history()))},
        {"experiment", experiment(data::read_experiment(many_settings, "x.toml"))},
        {"experiment", experiment(data::read_experiment(other_settings, "x.toml"))}};
    for (const auto &more : {predictions(), events(), shipped_experiments(), learning_checks()}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

} // namespace neurasp::test
