// The metrics of an evaluation, with a network whose weights are set by hand.
#include "data/experiment_file.hpp"
#include "learning/evaluation.hpp"
#include "learning/trainer.hpp"
#include "runs/experiment_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace neurasp::learning {
namespace {

using testing::HasSubstr;

// Two places that hold 1 or 2, or 0 for a blank. The network always predicts 1 for the first place. For the second
// it predicts 1 beside a blank and 2 beside a number, with less certainty.
class EvaluationTest : public testing::Test {
  protected:
    void SetUp() override {
        const auto *info = testing::UnitTest::GetInstance()->current_test_info();
        folder_ =
            std::filesystem::temp_directory_path() /
            ("neurasp-evaluation-" + std::string(info->name()) + "-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_ / "out");
        write("places.csv", "0,0\n2,0\n");
        write("labels.csv", "label,query\n1 2,\"sol(0,x,1), sol(1,x,1)\"\n2 2,\"sol(1,x,2)\"\n");
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    void write(const std::string &name, const std::string &text) const {
        std::ofstream(folder_ / name) << text;
    }
    data::Experiment experiment(const std::vector<std::string> &assignments = {}) const {
        return data::read_experiment(R"toml(program_text = "nn(sol(2,x),[1,2])."
output = "out"
[networks.sol]
layers = [{kind = "linear", out = 4}, {kind = "reshape", rows = 2, columns = 2}, {kind = "softmax"}]
[example]
inputs.x = "places[#]"
labels."sol(x)" = "{label}"
[splits.train]
table = "labels.csv"
arrays.places = {file = "places.csv"}
[splits.test]
table = "labels.csv"
arrays.places = {file = "places.csv"}
[evaluation]
queries = [{name = "query", query = "{query}"}]
)toml",
                                     (folder_ / "x.toml").string(), assignments);
    }
    static void set_weights(Model &model) {
        const torch::NoGradGuard guard;
        const auto parameters = model.networks().at(0)->parameters();
        for (torch::Tensor parameter : parameters) {
            if (parameter.dim() == 2) {
                parameter.zero_();
                parameter[3][0] = 3.0; // outcome 2 of the second place, from the first place
            } else {
                parameter.copy_(torch::tensor({4.0, 0.0, 0.0, -1.0}));
            }
        }
    }
    std::map<std::string, double> measure(const std::vector<std::string> &assignments = {}) const {
        std::map<std::string, double> metrics;
        for (const runs::Metric &metric : evaluate(assignments).metrics) {
            metrics[metric.name] = metric.value;
        }
        return metrics;
    }
    runs::Evaluation evaluate(const std::vector<std::string> &assignments) const {
        const data::Experiment settings = experiment(assignments);
        data::ArrayStore arrays;
        TrainingProgram step(runs::program_of(settings), step_options(settings, false));
        Evaluator evaluator(settings, "test", arrays, step);
        Model model(settings, step, network_inputs(settings, step, evaluator.dataset()));
        set_weights(model);
        return evaluator.run(model);
    }
    std::string mistake(const std::vector<std::string> &assignments) const {
        try {
            measure(assignments);
        } catch (const InputError &error) {
            return error.diagnostics().at(0).code + ": " + error.diagnostics().at(0).message;
        }
        return "none";
    }

    std::filesystem::path folder_;
};

TEST_F(EvaluationTest, ASingleRunGetsHalfOfTheEventsRight) {
    EXPECT_EQ(measure(),
              (std::map<std::string, double>{
                  {"accuracy of sol", 0.5}, {"whole outputs of sol", 0.0}, {"query", 1.0}}));
}

// Expected and concluded: 1 and 1, 2 and 1 for the first example; 2 and 1, 2 and 2 for the second.
TEST_F(EvaluationTest, ConfusionsAreCountedOverAllEvents) {
    const runs::Evaluation evaluation =
        evaluate({"evaluation.metrics=[\"macro F1\", \"balanced accuracy\"]"});
    ASSERT_EQ(evaluation.confusions.size(), 1U);
    const runs::Confusion &confusion = evaluation.confusions[0];
    EXPECT_EQ(confusion.network, "sol");
    EXPECT_EQ(confusion.split, "test");
    EXPECT_EQ(confusion.outcomes, (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(confusion.counts, (std::vector<std::uint64_t>{1, 0, 2, 1}));
    const auto metrics = measure({"evaluation.metrics=[\"macro F1\", \"balanced accuracy\"]"});
    EXPECT_DOUBLE_EQ(metrics.at("balanced accuracy of sol"), (1.0 + 1.0 / 3.0) / 2);
    EXPECT_DOUBLE_EQ(metrics.at("macro F1 of sol"), (2.0 / 4 + 2.0 / 4) / 2);
}

TEST_F(EvaluationTest, OneByOneKeepsGivenNumbersAndRunsAgain) {
    const auto metrics = measure({"evaluation.one_by_one=sol(x)"});
    EXPECT_EQ(metrics.at("one by one: accuracy of sol"), 1.0);
    EXPECT_EQ(metrics.at("one by one: whole outputs of sol"), 1.0);
    EXPECT_EQ(metrics.at("accuracy of sol"), 0.5);
}

TEST_F(EvaluationTest, OneByOneKnowsHowInputsAreScaled) {
    // (x / 0.5 - 1) / 1 maps 0, 1, 2 to -1, 1, 3
    const std::string array = "splits.test.arrays.places";
    const auto metrics = measure({"evaluation.one_by_one=sol(x)", array + ".scale=0.5",
                                  array + ".mean=1", "splits.train.arrays.places.scale=0.5"});
    EXPECT_EQ(metrics.at("one by one: whole outputs of sol"), 1.0);
}

TEST_F(EvaluationTest, OneByOneNeedsOutcomesThatFillBlanks) {
    const std::string call = "evaluation.one_by_one=sol(x)";
    write("labels.csv", "label,query\na 2,\"sol(0,x,a)\"\n");
    EXPECT_THAT(mistake({"program_text=nn(sol(2,x),[a,2]).", call, "splits.test.rows=0:1"}),
                HasSubstr("one-by-one: the outcome 'a' of 'sol' cannot fill a blank"));
    write("labels.csv", "label,query\n0 1,\"sol(0,x,0)\"\n");
    EXPECT_THAT(mistake({"program_text=nn(sol(2,x),[0,1]).", call, "splits.test.rows=0:1"}),
                HasSubstr("one-by-one: the outcome '0' of 'sol' cannot fill a blank"));
    write("labels.csv", "label,query\n1 2,\"sol(0,x,1)\"\n");
    write("places.csv", "0,0,0\n");
    EXPECT_THAT(mistake({call}), HasSubstr("has 3 numbers, but its output has 2 events"));
}

TEST_F(EvaluationTest, OneByOneNeedsALabel) {
    EXPECT_THAT(mistake({"evaluation.one_by_one=sol(y)"}), HasSubstr("no label 'sol(y)'"));
}

TEST_F(EvaluationTest, LogProbabilityIsMeasuredIfThereIsAnObservationAndItIsWanted) {
    const std::string observation = "example.observation=:- not sol(1,x,1).";
    EXPECT_FALSE(measure().contains("mean log P(O)"));
    const auto measured = measure({observation});
    // the probability of outcome 1 at the second place: logits 0 and -1, or 0 and -1 + 3 * 2
    const double expected = -(std::log1p(std::exp(-1.0)) + std::log1p(std::exp(5.0))) / 2;
    EXPECT_NEAR(measured.at("mean log P(O)"), expected, 1e-6);
    EXPECT_FALSE(
        measure({observation, "evaluation.log_probability=false"}).contains("mean log P(O)"));
}

// A mean of 0 over no examples would look perfect.
TEST_F(EvaluationTest, ThereIsNoMeanWhereNoExampleIsPossible) {
    const auto measured = measure({"example.observation=:- sol(1,x,1). :- not sol(1,x,1)."});
    EXPECT_FALSE(measured.contains("mean log P(O)"));
    EXPECT_EQ(measured.at("impossible"), 1.0);
}

TEST_F(EvaluationTest, ASearchCutShortByTheTimeLimitIsNotProven) {
    EXPECT_FALSE(measure({"evaluation.time_limit=100"}).contains("not proven"));
    EXPECT_EQ(measure({"evaluation.time_limit=1e-9"}).at("not proven"), 1.0);
}

TEST_F(EvaluationTest, NothingIsCompiledForSupervisedTraining) {
    const data::Experiment settings =
        experiment({"training.alpha=1", "training.epochs=1", "training.batch_size=2"});
    Trainer trainer(settings, false, {});
    trainer.run();
    EXPECT_EQ(trainer.step().statistics().largest_circuit, 0U);
    EXPECT_EQ(trainer.step().statistics().without_circuit, 0U);
}

} // namespace
} // namespace neurasp::learning
