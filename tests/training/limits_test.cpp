// Limits of prepare and run: finished work is kept, unfinished work is reported.
#include "testing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

namespace neurasp::training {
namespace {

// Coins, and an observation of random clauses about them that cannot be compiled in a minute.
constexpr auto coins = "0.5 : coin(X) :- X = 1..160. easy(X) :- coin(X).";

Observation hard_observation() {
    std::mt19937_64 random(1);
    std::string text;
    for (int clause = 0; clause < 260; ++clause) {
        text += ":- ";
        for (int literal = 0; literal < 3; ++literal) {
            text += std::string(literal == 0 ? "" : ", ") + (random() % 2 == 0 ? "" : "not ") +
                    "coin(" + std::to_string(random() % 160 + 1) + ")";
        }
        text += ".\n";
    }
    return {text};
}

Observation easy_observation(int number) { return {":- not easy({}).", {std::to_string(number)}}; }

class PrepareLimits : public ::testing::TestWithParam<std::size_t> {
  public:
    static TrainingProgram program(TrainingOptions options = {}) {
        options.threads = GetParam();
        return TrainingProgram(Program::from_text(coins), options);
    }
};

INSTANTIATE_TEST_SUITE_P(Threads, PrepareLimits, ::testing::Values(1U, 3U));

TEST_P(PrepareLimits, SecondsEndItAndTheNextCallContinues) {
    TrainingProgram training = program();
    const std::vector<Observation> observations{easy_observation(1), hard_observation(),
                                                easy_observation(2)};
    Limits limits;
    limits.seconds = 1.0;
    const auto ids = training.prepare(observations, limits);
    ASSERT_EQ(ids.size(), 1U);
    EXPECT_TRUE(training.at(ids[0]).has_circuit);
    EXPECT_EQ(training.statistics().without_circuit, 0U); // the hard one is not finished
    const std::vector<Observation> rest{easy_observation(1), easy_observation(2)};
    const auto again = training.prepare(rest, limits);
    ASSERT_EQ(again.size(), 2U);
    EXPECT_EQ(again[0], ids[0]);
    EXPECT_EQ(training.statistics().observations, 2U);
}

TEST_P(PrepareLimits, AnotherThreadStopsIt) {
    TrainingProgram training = program();
    const std::vector<Observation> observations{easy_observation(1), hard_observation()};
    training.prepare(observations[0]); // so that the order of compilation does not matter
    StopSource stop;
    std::atomic<bool> begun = false;
    std::jthread other([&] {
        while (!begun) std::this_thread::yield();
        stop.raise();
    });
    Limits limits;
    limits.stop = stop.token();
    limits.on_progress = [&](const Progress &progress) {
        EXPECT_EQ(progress.phase, Phase::preparing);
        EXPECT_EQ(progress.total, 2U);
        EXPECT_EQ(progress.done, 1U);
        begun = true;
    };
    EXPECT_EQ(training.prepare(observations, limits).size(), 1U);
    EXPECT_EQ(training.statistics().observations, 1U);
    EXPECT_EQ(training.prepare(observations, limits).size(), 1U); // the token is still raised
    limits.stop = {};
    limits.seconds = 0.5;
    EXPECT_EQ(training.prepare(observations, limits).size(), 1U); // and it is still hard
    EXPECT_EQ(training.statistics().without_circuit, 0U);
}

TEST_P(PrepareLimits, CompileSecondsApplyToOneObservation) {
    TrainingOptions options;
    options.compile_seconds = 0.5;
    TrainingProgram training = program(options);
    const std::vector<Observation> observations{easy_observation(1), hard_observation(),
                                                easy_observation(2)};
    const auto ids = training.prepare(observations);
    ASSERT_EQ(ids.size(), 3U);
    EXPECT_FALSE(training.at(ids[1]).has_circuit);
    EXPECT_NE(training.at(ids[1]).obstacle, "");
    EXPECT_TRUE(training.at(ids[2]).has_circuit);
    EXPECT_EQ(training.statistics().without_circuit, 1U);
}

TEST(PrepareProgress, ComesFromTheCallingThread) {
    TrainingOptions options;
    options.threads = 3;
    TrainingProgram training(Program::from_text(coins), options);
    std::vector<Observation> observations;
    for (int i = 1; i <= 40; ++i) observations.push_back(easy_observation(i));
    std::size_t calls = 0;
    Limits limits;
    limits.on_progress = [&, caller = std::this_thread::get_id()](const Progress &progress) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        EXPECT_LE(progress.done, 40U);
        ++calls;
    };
    EXPECT_EQ(training.prepare(observations, limits).size(), 40U);
    EXPECT_GE(calls, 1U);
}

// Any of three pictures derives a: seven of eight choices, each with one model. The disjunction allows no circuit.
constexpr auto disjunction = R"(img(1..3).
nn(d(1,X),[t,f]) :- img(X).
a | b :- d(0,X,t). a :- b. b :- a.)";

class RunLimits : public ::testing::Test {
  public:
    RunLimits() {
        batch.outputs = {0.5F, 0.5F, 0.25F, 0.75F, 0.125F, 0.875F};
        batch.add(program.prepare(Observation{":- not a."}), {0, 1, 2});
    }
    TrainingProgram program{Program::from_text(disjunction)};
    OneNetwork<float> batch;
    static constexpr double all = 1.0 - 0.5 * 0.75 * 0.875;
};

TEST_F(RunLimits, WithoutLimitsTheAnswerIsExact) {
    batch.run(program);
    EXPECT_EQ(batch.status[0], ExampleStatus::exact);
    EXPECT_NEAR(batch.log[0], std::log(all), 1e-12);
    EXPECT_NEAR(batch.gradient[0], 1.0 / all, 1e-5); // the others may be anything
}

TEST_F(RunLimits, AModelLimitLeavesALowerBound) {
    Limits limits;
    limits.models = 2;
    batch.run(program, limits);
    EXPECT_EQ(batch.status[0], ExampleStatus::lower_bound);
    EXPECT_LT(batch.log[0], std::log(all));
    EXPECT_TRUE(std::isfinite(batch.log[0]));
    double sum = 0.0;
    for (std::size_t i = 0; i < 6; ++i) sum += batch.gradient[i] * batch.outputs[i];
    // P is a sum of products of three factors, so the derivatives times the factors give three times P / P
    EXPECT_NEAR(sum, 3.0, 1e-5);
}

TEST_F(RunLimits, AStopTokenLeavesExamplesUnanswered) {
    StopSource stop;
    stop.raise();
    Limits limits;
    limits.stop = stop.token();
    batch.run(program, limits);
    EXPECT_EQ(batch.status[0], ExampleStatus::unanswered);
    EXPECT_TRUE(std::isinf(batch.log[0]));
    for (const float derivative : batch.gradient) EXPECT_EQ(derivative, 0.0F);
}

TEST_F(RunLimits, SecondsApplyToTheWholeBatch) {
    Limits limits;
    limits.seconds = 0.0;
    batch.run(program, limits);
    EXPECT_EQ(batch.status[0], ExampleStatus::unanswered);
}

TEST_F(RunLimits, ReportImpossibleExamples) {
    OneNetwork<float> none;
    none.outputs = batch.outputs;
    none.add(program.prepare(Observation{":- not a. :- d(0,X,t)."}), {0, 1, 2});
    none.run(program);
    EXPECT_EQ(none.status[0], ExampleStatus::impossible);
    EXPECT_TRUE(std::isinf(none.log[0]));
}

TEST(RunLimitsOfCircuits, AStopTokenLeavesExamplesUnanswered) {
    TrainingProgram program(Program::from_text(addition));
    OneNetwork<float> batch;
    batch.outputs = random_rows<float>(2, 3, 0, 1);
    batch.add(program.prepare(sum_is(2)), {0, 1});
    StopSource stop;
    stop.raise();
    Limits limits;
    limits.stop = stop.token();
    batch.run(program, limits);
    EXPECT_EQ(batch.status[0], ExampleStatus::unanswered);
    for (const float derivative : batch.gradient) EXPECT_EQ(derivative, 0.0F);
}

} // namespace
} // namespace neurasp::training
