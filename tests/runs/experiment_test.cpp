// The parts of an experiment that a run uses: program, inputs, settings.
#include "data/experiment_file.hpp"
#include "neurasp/diagnostic.hpp"
#include "runs/experiment_program.hpp"
#include "runs/experiment_settings.hpp"
#include "runs/right_counts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::runs {
namespace {

using testing::HasSubstr;

data::Experiment experiment(const std::string &text) {
    return data::read_experiment(text, "dir/x.toml");
}

template <class Action> Diagnostic error_of(Action action) {
    try {
        action();
    } catch (const InputError &error) {
        return error.diagnostics().front();
    }
    ADD_FAILURE() << "no InputError";
    return {};
}

TEST(ExperimentProgram, IsTheTextOfTheFileWithTheAddedRules) {
    const auto settings = experiment("program_text = 'a.'");
    EXPECT_EQ(program_text(settings), "a.\n");
    const std::string text = program_of(settings, {{"<more>", "b :- a."}}).clingo_text();
    EXPECT_THAT(text, HasSubstr("a."));
    EXPECT_THAT(text, HasSubstr("b :- a."));
}

TEST(ExperimentProgram, AMistakeIsLocatedInTheExperimentFile) {
    const auto settings = experiment("program_text = 'nn(d(1,x),[).'");
    EXPECT_EQ(error_of([&] { program_of(settings); }).location.file, "dir/x.toml (program_text)");
}

TEST(ExperimentProgram, AFileThatIsMissingIsNamed) {
    const auto settings = experiment("program = 'none.lp'");
    try {
        program_of(settings);
        FAIL() << "no EnvironmentError";
    } catch (const EnvironmentError &error) {
        EXPECT_THAT(error.what(), HasSubstr("dir/none.lp': No such file or directory"));
    }
}

TEST(TypicalObservation, HasZerosInItsHoles) {
    const auto text = [](const std::string &observation) {
        const auto typical = typical_observation(
            experiment("program = 'p'\n[example]\nobservation = '" + observation + "'"));
        return typical ? typical->text : "none";
    };
    EXPECT_EQ(text(":- not sum({sum})."), ":- not sum(0).");
    EXPECT_EQ(text("check({d}). :- not {seen}."), "check(0). :- not 0.");
    EXPECT_EQ(text("a. {{b}}."), "a. {b}.");
    EXPECT_EQ(text(""), "");
    // which statements there are, only the data says
    EXPECT_EQ(text("{facts}"), "none");
    EXPECT_EQ(text(" a. {facts} :- not b."), "none");
    EXPECT_FALSE(
        typical_observation(experiment("program = 'p'\n[example]\nobservation_file = 'none'")));
}

TEST(ExperimentSettings, AMissingNetworkIsReportedWithAHint) {
    const auto settings = experiment("program = 'p'\nnetworks.digit.preset = 'x'");
    EXPECT_EQ(settings_of(settings, "digit").spec.preset, "x");
    const Diagnostic error = error_of([&] { settings_of(settings, "digits"); });
    EXPECT_EQ(error.code, "missing-network");
    EXPECT_EQ(error.location.file, "dir/x.toml");
    EXPECT_EQ(error.hint, "there is [networks.digit]");
    EXPECT_EQ(error_of([] { settings_of(experiment("program = 'p'"), "digit"); }).hint,
              "add it, with a preset, layers or a script");
}

TEST(ExperimentSettings, ThereIsAtLeastOneThread) {
    EXPECT_EQ(thread_count(experiment("program = 'p'\ntraining.threads = 3")), 3U);
    EXPECT_GE(thread_count(experiment("program = 'p'\ntraining.threads = 0")), 1U);
}

TEST(ExperimentSettings, WithoutAnObservationThereIsNoLogProbability) {
    const std::string observed = "program = 'p'\nexample.observation = ':- a.'\n";
    EXPECT_TRUE(data::measures_log_probability(experiment(observed)));
    EXPECT_FALSE(data::measures_log_probability(experiment("program = 'p'")));
    EXPECT_FALSE(data::measures_log_probability(
        experiment(observed + "evaluation.log_probability = false")));
}

TEST(RightCounts, AddUpAndNoneIsAShareOfZero) {
    RightCounts counts;
    EXPECT_EQ(counts.event_share(), 0.0);
    counts += {4, 3, 2, 1};
    counts += {4, 1, 2, 0};
    EXPECT_EQ(counts.event_share(), 0.5);
    EXPECT_EQ(counts.output_share(), 0.25);
}

} // namespace
} // namespace neurasp::runs
