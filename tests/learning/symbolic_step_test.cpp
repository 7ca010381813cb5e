// The symbolic step against the reasoner's own gradient, finite differences, and known distributions.
#include "learning/plan.hpp"
#include "learning/symbolic_step.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::learning {
namespace {

constexpr auto addition = R"(img(i1). img(i2).
nn(digit(1,X),[0,1,2]) :- img(X).
sum(S) :- digit(0,i1,A), digit(0,i2,B), S = A + B.)";

// Two examples with rows in a mixed order.
struct Two {
    std::vector<float> outputs{0.2F, 0.3F, 0.5F, 0.6F, 0.3F, 0.1F,
                               0.1F, 0.8F, 0.1F, 0.3F, 0.3F, 0.4F};
    std::vector<std::uint32_t> rows{2, 0, 1, 3};
    std::vector<float> gradient = std::vector<float>(12);
    std::vector<double> log = std::vector<double>(2);
    std::vector<StepExample> examples;

    void run(SymbolicStep &step, const std::vector<std::string> &observations) {
        examples.clear();
        for (std::size_t e = 0; e < 2; ++e) {
            examples.push_back({&step.plan(observations[e]), std::span(rows).subspan(2 * e, 2)});
        }
        std::fill(gradient.begin(), gradient.end(), 0.0F);
        step.run({{outputs}, {}, examples}, {log, {gradient}, {}});
    }
};

TEST(SymbolicStep, FindsNetworksAndOutcomes) {
    SymbolicStep step(Program::from_text(addition), {});
    ASSERT_EQ(step.networks().size(), 1U);
    EXPECT_EQ(step.networks()[0].name, "digit");
    EXPECT_EQ(step.networks()[0].values, (std::vector<std::string>{"0", "1", "2"}));
    EXPECT_EQ(step.calls(step.plan(":- not sum(2).")).size(), 2U);
}

TEST(SymbolicStep, GivesTheValuesOfTheReferenceForSharedAndDifferentObservations) {
    // REFERENCE.md, G1: i1 (0.2,0.3,0.5), i2 (0.6,0.3,0.1), sum 2: P = 0.2*0.1+0.3*0.3+0.5*0.6
    SymbolicStep step(Program::from_text(addition), {});
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
    EXPECT_EQ(step.statistics().plans, 2U);
}

TEST(SymbolicStep, FollowsPropositionOneIfAsked) {
    StepOptions options;
    options.convention = GradientConvention::proposition1;
    SymbolicStep step(Program::from_text(addition), options);
    Two two;
    two.rows = {0, 1, 2, 3};
    two.run(step, {":- not sum(2).", ":- not sum(2)."});
    // REFERENCE.md, G1
    const double expected[] = {-1.95122, -0.97561, 0.487805, -0.0, -0.97561, -1.463415};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(two.gradient[i], expected[i], 1e-4) << i;
}

TEST(SymbolicStep, AgreesWithFiniteDifferences) {
    SymbolicStep step(Program::from_text(addition), {});
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

TEST(SymbolicStep, EnumeratesWhereThereIsNoCircuit) {
    // a | b with a cycle between them is real disjunction: no circuit
    constexpr auto program = R"(nn(d(1,x),[t,f]).
a | b :- d(0,x,t). a :- b. b :- a.)";
    SymbolicStep step(Program::from_text(program), {});
    const Plan &plan = step.plan(":- not a.");
    EXPECT_EQ(step.statistics().without_circuit, 1U);
    const std::vector<float> outputs{0.25F, 0.75F};
    const std::vector<std::uint32_t> rows{0};
    std::vector<StepExample> examples{{&plan, rows}};
    std::vector<double> log(1);
    std::vector<float> gradient(2);
    step.run({{outputs}, {}, examples}, {log, {gradient}, {}});
    EXPECT_NEAR(log[0], std::log(0.25), 1e-6);
    EXPECT_NEAR(gradient[0], 4.0, 1e-4);
    EXPECT_NEAR(gradient[1], 0.0, 1e-6);
}

TEST(SymbolicStep, GivesMinusInfinityAndNoGradientForImpossibleObservations) {
    SymbolicStep step(Program::from_text(addition), {});
    Two two;
    two.run(step, {":- not sum(7).", ":- not sum(1)."});
    EXPECT_TRUE(std::isinf(two.log[0]));
    EXPECT_TRUE(std::isfinite(two.log[1]));
    for (int i = 6; i < 9; ++i) EXPECT_EQ(two.gradient[i], 0.0F);
}

TEST(SymbolicStep, TopKIsExactWhenKCoversAllModels) {
    StepOptions options;
    options.method = GradientMethod::top_k;
    options.k = 3;
    SymbolicStep exact(Program::from_text(addition), {});
    SymbolicStep top(Program::from_text(addition), options);
    Two a;
    Two b;
    const std::vector<std::string> observations{":- not sum(2).", ":- not sum(1)."};
    a.run(exact, observations);
    b.run(top, observations);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(a.gradient[i], b.gradient[i], 1e-4) << i;
}

TEST(SymbolicStep, TopOneTakesTheMostProbableChoiceOnly) {
    StepOptions options;
    options.method = GradientMethod::top_k;
    options.k = 1;
    SymbolicStep top(Program::from_text(addition), options);
    Two two;
    two.rows = {0, 1, 2, 3};
    two.run(top, {":- not sum(2).", ":- not sum(2)."});
    // 0.5 * 0.6 is the largest: d/dp = 1/p for its two outcomes
    const double expected[] = {0, 0, 1 / 0.5, 1 / 0.6, 0, 0};
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(two.gradient[i], expected[i], 1e-4) << i;
}

TEST(SymbolicStep, SamplingConvergesToTheExactGradient) {
    StepOptions options;
    options.method = GradientMethod::sampling;
    options.samples = 40'000;
    SymbolicStep exact(Program::from_text(addition), {});
    SymbolicStep sampled(Program::from_text(addition), options);
    sampled.set_random_state(1, 1);
    Two a;
    Two b;
    const std::vector<std::string> observations{":- not sum(2).", ":- not sum(1)."};
    a.run(exact, observations);
    b.run(sampled, observations);
    // shares have a standard deviation below 0.5 / sqrt(40000) = 0.0025; divided by p >= 0.1; five of them
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(a.gradient[i], b.gradient[i], 0.125) << i;
    const auto first = b.gradient;
    sampled.set_random_state(1, 2);
    b.run(sampled, observations);
    EXPECT_NE(first, b.gradient);
    sampled.set_random_state(1, 1);
    b.run(sampled, observations);
    EXPECT_EQ(first, b.gradient);
}

TEST(SymbolicStep, SeveralThreadsGiveTheSameBits) {
    StepOptions options;
    options.threads = 4;
    SymbolicStep one(Program::from_text(addition), {});
    SymbolicStep four(Program::from_text(addition), options);
    Two a;
    Two b;
    const std::vector<std::string> observations{":- not sum(2).", ":- not sum(1)."};
    a.run(one, observations);
    b.run(four, observations);
    EXPECT_EQ(a.gradient, b.gradient);
    EXPECT_EQ(a.log, b.log);
}

TEST(SymbolicStep, SharesTheNumbersOfALearnableRuleAmongItsInstances) {
    SymbolicStep step(Program::from_text("n(1..2). @0.25 : a(X) :- n(X)."), {});
    ASSERT_EQ(step.rules().size(), 1U);
    ASSERT_EQ(step.rule_number_count(), 2U);
    std::vector<StepExample> examples{{&step.plan(":- not a(1). :- not a(2)."), {}}};
    std::vector<double> log(1);
    std::vector<double> gradient(2);
    const std::vector<double> numbers{0.5, 0.5};
    step.run({{}, numbers, examples}, {log, {}, gradient});
    EXPECT_NEAR(log[0], std::log(0.25), 1e-12);
    EXPECT_NEAR(gradient[0], 4.0, 1e-12); // d log p^2 / dp = 2 / p
    EXPECT_NEAR(gradient[1], 0.0, 1e-12);
}

TEST(SymbolicStep, CountsLeastCostModelsOnlyInOptimalMode) {
    constexpr auto program = "nn(d(1,x),[a,b,c]). :~ d(0,x,b). [1] :~ d(0,x,c). [2]";
    StepOptions options;
    options.optimal = true;
    SymbolicStep step(Program::from_text(program), options);
    const std::vector<std::uint32_t> rows{0};
    std::vector<StepExample> examples{{&step.plan(":- d(0,x,a)."), rows}};
    std::vector<double> log(1);
    std::vector<float> gradient(3);
    const std::vector<float> outputs{0.2F, 0.3F, 0.5F};
    step.run({{outputs}, {}, examples}, {log, {gradient}, {}});
    EXPECT_NEAR(log[0], std::log(0.3), 1e-6);
    EXPECT_NEAR(gradient[1], 1 / 0.3, 1e-5);
    EXPECT_NEAR(gradient[2], 0.0, 1e-6);
}

TEST(SymbolicStep, TakesFactsOfObservationsThatBringCalls) {
    SymbolicStep step(Program::from_text("nn(d(1,X),[t,f]) :- box(X). any :- d(0,X,t)."), {});
    EXPECT_TRUE(step.networks().empty());
    const Plan &one = step.plan("box(a). :- not any.");
    const Plan &two = step.plan("box(a). box(b). :- not any.");
    ASSERT_EQ(step.networks().size(), 1U);
    EXPECT_EQ(step.calls(one).size(), 1U);
    EXPECT_EQ(step.calls(two).size(), 2U);
    const std::vector<std::uint32_t> rows{0, 1, 2};
    std::vector<StepExample> examples{{&one, std::span(rows).first(1)},
                                      {&two, std::span(rows).last(2)}};
    const std::vector<float> outputs{0.25F, 0.75F, 0.5F, 0.5F, 0.4F, 0.6F};
    std::vector<double> log(2);
    step.run({{outputs}, {}, examples}, {log, {}, {}});
    EXPECT_NEAR(log[0], std::log(0.25), 1e-6);
    EXPECT_NEAR(log[1], std::log(1 - 0.5 * 0.6), 1e-6);
}

TEST(SymbolicStep, UsesTheNumbersOfFixedRules) {
    SymbolicStep step(Program::from_text("nn(d(1,x),[t,f]). 0.3 : r. ok :- d(0,x,t), r."), {});
    EXPECT_TRUE(step.rules().empty());
    const std::vector<std::uint32_t> rows{0};
    std::vector<StepExample> examples{{&step.plan(":- not ok."), rows}};
    std::vector<double> log(1);
    std::vector<float> gradient(2);
    const std::vector<float> outputs{0.5F, 0.5F};
    step.run({{outputs}, {}, examples}, {log, {gradient}, {}});
    EXPECT_NEAR(log[0], std::log(0.15), 1e-7);
}

} // namespace
} // namespace neurasp::learning
