// Any number of threads may ask one reasoner; all get the same answers as one thread would.
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <thread>

namespace neurasp::inference::test {
namespace {

constexpr std::size_t thread_count = 4;
constexpr std::size_t rounds = 6;

// Two digits and their sum; because of a free choice, some total choices have two models.
constexpr auto digit_sums = R"(
nn(digit(1,X),[0,1,2,3]) :- X = (l;r).
sum(A+B) :- digit(0,l,A), digit(0,r,B).
{f} :- sum(3).
g :- f. g :- sum(1).
)";

constexpr std::array left_row{0.1, 0.2, 0.3, 0.4};
constexpr std::array right_row{0.4, 0.1, 0.25, 0.25};

NetworkOutputs two_digits() {
    NetworkOutputs outputs;
    outputs.set("digit", "l", {left_row.begin(), left_row.end()});
    outputs.set("digit", "r", {right_row.begin(), right_row.end()});
    return outputs;
}

double sum_is(std::size_t sum) {
    double p = 0.0;
    for (std::size_t a = 0; a < 4; ++a) {
        if (sum >= a && sum - a < 4) p += left_row[a] * right_row[sum - a];
    }
    return p;
}

std::size_t pairs_with(std::size_t sum) { return sum < 4 ? sum + 1 : 7 - sum; }

void on_all_threads(const std::function<void(std::size_t)> &work) {
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < thread_count; ++t) threads.emplace_back(work, t);
    for (std::thread &thread : threads) thread.join();
}

// Each kind of question about one sum, by one engine.
void ask_everything(Reasoner &reasoner, std::size_t sum, const std::string &engine) {
    Settings settings;
    settings.engine = engine;
    const Question question =
        reasoner.ask({{":- not sum({}).", {std::to_string(sum)}}}, {"digit(0,l,0)", "g"});
    const NetworkOutputs outputs = two_digits();
    const auto answer = question.probability(outputs, settings);
    EXPECT_NEAR(answer.probability, sum_is(sum), probability_tolerance) << sum;
    const double joint = sum < 4 ? left_row[0] * right_row[sum] : 0.0;
    EXPECT_NEAR(answer.queries.at(0).joint, joint, probability_tolerance) << sum;
    const double g = sum == 3 ? sum_is(3) / 2 : sum == 1 ? sum_is(1) : 0.0;
    EXPECT_NEAR(answer.queries.at(1).joint, g, probability_tolerance) << sum;
    const auto marginals = question.marginals(outputs, settings);
    ASSERT_EQ(marginals.variables.size(), 2U);
    EXPECT_NEAR(marginals.variables[0].values.at(0), joint / sum_is(sum), probability_tolerance);
    EXPECT_EQ(all_models(question, outputs, settings).models.size(),
              (sum == 3 ? 2 : 1) * pairs_with(sum));
    EXPECT_EQ(question.most_probable(outputs, 1, false, settings).models.size(), 1U);
    EXPECT_EQ(question.sample(outputs, 2, settings).models.size(), 2U);
}

void compile_and_evaluate(Reasoner &reasoner, std::size_t sum) {
    const Question question = reasoner.ask(":- not sum(" + std::to_string(sum) + ").");
    const Compilation compiled = question.compile();
    ASSERT_TRUE(compiled.circuit.has_value()) << compiled.note;
    const std::vector<double> weights = compiled.circuit->weights(two_digits());
    std::vector<double> log(1);
    CircuitEvaluator<double>(*compiled.circuit).run(weights, 1, log, {});
    EXPECT_NEAR(std::exp(log[0]), sum_is(sum), probability_tolerance) << sum;
}

TEST(Threads, AskOneReasonerTheSameQuestions) {
    Reasoner reasoner(Program::from_text(digit_sums));
    on_all_threads([&](std::size_t) {
        for (std::size_t i = 0; i < rounds; ++i) ask_everything(reasoner, i, "auto");
    });
}

TEST(Threads, AskOneReasonerDifferentQuestionsByDifferentEngines) {
    Reasoner reasoner(Program::from_text(digit_sums));
    const auto engines = engine_names();
    on_all_threads([&](std::size_t t) {
        for (std::size_t i = 0; i < rounds; ++i) {
            ask_everything(reasoner, (t + i) % 7, engines[(t + i) % engines.size()]);
            compile_and_evaluate(reasoner, (2 * t + i) % 7);
            if (i % 3 == t % 3) reasoner.forget();
        }
    });
}

TEST(Threads, ShareOneQuestion) {
    Reasoner reasoner(Program::from_text(digit_sums));
    const Question question = reasoner.ask(":- not sum(3).");
    on_all_threads([&](std::size_t t) {
        for (std::size_t i = 0; i < rounds; ++i) {
            Settings settings;
            settings.engine = (t + i) % 2 == 0 ? "enumerate" : "circuit";
            EXPECT_NEAR(question.probability(two_digits(), settings).probability, sum_is(3),
                        probability_tolerance);
            EXPECT_TRUE(question.coherence().coherence == Coherence::coherent);
            EXPECT_EQ(question.variables().size(), 2U);
            EXPECT_EQ(question.summary().random_variables, 2U);
        }
    });
}

TEST(Threads, ShareOneCircuit) {
    Reasoner reasoner(Program::from_text(digit_sums));
    const Compilation compiled = reasoner.ask(":- not sum(3).").compile();
    ASSERT_TRUE(compiled.circuit.has_value());
    on_all_threads([&](std::size_t) {
        CircuitEvaluator<double> evaluator(*compiled.circuit);
        const std::vector<double> weights = compiled.circuit->weights(two_digits());
        std::vector<double> log(1);
        std::vector<double> gradient(weights.size());
        for (std::size_t i = 0; i < rounds; ++i) evaluator.run(weights, 1, log, gradient);
        EXPECT_NEAR(std::exp(log[0]), sum_is(3), probability_tolerance);
        EXPECT_EQ(compiled.circuit->most_probable(weights, 4).size(), 4U);
    });
}

TEST(Threads, PullStreamsWhileOthersAsk) {
    Reasoner reasoner(Program::from_text(digit_sums));
    on_all_threads([&](std::size_t t) {
        const Question question = reasoner.ask(":- sum(" + std::to_string(t) + ").");
        ModelStream stream = question.models(two_digits());
        std::size_t models = 0;
        while (stream.next()) {
            ++models;
            reasoner.ask(":- not sum(" + std::to_string(models % 7) + "), not f.");
        }
        // all 16 pairs and the four with f, without those of one sum
        EXPECT_EQ(models, 20 - (t == 3 ? 8 : pairs_with(t)));
        EXPECT_TRUE(stream.finish().complete);
    });
}

} // namespace
} // namespace neurasp::inference::test
