// TrainingProgram::run compared with known distributions, for every method and kind of rule.
#include "testing.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::training {
namespace {

// Two examples with rows in a mixed order.
struct Two {
    std::vector<float> outputs{0.2F, 0.3F, 0.5F, 0.6F, 0.3F, 0.1F,
                               0.1F, 0.8F, 0.1F, 0.3F, 0.3F, 0.4F};
    std::vector<std::uint32_t> rows{2, 0, 1, 3};
    std::uint64_t step = 0;
    std::vector<float> gradient;
    std::vector<double> log;

    void run(TrainingProgram &program, const std::vector<std::string> &observations) {
        OneNetwork<float> batch;
        batch.outputs = outputs;
        batch.seed = 1;
        batch.step = step;
        for (std::size_t e = 0; e < 2; ++e) {
            batch.add(program.prepare(Observation{observations[e]}),
                      {rows[2 * e], rows[2 * e + 1]});
        }
        batch.run(program);
        gradient = batch.gradient;
        log = batch.log;
    }
};

// One example with these outputs, one row for each call.
OneNetwork<float> one_example(TrainingProgram &program, const std::string &observation,
                              std::vector<float> outputs, std::vector<std::uint32_t> rows) {
    OneNetwork<float> batch;
    batch.outputs = std::move(outputs);
    batch.add(program.prepare(Observation{observation}), std::move(rows));
    batch.run(program);
    return batch;
}

TEST(Run, FindsNetworksAndOutcomes) {
    TrainingProgram step(Program::from_text(addition));
    ASSERT_EQ(step.networks().size(), 1U);
    EXPECT_EQ(step.networks()[0].name, "digit");
    EXPECT_EQ(step.networks()[0].values, (std::vector<std::string>{"0", "1", "2"}));
    EXPECT_EQ(step.at(step.prepare(sum_is(2))).calls.size(), 2U);
}

TEST(Run, HasTheValuesOfTheReferenceForSharedAndDifferentObservations) {
    // original G1: i1 (0.2,0.3,0.5), i2 (0.6,0.3,0.1), sum 2: P = 0.2*0.1+0.3*0.3+0.5*0.6
    TrainingProgram step(Program::from_text(addition));
    Two two;
    two.rows = {0, 1, 2, 3};
    two.run(step, {":- not sum(2).", ":- not sum(0)."});
    const double p = 0.2 * 0.1 + 0.3 * 0.3 + 0.5 * 0.6;
    EXPECT_NEAR(two.log[0], std::log(p), 1e-6);
    EXPECT_NEAR(two.log[1], std::log(0.1 * 0.3), 1e-6);
    // plain: d log P / d p(i1=0) = p(i2=2) / P, and so on
    const float expected[] = {0.1F, 0.3F, 0.6F, 0.5F, 0.3F, 0.2F};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(two.gradient[i], expected[i] / p, 1e-5) << i;
    EXPECT_NEAR(two.gradient[6], 1 / 0.1, 1e-4);
    EXPECT_NEAR(two.gradient[7], 0.0, 1e-6);
    EXPECT_EQ(step.statistics().observations, 2U);
}

TEST(Run, FollowsPropositionOneIfAsked) {
    TrainingOptions options;
    options.convention = GradientConvention::proposition1;
    TrainingProgram step(Program::from_text(addition), options);
    Two two;
    two.rows = {0, 1, 2, 3};
    two.run(step, {":- not sum(2).", ":- not sum(2)."});
    // original G1
    const double expected[] = {-1.95122, -0.97561, 0.487805, -0.0, -0.97561, -1.463415};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(two.gradient[i], expected[i], 1e-4) << i;
}

TEST(Run, AgreesWithFiniteDifferences) {
    TrainingProgram step(Program::from_text(addition));
    Two two;
    const std::vector<std::string> observations{":- sum(3). :- sum(1).", ":- not sum(1)."};
    two.run(step, observations);
    const std::vector<float> gradient = two.gradient;
    for (std::size_t i = 0; i < two.outputs.size(); ++i) {
        constexpr float delta = 1e-3F;
        const float before = two.outputs[i];
        two.outputs[i] = before + delta;
        two.run(step, observations);
        const double up = two.log[0] + two.log[1];
        two.outputs[i] = before - delta;
        two.run(step, observations);
        const double down = two.log[0] + two.log[1];
        two.outputs[i] = before;
        EXPECT_NEAR(gradient[i], (up - down) / (2 * delta), 5e-3) << i;
    }
}

TEST(Run, EnumeratesIfThereIsNoCircuit) {
    // a | b with a cycle between a and b cannot be shifted: no circuit
    constexpr auto program = R"(nn(d(1,x),[t,f]).
a | b :- d(0,x,t). a :- b. b :- a.)";
    TrainingProgram step(Program::from_text(program));
    const auto one = one_example(step, ":- not a.", {0.25F, 0.75F}, {0});
    EXPECT_EQ(step.statistics().without_circuit, 1U);
    EXPECT_FALSE(step.at(one.examples[0].observation).has_circuit);
    EXPECT_NE(step.at(one.examples[0].observation).obstacle, "");
    EXPECT_EQ(one.status[0], ExampleStatus::exact);
    EXPECT_NEAR(one.log[0], std::log(0.25), 1e-6);
    EXPECT_NEAR(one.gradient[0], 4.0, 1e-4);
    EXPECT_NEAR(one.gradient[1], 0.0, 1e-6);
}

TEST(Run, ReturnsMinusInfinityAndNoGradientForImpossibleObservations) {
    TrainingProgram step(Program::from_text(addition));
    Two two;
    two.run(step, {":- not sum(7).", ":- not sum(1)."});
    EXPECT_TRUE(std::isinf(two.log[0]));
    EXPECT_TRUE(std::isfinite(two.log[1]));
    for (int i = 6; i < 9; ++i) EXPECT_EQ(two.gradient[i], 0.0F);
}

TEST(Run, TopKIsExactWhenKCoversAllModels) {
    TrainingOptions options;
    options.method = GradientMethod::top_k;
    options.k = 3;
    TrainingProgram exact(Program::from_text(addition));
    TrainingProgram top(Program::from_text(addition), options);
    Two a;
    Two b;
    const std::vector<std::string> observations{":- not sum(2).", ":- not sum(1)."};
    a.run(exact, observations);
    b.run(top, observations);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(a.gradient[i], b.gradient[i], 1e-4) << i;
}

TEST(Run, TopOneUsesOnlyTheMostProbableChoice) {
    TrainingOptions options;
    options.method = GradientMethod::top_k;
    options.k = 1;
    TrainingProgram top(Program::from_text(addition), options);
    Two two;
    two.rows = {0, 1, 2, 3};
    two.run(top, {":- not sum(2).", ":- not sum(2)."});
    // 0.5 * 0.6 is the largest: d/dp = 1/p for its two outcomes
    const double expected[] = {0, 0, 1 / 0.5, 1 / 0.6, 0, 0};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(two.gradient[i], expected[i], 1e-4) << i;
}

TEST(Run, SamplingConvergesToTheExactGradient) {
    TrainingOptions options;
    options.method = GradientMethod::sampling;
    options.samples = 40'000;
    TrainingProgram exact(Program::from_text(addition));
    TrainingProgram sampled(Program::from_text(addition), options);
    Two a;
    Two b;
    b.step = 1;
    const std::vector<std::string> observations{":- not sum(2).", ":- not sum(1)."};
    a.run(exact, observations);
    b.run(sampled, observations);
    // shares have a standard deviation below 0.5 / sqrt(40000) = 0.0025, divided by p >= 0.1; we allow five of them
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(a.gradient[i], b.gradient[i], 0.125) << i;
    const auto first = b.gradient;
    b.step = 2;
    b.run(sampled, observations);
    EXPECT_NE(first, b.gradient);
    b.step = 1;
    b.run(sampled, observations);
    EXPECT_EQ(first, b.gradient);
}

TEST(Run, SeveralThreadsGiveTheSameBits) {
    TrainingOptions options;
    options.threads = 4;
    TrainingProgram one(Program::from_text(addition));
    TrainingProgram four(Program::from_text(addition), options);
    Two a;
    Two b;
    const std::vector<std::string> observations{":- not sum(2).", ":- not sum(1)."};
    a.run(one, observations);
    b.run(four, observations);
    EXPECT_EQ(a.gradient, b.gradient);
    EXPECT_EQ(a.log, b.log);
}

TEST(Run, SharesTheNumbersOfALearnableRuleAmongItsInstances) {
    TrainingProgram step(Program::from_text("n(1..2). @0.25 : a(X) :- n(X)."));
    ASSERT_EQ(step.rules().size(), 1U);
    ASSERT_EQ(step.rule_numbers(), (std::vector<double>{0.25, 0.75}));
    OneNetwork<float> batch;
    batch.rule_numbers = {0.5, 0.5};
    batch.add(step.prepare(Observation{":- not a(1). :- not a(2)."}), {});
    batch.run(step);
    EXPECT_NEAR(batch.log[0], std::log(0.25), 1e-12);
    EXPECT_NEAR(batch.rule_gradient[0], 4.0, 1e-12); // d log p^2 / dp = 2 / p
    EXPECT_NEAR(batch.rule_gradient[1], 0.0, 1e-12);
}

TEST(Run, CountsOnlyLeastCostModelsInOptimalMode) {
    constexpr auto program = "nn(d(1,x),[a,b,c]). :~ d(0,x,b). [1] :~ d(0,x,c). [2]";
    TrainingOptions options;
    options.optimal = true;
    TrainingProgram step(Program::from_text(program), options);
    const auto one = one_example(step, ":- d(0,x,a).", {0.2F, 0.3F, 0.5F}, {0});
    EXPECT_NEAR(one.log[0], std::log(0.3), 1e-6);
    EXPECT_NEAR(one.gradient[1], 1 / 0.3, 1e-5);
    EXPECT_NEAR(one.gradient[2], 0.0, 1e-6);
}

TEST(Run, AcceptsFactsOfObservationsThatAddCalls) {
    TrainingProgram step(Program::from_text("nn(d(1,X),[t,f]) :- box(X). any :- d(0,X,t)."));
    EXPECT_TRUE(step.networks().empty());
    const ObservationId one = step.prepare(Observation{"box(a). :- not any."});
    const ObservationId two = step.prepare(Observation{"box(a). box(b). :- not any."});
    ASSERT_EQ(step.networks().size(), 1U);
    EXPECT_EQ(step.at(one).calls.size(), 1U);
    EXPECT_EQ(step.at(two).calls.size(), 2U);
    OneNetwork<float> batch;
    batch.outputs = {0.25F, 0.75F, 0.5F, 0.5F, 0.4F, 0.6F};
    batch.add(one, {0});
    batch.add(two, {1, 2});
    batch.run(step);
    EXPECT_NEAR(batch.log[0], std::log(0.25), 1e-6);
    EXPECT_NEAR(batch.log[1], std::log(1 - 0.5 * 0.6), 1e-6);
}

TEST(Run, UsesTheNumbersOfFixedRules) {
    TrainingProgram step(Program::from_text("nn(d(1,x),[t,f]). 0.3 : r. ok :- d(0,x,t), r."));
    EXPECT_TRUE(step.rules().empty());
    EXPECT_NEAR(one_example(step, ":- not ok.", {0.5F, 0.5F}, {0}).log[0], std::log(0.15), 1e-7);
}

TEST(Run, RefusesSizesThatDoNotFit) {
    TrainingProgram step(Program::from_text(addition));
    const std::uint32_t rows[] = {0, 2};
    const BatchExample example{step.prepare(sum_is(2)), rows};
    const std::vector<float> outputs(6, 1.0F / 3);
    TrainingBatch<float> batch;
    batch.outputs = {Rows<const float>::contiguous(outputs, step.networks()[0])};
    batch.examples = std::span(&example, 1);
    std::vector<double> log(1);
    EXPECT_THROW(step.run(batch, {log, {}, {}, {}}), ContractError); // there are two rows, 0 and 1
    const BatchExample one_row{example.observation, std::span(rows).first(1)};
    batch.examples = std::span(&one_row, 1);
    EXPECT_THROW(step.run(batch, {log, {}, {}, {}}), ContractError);
    const BatchExample unknown{ObservationId{7}, {}};
    batch.examples = std::span(&unknown, 1);
    EXPECT_THROW(step.run(batch, {log, {}, {}, {}}), ContractError);
    batch.examples = {};
    EXPECT_THROW(step.run(batch, {log, {}, {}, {}}), ContractError);
}

TEST(Run, IsRefusedIfOnlyCallsWereWanted) {
    TrainingOptions options;
    options.circuits = false;
    TrainingProgram step(Program::from_text(addition), options);
    const std::uint32_t rows[] = {0, 1};
    const BatchExample example{step.prepare(sum_is(2)), rows};
    const std::vector<float> outputs(6, 1.0F / 3);
    TrainingBatch<float> batch;
    batch.outputs = {Rows<const float>::contiguous(outputs, step.networks()[0])};
    batch.examples = std::span(&example, 1);
    std::vector<double> log(1);
    EXPECT_THROW(step.run(batch, {log, {}, {}, {}}), ContractError);
    EXPECT_EQ(step.outputs_of(batch, 0).table().at("digit").size(), 2U);
    EXPECT_THROW(step.outputs_of(batch, 1), ContractError);
}

// The derivative next to a probability of 0 is limited, and so is a sum of such derivatives.
TEST(Run, KeepsSumsOfHugeDerivativesFinite) {
    TrainingProgram step(Program::from_text("nn(d(1,x),[t,f])."));
    const ObservationId id = step.prepare(Observation{":- not d(0,x,t)."});
    const std::uint32_t row = 0;
    const std::vector<BatchExample> examples(40, {id, std::span(&row, 1)});
    const std::vector<float> outputs{1e-38F, 1.0F};
    std::vector<float> gradient(2);
    std::vector<double> log(40);
    TrainingBatch<float> batch;
    batch.outputs = {Rows<const float>::contiguous(outputs, step.networks()[0])};
    batch.examples = examples;
    step.run(batch, {log, {}, {Rows<float>::contiguous(gradient, step.networks()[0])}, {}});
    EXPECT_TRUE(std::isfinite(gradient[0]));
    EXPECT_GT(gradient[0], 1e36F);
}

TEST(Run, ProvidesOutputsForOtherQuestions) {
    TrainingProgram step(Program::from_text(addition));
    Two two;
    OneNetwork<float> batch;
    batch.outputs = two.outputs;
    batch.add(step.prepare(sum_is(2)), {0, 1});
    TrainingBatch<float> numbers;
    numbers.outputs = {batch.view<const float>(batch.outputs, step.networks()[0])};
    numbers.examples = batch.examples;
    const Question question = step.ask({}, {"sum(2)"});
    const auto answer = question.probability(step.outputs_of(numbers, 0));
    EXPECT_NEAR(answer.queries[0].joint.value, 0.41, 1e-7);
}

} // namespace
} // namespace neurasp::training
