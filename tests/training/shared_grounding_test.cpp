// Observations that share a grounding without a circuit: which do, their numbers by hand, and what the statistics say. Random
// programs are in tests/property/families_test.cpp.
#include "testing.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::training {
namespace {

constexpr double sum_rounding = 1e-14;

TrainingOptions only_grounding() {
    TrainingOptions options;
    options.families = FamilyUse::only_grounding;
    return options;
}

TEST(SharedGrounding, GivesTheNumbersByHand) {
    TrainingProgram program(Program::from_text(addition), only_grounding());
    std::vector<Observation> observations;
    for (int sum = 0; sum <= 5; ++sum) observations.push_back(sum_is(sum));
    const auto ids = program.prepare(observations);
    EXPECT_EQ(program.statistics().grounded_together, 6U);
    EXPECT_EQ(program.statistics().in_families, 0U);
    OneNetwork<double> batch;
    batch.outputs = {0.1, 0.7, 0.2, 0.3, 0.3, 0.4};
    for (const ObservationId id : ids) {
        std::vector<std::uint32_t> rows; // i1 is row 0, i2 row 1
        for (const NetworkCall &call : program.at(id).calls)
            rows.push_back(call.terms == "i1" ? 0 : 1);
        batch.add(id, rows);
    }
    batch.run(program);
    const std::vector<double> expected = {0.1 * 0.3, 0.1 * 0.3 + 0.7 * 0.3,
                                          0.1 * 0.4 + 0.7 * 0.3 + 0.2 * 0.3, 0.7 * 0.4 + 0.2 * 0.3,
                                          0.2 * 0.4};
    for (std::size_t sum = 0; sum < expected.size(); ++sum) {
        EXPECT_NEAR(std::exp(batch.log[sum]), expected[sum], sum_rounding) << sum;
    }
    EXPECT_EQ(batch.status[5], ExampleStatus::impossible);
}

TEST(SharedGrounding, CoversCostsThatAFamilyDoesNot) {
    // b and c cost 2 together, not each, so there is no family
    TrainingOptions options;
    options.optimal = true;
    options.families = FamilyUse::always;
    TrainingProgram program(Program::from_text(R"(nn(take(2,x),[a,b,c]).
:~ take(_,x,V), cost(V,C). [C])"),
                            options);
    const std::vector<Observation> observations{{"cost(a,1). cost(b,2). cost(c,2)."},
                                                {"cost(a,5). cost(b,2). cost(c,2)."}};
    const auto ids = program.prepare(observations);
    EXPECT_EQ(program.statistics().families, 0U);
    EXPECT_EQ(program.statistics().grounded_together, 2U);
    OneNetwork<double> batch;
    batch.outputs = {0.5, 0.2, 0.3, 0.4, 0.4, 0.2};
    for (const ObservationId id : ids) batch.add(id, {0});
    batch.run(program);
    EXPECT_NEAR(std::exp(batch.log[0]), 0.5 * 0.4, sum_rounding); // both a: cost 1
    EXPECT_NEAR(std::exp(batch.log[1]), 0.5 * 0.6, sum_rounding); // none is a: cost 2
}

TEST(SharedGrounding, IsNotUsedWhereFactsDecideWhetherAnExternalCounts) {
    // rules win over #external, and whether b has one depends on the facts: 0.2 with q, 1 without
    TrainingProgram program(Program::from_text(R"(nn(d(1,a),[t,f]).
#external b. [true]
b :- q, d(0,a,t).
c :- b.)"),
                            only_grounding());
    const std::vector<Observation> observations{{"q. :- not c."}, {":- not c."}};
    const auto ids = program.prepare(observations);
    EXPECT_EQ(program.statistics().grounded_together, 0U);
    OneNetwork<double> batch;
    batch.outputs = {0.2, 0.8};
    for (const ObservationId id : ids) batch.add(id, {0});
    batch.run(program);
    EXPECT_NEAR(std::exp(batch.log[0]), 0.2, sum_rounding);
    EXPECT_NEAR(std::exp(batch.log[1]), 1.0, sum_rounding);
}

TEST(SharedGrounding, LeavesWhatHasNoCircuitToEnumeration) {
    TrainingProgram program(Program::from_text(R"(nn(n(1,i),[x,y]).
#edge (1,2) : n(0,i,x). #edge (2,1) : on(1). a :- n(0,i,x). a :- n(0,i,y).)"),
                            only_grounding());
    const std::vector<Observation> observations{{"on(1). :- not a."}, {"on(2). :- not a."}};
    const auto ids = program.prepare(observations);
    EXPECT_EQ(program.statistics().without_circuit, 2U);
    OneNetwork<double> batch;
    batch.outputs = {0.6, 0.4};
    for (const ObservationId id : ids) batch.add(id, {0});
    batch.run(program);
    EXPECT_NEAR(std::exp(batch.log[0]), 0.4, sum_rounding); // x would close a cycle
    EXPECT_NEAR(std::exp(batch.log[1]), 1.0, sum_rounding);
}

TEST(SharedGrounding, EnumeratesWhereACircuitIsOutOfReach) {
    TrainingOptions options = only_grounding();
    options.compile_seconds = 0.0;
    TrainingProgram program(Program::from_text(addition), options);
    const std::vector<Observation> observations{sum_is(1), sum_is(3)};
    const auto ids = program.prepare(observations);
    ASSERT_EQ(ids.size(), 2U);
    EXPECT_EQ(program.statistics().without_circuit, 2U);
    EXPECT_FALSE(program.at(ids[0]).obstacle.empty());
    OneNetwork<double> batch;
    batch.outputs = {0.1, 0.7, 0.2, 0.3, 0.3, 0.4};
    for (const ObservationId id : ids) batch.add(id, {0, 1});
    batch.run(program);
    EXPECT_NEAR(std::exp(batch.log[0]), 0.24, sum_rounding);
    EXPECT_NEAR(std::exp(batch.log[1]), 0.7 * 0.4 + 0.2 * 0.3, sum_rounding);
}

TEST(SharedGrounding, IsWhatAFailedFamilyLeaves) {
    // 60 random tables of which output is right: nothing in common, so a family costs more than it saves
    std::string text = "nn(m(4,x),[0,1,2,3,4,5,6,7,8,9]).\n";
    text += "t(A+B,C+D,A+C,B+D) :- m(0,x,A), m(1,x,B), m(2,x,C), m(3,x,D).\n";
    std::vector<Observation> observations;
    for (int i = 0; i < 60; ++i) {
        const int a = i % 10, b = i / 7 % 10, c = i / 3 % 10, e = i * 7 % 10;
        observations.push_back({":- not t({},{},{},{}).",
                                {std::to_string(a + b), std::to_string(c + e),
                                 std::to_string(a + c), std::to_string(b + e)}});
    }
    TrainingProgram program(Program::from_text(text));
    const auto ids = program.prepare(observations);
    ASSERT_EQ(ids.size(), observations.size());
    const TrainingStatistics statistics = program.statistics();
    EXPECT_EQ(statistics.families, 0U);
    EXPECT_EQ(statistics.grounded_together, statistics.observations);
    ASSERT_EQ(statistics.kinds.size(), 1U);
    EXPECT_EQ(statistics.kinds[0].grounded_together, statistics.observations);
    EXPECT_FALSE(statistics.kinds[0].refusal.empty());
    EXPECT_EQ(statistics.kinds[0].example.substr(0, 10), ":- not t(0");
}

TEST(SharedGrounding, GivesTheSameCircuitsWithAnyNumberOfThreads) {
    std::vector<std::vector<std::size_t>> edges;
    for (const std::size_t threads : {1U, 4U}) {
        TrainingOptions options = only_grounding();
        options.threads = threads;
        TrainingProgram program(Program::from_text(addition), options);
        std::vector<Observation> observations;
        for (int sum = 0; sum <= 4; ++sum) observations.push_back(sum_is(sum));
        auto &found = edges.emplace_back();
        for (const ObservationId id : program.prepare(observations)) {
            found.push_back(program.at(id).edges);
        }
    }
    EXPECT_EQ(edges[0], edges[1]);
}

} // namespace
} // namespace neurasp::training
