// Experiment files: all keys, defaults, and mistakes with their places.
#include "data/experiment_file.hpp"

#include "experiment_texts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace neurasp::data {
namespace {

using testing::HasSubstr;

const char *const complete_experiment = R"toml(
program = ["addition.lp", "/abs/more.lp"]
output = "runs/addition"
seed = 5

[networks.digit]
layers = [{kind = "conv", out = 6, kernel = 5}, {kind = "linear", bias = false}]
logits = true
train = false
weights = "digit.pt"
optimizer = { kind = "sgd", learning_rate = 0.1, weight_decay = 1e-4, momentum = 0.9 }
schedule = { kind = "step", every = 10, factor = 0.5 }

[networks.box]
script = "box.pt"

[rules]
learning_rate = 0.5

[example]
columns = ["a", "b", "sum", "d2"]
observation = ":- not addition(i1,i2,{sum})."
[example.inputs]
i1 = "images[a]"
"g, h" = "images[#]"
cell = "boards[b,80]"
[example.labels]
"digit(i1)" = "digits[a]"
"box( g,h )" = "{d2}"

[splits.train]
table = "train.tsv"
separator = "\t"
header = true
rest_in_last = true
rows = "10:3000"
[splits.train.arrays]
images = { file = "images.gz", scale = 255, mean = 0.1307, deviation = [0.3, 0.4], channels_first = true }
digits = { file = "labels.gz" }
boards = { file = "boards/", tiles = [9, 9], trim = true, colors = "grey", member = "m", columns = ["x"] }
[splits.test]
rows_file = "rows.txt"
arrays.images.file = "test.idx"
arrays.boards = { file = "b.npz", tiles = [9, 9] }

[training]
method = "top-k"
samples = 7
k = 3
alpha = 0.25
batch_size = 1
epochs = 9
optimal = true
gradient = "proposition1"
clip = 1.5
threads = 0
shuffle = false
checkpoint_every = 2
evaluate_every = 3
stop_after = 4

[evaluation]
batch_size = 2
queries = ["addition(i1,i2,{sum})", { name = "n", query = "q({#})" }]
constraints = [{ name = "p", file = "path.lp" }, { name = "r", text = ":- a." }]
)toml";

TEST(ExperimentFile, ReadsProgramAndNetworks) {
    const Experiment experiment = read_experiment(complete_experiment, "dir/x.toml");
    ASSERT_EQ(experiment.programs.size(), 2u);
    EXPECT_EQ(experiment.programs[0].written, "addition.lp");
    EXPECT_EQ(experiment.programs[0].path, "dir/addition.lp");
    EXPECT_EQ(experiment.programs[1].path, "/abs/more.lp");
    EXPECT_EQ(experiment.programs[1].location.line, 2u);
    EXPECT_EQ(experiment.output.path, "dir/runs/addition");
    EXPECT_EQ(experiment.seed, 5u);
    EXPECT_EQ(experiment.rules.learning_rate, 0.5);

    ASSERT_EQ(experiment.networks.size(), 2u);
    const NetworkSettings &digit = experiment.networks[0];
    EXPECT_EQ(digit.spec.name, "digit");
    EXPECT_EQ(digit.spec.location.line, 6u);
    EXPECT_EQ(digit.spec.location.column, 11u);
    ASSERT_EQ(digit.spec.layers.size(), 2u);
    EXPECT_EQ(digit.spec.layers[0].kind, "conv");
    EXPECT_EQ(digit.spec.layers[0].numbers,
              (std::map<std::string, double>{{"kernel", 5.0}, {"out", 6.0}}));
    EXPECT_EQ(digit.spec.layers[1].numbers, (std::map<std::string, double>{{"bias", 0.0}}));
    EXPECT_EQ(digit.spec.layers[1].location.column, 49u);
    EXPECT_TRUE(digit.spec.logits);
    EXPECT_FALSE(digit.train);
    EXPECT_EQ(digit.weights.path, "dir/digit.pt");
    EXPECT_EQ(digit.optimizer.kind, OptimizerKind::sgd);
    EXPECT_EQ(digit.optimizer.learning_rate, 0.1);
    EXPECT_EQ(digit.optimizer.weight_decay, 1e-4);
    EXPECT_EQ(digit.optimizer.momentum, 0.9);
    EXPECT_EQ(digit.schedule.kind, ScheduleKind::step);
    EXPECT_EQ(digit.schedule.every, 10u);
    EXPECT_EQ(digit.schedule.factor, 0.5);
    EXPECT_EQ(experiment.networks[1].spec.script, "dir/box.pt");
    EXPECT_TRUE(experiment.networks[1].spec.preset.empty());
}

TEST(ExperimentFile, ReadsTheExample) {
    const ExampleSettings example = read_experiment(complete_experiment, "dir/x.toml").example;
    EXPECT_EQ(example.columns, (std::vector<std::string>{"a", "b", "sum", "d2"}));
    EXPECT_EQ(example.observation.text, ":- not addition(i1,i2,{sum}).");
    EXPECT_EQ(example.observation.location.line, 22u);
    EXPECT_EQ(example.observation.location.column, 16u);
    ASSERT_EQ(example.inputs.size(), 3u);
    EXPECT_EQ(example.inputs[0].terms, "i1");
    EXPECT_EQ(example.inputs[0].source.array, "images");
    EXPECT_EQ(example.inputs[0].source.column, "a");
    EXPECT_EQ(example.inputs[1].terms, "g,h");
    EXPECT_EQ(example.inputs[1].source.column, "");
    EXPECT_EQ(example.inputs[2].source.column, "b");
    EXPECT_EQ(example.inputs[2].source.tile, 80u);
    ASSERT_EQ(example.labels.size(), 2u);
    EXPECT_EQ(example.labels[0].network, "digit");
    EXPECT_EQ(example.labels[0].terms, "i1");
    EXPECT_EQ(example.labels[0].source->array, "digits");
    EXPECT_EQ(example.labels[1].terms, "g,h");
    EXPECT_FALSE(example.labels[1].source.has_value());
    EXPECT_EQ(example.labels[1].text.text, "{d2}");
}

TEST(ExperimentFile, ReadsTheSplits) {
    const Experiment experiment = read_experiment(complete_experiment, "dir/x.toml");
    ASSERT_EQ(experiment.splits.size(), 2u);
    const SplitSettings &train = split_of(experiment, "train");
    EXPECT_EQ(train.table.path, "dir/train.tsv");
    EXPECT_EQ(train.separator, '\t');
    EXPECT_EQ(train.header, true);
    EXPECT_TRUE(train.rest_in_last);
    EXPECT_EQ(train.rows->begin, 10u);
    EXPECT_EQ(train.rows->end, 3000u);
    ASSERT_EQ(train.arrays.size(), 3u);
    EXPECT_EQ(train.arrays[0].name, "images");
    EXPECT_EQ(train.arrays[0].scale, 255.0);
    EXPECT_EQ(train.arrays[0].mean, std::vector<double>{0.1307});
    EXPECT_EQ(train.arrays[0].deviation, (std::vector<double>{0.3, 0.4}));
    EXPECT_TRUE(train.arrays[0].channels_first);
    EXPECT_EQ(train.arrays[2].file.path, "dir/boards/");
    EXPECT_EQ(tile_count(train.arrays[2]), 81u);
    EXPECT_TRUE(train.arrays[2].trim);
    EXPECT_EQ(train.arrays[2].colors, ColorKind::grey);
    EXPECT_EQ(train.arrays[2].member, "m");
    EXPECT_EQ(train.arrays[2].columns, std::vector<std::string>{"x"});
    EXPECT_EQ(experiment.splits[1].rows_file.path, "dir/rows.txt");
    EXPECT_FALSE(experiment.splits[1].header.has_value());
    EXPECT_THROW(split_of(experiment, "validation"), InputError);
}

TEST(ExperimentFile, ReadsTrainingAndEvaluation) {
    const Experiment experiment = read_experiment(complete_experiment, "dir/x.toml");
    const TrainingSettings &training = experiment.training;
    EXPECT_EQ(training.method, TrainingMethod::top_k);
    EXPECT_EQ(training.samples, 7u);
    EXPECT_EQ(training.k, 3u);
    EXPECT_EQ(training.alpha, 0.25);
    EXPECT_EQ(training.batch_size, 1u);
    EXPECT_EQ(training.epochs, 9u);
    EXPECT_TRUE(training.optimal);
    EXPECT_EQ(training.gradient, GradientKind::proposition1);
    EXPECT_EQ(training.clip, 1.5);
    EXPECT_EQ(training.threads, 0u);
    EXPECT_FALSE(training.shuffle);
    EXPECT_EQ(training.checkpoint_every, 2u);
    EXPECT_EQ(training.evaluate_every, 3u);
    EXPECT_EQ(training.stop_after, 4u);
    const EvaluationSettings &evaluation = experiment.evaluation;
    EXPECT_EQ(evaluation.batch_size, 2u);
    EXPECT_EQ(evaluation.queries[0].name, "addition(i1,i2,{sum})");
    EXPECT_EQ(evaluation.queries[1].name, "n");
    EXPECT_EQ(evaluation.queries[1].query.text, "q({#})");
    EXPECT_EQ(evaluation.constraints[0].file.path, "dir/path.lp");
    EXPECT_EQ(evaluation.constraints[1].text.text, ":- a.");
}

TEST(ExperimentFile, PathsStartAtTheFolderOfTheFile) {
    EXPECT_EQ(read_experiment(minimal_experiment, "x.toml").programs[0].path, "p.lp");
    EXPECT_EQ(read_experiment(minimal_experiment, "/a/b/x.toml").programs[0].path, "/a/b/p.lp");
    const Experiment up = read_experiment("program = '../p.lp'", "a/b/x.toml");
    EXPECT_EQ(up.programs[0].path, "a/p.lp");
    EXPECT_EQ(read_experiment(minimal_experiment, "a/x.toml").output.path, "a/runs/x");
}

TEST(ExperimentFile, AProgramInTheFileKnowsItsPlace) {
    const Experiment experiment =
        read_experiment("seed = 1\nprogram_text = '''\na :- b.\n'''", "x.toml");
    EXPECT_EQ(experiment.program_text.text, "a :- b.\n");
    EXPECT_EQ(experiment.program_text.location.line, 3u);
    EXPECT_EQ(experiment.program_text.location.column, 1u);
}

TEST(ExperimentFile, UnknownKeysGetASuggestion) {
    EXPECT_EQ(experiment_places("program='p'\nsed = 1\n[trainig]\n[training]\nepoch = 1\n"
                                "[networks.d]\npreset='x'\noptimizer = {lerning_rate = 1}"),
              "unknown-key 2:1, unknown-key 3:2, unknown-key 5:1, unknown-key 8:14");
    const Diagnostic error = experiment_errors("program='p'\n[training]\nepoch = 1\n").front();
    EXPECT_EQ(error.message, "there is no key 'epoch' in 'training'");
    EXPECT_EQ(error.hint, "did you mean 'epochs'?");
    EXPECT_EQ(error.source_line, "epoch = 1");
    EXPECT_EQ(error.location.file, "dir/x.toml");
    EXPECT_EQ(error.location.end_column, 6u);
    EXPECT_EQ(experiment_errors("program='p'\n[splits.tran]").front().hint,
              "did you mean 'train'?");
    EXPECT_EQ(experiment_errors("program='p'\n[rules]\nqqqqqqqq=1").front().hint,
              "the keys here are: learning_rate");
    EXPECT_THAT(experiment_errors("program='p'\nqqqqqqqqq=1").front().message,
                HasSubstr("at the top of the file"));
}

TEST(ExperimentFile, WrongTypesAreReportedAtTheValue) {
    EXPECT_EQ(experiment_places("program = 1\nseed = \"1\"\noutput = []\nnetworks = 3\n"
                                "[training]\nbatch_size = 1.5\nshuffle = 1\nalpha = true\n"
                                "[evaluation]\nqueries = [1]\nconstraints = ['x']\n"
                                "[example]\ncolumns = ['a', 2]\ninputs = { i1 = 3 }\n"),
              "wrong-type 1:11, wrong-type 2:8, wrong-type 3:10, wrong-type 4:12, "
              "wrong-type 6:14, wrong-type 7:11, wrong-type 8:9, wrong-type 10:12, "
              "wrong-type 11:16, wrong-type 13:17, wrong-type 14:17");
    EXPECT_EQ(experiment_errors("program='p'\nseed = '1'").front().message,
              "'seed' must be an integer of at least 0, found a text");
    EXPECT_EQ(experiment_errors("program='p'\nseed = 1979-05-27").front().message,
              "'seed' must be an integer of at least 0, found a date or time");
}

TEST(ExperimentFile, ValuesOutOfRangeAreReportedAtTheValue) {
    EXPECT_EQ(experiment_places("program = ''\nseed = -1\n[training]\nalpha = 1.5\nclip = nan\n"
                                "batch_size = 0\nmethod = 'exat'\nthreads = 99999\n"
                                "[networks.d]\npreset = 'x'\noptimizer.learning_rate = 0\n"
                                "[splits.train.arrays]\na = {file = 'f', tiles = [9, 0]}"),
              "value-range 1:11, value-range 2:8, value-range 4:9, value-range 5:8, "
              "value-range 6:14, value-range 7:10, value-range 8:11, value-range 11:27, "
              "value-range 13:30");
    const auto errors = experiment_errors("program='p'\n[training]\nmethod = 'exat'\nalpha = 1.5");
    EXPECT_EQ(errors[0].message,
              "'training.method' must be `exact`, `sampling` or `top-k`, found 'exat'");
    EXPECT_EQ(errors[0].hint, "did you mean 'exact'?");
    EXPECT_EQ(errors[1].message, "'training.alpha' must be a number from 0 to 1, found 1.5");
    EXPECT_EQ(
        experiment_errors("program='p'\n[networks.d]\npreset='x'\noptimizer.beta1=1")[0].message,
        "'networks.d.optimizer.beta1' must be a number from 0 to below 1, found 1");
}

TEST(ExperimentFile, ValuesThatTheTableOfKeysCannotDescribeAreChecked) {
    EXPECT_EQ(experiment_places("program = []\n[networks.d]\nlayers = []\n[splits.train]\n"
                                "separator = 'ab'\nrows = '5'\n[splits.test]\nrows = '5:5'\n"
                                "[splits.test.arrays]\na = {file = 'f', tiles = [9], mean = []}\n"
                                "[splits.validation]\nrows = 'a:'"),
              "value-range 1:11, value-range 3:10, value-range 5:13, reference-syntax 6:8, "
              "value-range 8:8, value-range 10:38, value-range 10:26, reference-syntax 12:8");
}

TEST(ExperimentFile, MissingKeysAreReportedAtTheirTable) {
    EXPECT_EQ(experiment_places(""), "missing-key 0:0");
    EXPECT_EQ(experiment_errors("").front().message, "the file lacks 'program' or 'program_text'");
    EXPECT_EQ(experiment_places("program='p'\n[networks.d]\n[splits.train.arrays]\na = {}\n"
                                "[evaluation]\nqueries = [{name='x'}]\nconstraints = [{}]"),
              "missing-key 2:1, missing-key 4:5, missing-key 6:12, missing-key 7:16, "
              "missing-key 7:16");
    EXPECT_EQ(experiment_errors("program='p'\n[networks.d]").front().message,
              "'networks.d' lacks 'preset', 'layers' or 'script'");
    EXPECT_EQ(experiment_places("program='p'\n[networks.d]\nlayers=[{out=1}]"), "missing-key 3:9");
}

TEST(ExperimentFile, KeysThatExcludeEachOtherAreReported) {
    EXPECT_EQ(experiment_places("program='p'\nprogram_text=''\n[networks.d]\nscript='x'\n"
                                "preset='x'\nlayers=[{kind='x'}]\n[example]\nobservation=''\n"
                                "observation_file='f'\n[splits.train]\nrows='1:'\nrows_file='r'\n"
                                "[evaluation]\nconstraints={name='n', file='f', text='t'}"),
              "exclusive-keys 5:1, exclusive-keys 6:1, exclusive-keys 9:1, exclusive-keys 12:1, "
              "exclusive-keys 14:34, exclusive-keys 2:1");
    const Diagnostic error = experiment_errors("program='p'\nprogram_text=''").front();
    EXPECT_EQ(error.message, "'program_text' cannot be combined with 'program'");
    EXPECT_EQ(error.hint, "give only one of 'program' or 'program_text'");
}

TEST(ExperimentFile, SettingsWithoutEffectAreMistakes) {
    const std::string network = "program='p'\n[networks.d]\npreset='x'\n";
    EXPECT_EQ(experiment_places(network + "optimizer = {momentum = 0.9}"), "unused-key 4:25");
    EXPECT_EQ(experiment_places(network + "optimizer = {kind='sgd', beta1=0.5}"),
              "unused-key 4:32");
    EXPECT_EQ(experiment_places(network + "optimizer = {momentum = 0.0}"), "");
    EXPECT_EQ(experiment_places(network + "schedule = {every = 2}"), "unused-key 4:21");
    EXPECT_EQ(experiment_places(network + "schedule = {kind='cosine', factor=0.1}"),
              "unused-key 4:35");
    EXPECT_EQ(experiment_places(network + "schedule = {kind='exponential', factor=0.1, every=3}"),
              "unused-key 4:51");
}

TEST(ExperimentFile, SchedulesNeedTheirNumbers) {
    const std::string network = "program='p'\n[networks.d]\npreset='x'\n";
    EXPECT_EQ(experiment_places(network + "schedule = {kind='step'}"),
              "missing-key 4:12, missing-key 4:12");
    EXPECT_EQ(experiment_places(network + "schedule = {kind='step', every=0, factor=0.1}"),
              "missing-key 4:32");
    EXPECT_EQ(experiment_places(network + "schedule = {kind='exponential'}"), "missing-key 4:12");
    EXPECT_EQ(experiment_places(network + "schedule = {kind='cosine'}"), "");
}

TEST(ExperimentFile, SyntaxErrorsAreDiagnostics) {
    EXPECT_EQ(experiment_places("program = 'p'\nseed = \n"), "toml-syntax 2:8");
    const Diagnostic error = experiment_errors("program = p").front();
    EXPECT_EQ(error.location.file, "dir/x.toml");
    EXPECT_EQ(error.source_line, "program = p");
}

TEST(ExperimentFile, AtMostTwentyErrorsAreReported) {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "k" + std::to_string(i) + " = 1\n";
    EXPECT_LE(experiment_errors(text).size(), 21u);
}

TEST(ExperimentFile, AssignmentsAreAppliedBeforeTheCheck) {
    const std::vector<std::string> assignments = {"training.epochs=5", "seed=3",
                                                  "training.method=sampling", "program=q.lp"};
    const Experiment experiment = read_experiment("[training]\nepochs = 1", "x.toml", assignments);
    EXPECT_EQ(experiment.training.epochs, 5u);
    EXPECT_EQ(experiment.seed, 3u);
    EXPECT_EQ(experiment.training.method, TrainingMethod::sampling);
    EXPECT_EQ(experiment.programs[0].path, "q.lp");
    EXPECT_EQ(experiment.assignments, assignments);
}

TEST(ExperimentFile, MistakesInAssignmentsAreLocatedThere) {
    const auto errors = experiment_errors(minimal_experiment,
                                          {"training.epochs=five", "training.epoch=5", "seed=-2"});
    ASSERT_EQ(errors.size(), 3u);
    for (const Diagnostic &error : errors) EXPECT_EQ(error.location.file, "<set>");
    EXPECT_EQ(errors[0].code, "wrong-type");
    EXPECT_EQ(errors[0].location.column, 17u);
    EXPECT_EQ(errors[1].code, "unknown-key");
    EXPECT_EQ(errors[1].location.column, 10u);
    EXPECT_EQ(errors[2].code, "value-range");
    EXPECT_EQ(errors[2].source_line, "seed=-2");
}

TEST(ExperimentFile, AMissingFileIsAProblemOfTheEnvironment) {
    EXPECT_THROW(read_experiment_file("/no/such/file.toml"), EnvironmentError);
}

TEST(ExperimentFile, ReadsAFile) {
    const auto path = std::filesystem::path(testing::TempDir()) / "neurasp_experiment_test.toml";
    std::ofstream(path) << minimal_experiment;
    const Experiment experiment = read_experiment_file(path.string());
    EXPECT_EQ(experiment.programs[0].path, (path.parent_path() / "p.lp").lexically_normal());
    EXPECT_EQ(experiment.text, minimal_experiment);
    std::filesystem::remove(path);
}

} // namespace
} // namespace neurasp::data
