// Concurrent runs compute the same numbers as each would alone. ThreadSanitizer checks these, too
// (preset `tsan`).
#include "testing.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace neurasp::training {
namespace {

constexpr auto three_digits = R"(img(1..3).
nn(digit(1,X),[0,1,2]) :- img(X).
sum(S) :- digit(0,1,A), digit(0,2,B), S = A + B.)";
// This disjunction has no circuit, so its models are enumerated.
constexpr auto disjunctive = "a | b :- digit(0,3,0). a :- b. b :- a. :- not a.";

OneNetwork<float> mixed_batch(TrainingProgram &program, std::uint64_t seed) {
    OneNetwork<float> batch;
    batch.outputs = random_rows<float>(60, 3, 0, seed);
    const ObservationId enumerated = program.prepare(Observation{disjunctive});
    EXPECT_FALSE(program.at(enumerated).has_circuit);
    for (std::uint32_t e = 0; e < 200; ++e) {
        // rows are shared: sums of gradients must not depend on which thread comes first
        if (e % 20 == 0) {
            std::vector<std::uint32_t> rows;
            for (std::uint32_t c = 0; c < program.at(enumerated).relevant_calls; ++c) {
                rows.push_back((e + c) % 60);
            }
            batch.add(enumerated, rows, 0.5);
        } else {
            batch.add(program.prepare(sum_is(static_cast<int>(e % 5))), {e % 60, (7 * e) % 60},
                      1.0 + 0.01 * e);
        }
    }
    return batch;
}

class Threads : public ::testing::TestWithParam<GradientMethod> {};

INSTANTIATE_TEST_SUITE_P(Methods, Threads,
                         ::testing::Values(GradientMethod::exact, GradientMethod::sampling,
                                           GradientMethod::top_k));

TEST_P(Threads, TheNumberOfThreadsChangesNoBit) {
    std::vector<std::vector<float>> gradients;
    std::vector<std::vector<double>> logs;
    for (const std::size_t threads : {1U, 2U, 5U}) {
        TrainingOptions options;
        options.method = GetParam();
        options.threads = threads;
        TrainingProgram program(Program::from_text(three_digits), options);
        auto batch = mixed_batch(program, 9);
        batch.run(program);
        gradients.push_back(batch.gradient);
        logs.push_back(batch.log);
    }
    EXPECT_EQ(gradients[0], gradients[1]);
    EXPECT_EQ(gradients[0], gradients[2]);
    EXPECT_EQ(logs[0], logs[1]);
    EXPECT_EQ(logs[0], logs[2]);
}

TEST_P(Threads, ConcurrentRunsComputeTheSameAsEachAlone) {
    TrainingOptions options;
    options.method = GetParam();
    options.threads = 2;
    TrainingProgram program(Program::from_text(three_digits), options);
    std::vector<OneNetwork<float>> batches;
    for (std::uint64_t seed = 0; seed < 3; ++seed) batches.push_back(mixed_batch(program, seed));
    std::vector<OneNetwork<float>> alone = batches;
    for (auto &batch : alone) batch.run(program);
    {
        std::vector<std::jthread> threads;
        for (auto &batch : batches) {
            threads.emplace_back([&] {
                for (int again = 0; again < 3; ++again) batch.run(program);
            });
        }
    }
    for (std::size_t b = 0; b < batches.size(); ++b) {
        EXPECT_EQ(batches[b].log, alone[b].log) << b;
        EXPECT_EQ(batches[b].gradient, alone[b].gradient) << b;
    }
}

TEST(ThreadsOfPreparation, CompileSideBySide) {
    TrainingOptions options;
    options.threads = 4;
    TrainingProgram program(Program::from_text(R"(img(1..4).
nn(digit(1,X),[0,1,2]) :- img(X).
sum(S) :- S = #sum { D,X : digit(0,X,D) }.)"),
                            options);
    std::vector<Observation> observations;
    for (int a = 0; a < 9; ++a) {
        for (int b = 0; b < 9; ++b) {
            observations.push_back(
                {":- sum({}). :- sum({}).", {std::to_string(a), std::to_string(b)}});
        }
    }
    EXPECT_EQ(program.prepare(observations).size(), observations.size());
    EXPECT_EQ(program.statistics().without_circuit, 0U);
}

} // namespace
} // namespace neurasp::training
