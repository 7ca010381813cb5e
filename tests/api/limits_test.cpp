// Limits end the work, never with an error; callbacks can end it too.
#include "digits.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace neurasp::test {
namespace {

// 2^40 models: nothing here may try to see them all.
const std::string huge_program = "0.5 : a(X) :- X=1..40. {f}. :- f, a(X), not a(X+1), X < 40.";
// With `on`, a pigeonhole problem that no search here can finish.
const std::string hard_program = "0.5 : on. 1 {p(P,H) : H=1..11} 1 :- P=1..12, on. "
                                 ":- p(P,H), p(Q,H), P < Q.";

TEST(Limits, LetACallbackStop) {
    Reasoner reasoner(Program::from_text(huge_program));
    int seen = 0;
    const auto answer = reasoner.models(reasoner.ask(), {}, 0, {}, [&](const StableModel &model) {
        EXPECT_FALSE(model.atoms.empty());
        return ++seen < 3;
    });
    EXPECT_EQ(seen, 3);
    EXPECT_TRUE(answer.models.empty()); // passed on, not stored
    EXPECT_TRUE(answer.truncated);
    EXPECT_TRUE(answer.info.exact);
}

TEST(Limits, LetTheCountStopTheCallbackToo) {
    Reasoner reasoner(Program::from_text(huge_program));
    int seen = 0;
    reasoner.models(reasoner.ask(), {}, 4, {}, [&](const StableModel &) { return ++seen > 0; });
    EXPECT_EQ(seen, 4);
}

TEST(Limits, OnTheCountTruncate) {
    Reasoner reasoner(Program::from_text("0.5 : a(X) :- X=1..3."));
    const auto some = reasoner.models(reasoner.ask(), {}, 5);
    EXPECT_EQ(some.models.size(), 5U);
    EXPECT_TRUE(some.truncated);
    const auto all = reasoner.models(reasoner.ask(), {}, 0);
    EXPECT_EQ(all.models.size(), 8U);
    EXPECT_FALSE(all.truncated);
}

TEST(Limits, OnModelsAreKept) {
    Reasoner reasoner(Program::from_text(huge_program));
    AnswerOptions options;
    options.model_limit = 7;
    const auto answer = reasoner.models(reasoner.ask(), {}, 0, options);
    EXPECT_EQ(answer.models.size(), 7U);
    EXPECT_FALSE(answer.info.exact);
    EXPECT_EQ(answer.info.note, "model limit reached");
    EXPECT_EQ(answer.info.models_seen, 7U);
}

TEST(Limits, OnMemoryAreKept) {
    Reasoner reasoner(Program::from_text(huge_program));
    AnswerOptions options;
    options.memory_limit = 1'000'000;
    const auto answer = reasoner.models(reasoner.ask(), {}, 0, options);
    EXPECT_FALSE(answer.info.exact);
    EXPECT_EQ(answer.info.note, "memory limit reached");
    EXPECT_TRUE(answer.truncated);
    std::size_t bytes = 0;
    for (const StableModel &model : answer.models) {
        for (const std::string &atom : model.atoms) bytes += atom.size();
    }
    EXPECT_LE(bytes, 1'000'000U);
    EXPECT_FALSE(answer.models.empty());
}

TEST(Limits, OnMemoryHoldForTheMostProbableModels) {
    Reasoner reasoner(Program::from_text(huge_program));
    AnswerOptions options;
    options.memory_limit = 100'000;
    const auto answer = reasoner.most_probable(reasoner.ask(), {}, 1'000'000, false, options);
    EXPECT_FALSE(answer.info.exact);
    EXPECT_EQ(answer.info.note, "memory limit reached");
    EXPECT_FALSE(answer.models.empty());
    EXPECT_LT(answer.models.size(), 10'000U);
}

TEST(Limits, OnTimeAreKeptByEveryQuestion) {
    Reasoner reasoner(Program::from_text(hard_program));
    const Question question = reasoner.ask(":- not on.");
    AnswerOptions options;
    options.time_limit = 0.1;
    for (const AnswerInfo &info :
         {reasoner.probability(question, {}, options).info,
          reasoner.models(question, {}, 0, options).info,
          reasoner.most_probable(question, {}, 1, false, options).info,
          reasoner.marginals(question, {}, options).info,
          reasoner.sample(question, {}, 3, 1, options).info,
          reasoner.gradient(question, {}, GradientConvention::plain, options).info,
          reasoner.coherence(question, options).info}) {
        EXPECT_FALSE(info.exact);
        EXPECT_EQ(info.note.substr(0, 18), "time limit reached");
        EXPECT_FALSE(info.interrupted);
    }
}

TEST(Limits, LeaveBoundsThatHold) {
    Reasoner reasoner(Program::from_text(hard_program)); // `on` has no model
    const Question question = reasoner.ask(":- on.", {"not on"});
    AnswerOptions options;
    // The bounds hold under any limit; how soon the lower one is found is up to the machine.
    bool found = false;
    for (double limit = 0.1; !found && limit < 30.0; limit *= 3) {
        options.time_limit = limit;
        const auto answer = reasoner.probability(question, {}, options);
        EXPECT_LE(answer.probability.lower.value, 0.5 + probability_tolerance);
        EXPECT_GE(answer.probability.upper.value, 0.5 - probability_tolerance);
        EXPECT_LE(answer.mass.lower.value, 0.5 + probability_tolerance);
        EXPECT_GE(answer.mass.upper.value, 0.5 - probability_tolerance);
        found = answer.probability.lower.value > 0.5 - probability_tolerance;
    }
    EXPECT_TRUE(found);
}

TEST(Limits, LeaveTheReasonerUsable) {
    Reasoner reasoner(Program::from_text(hard_program));
    AnswerOptions options;
    options.time_limit = 0.05;
    for (int round = 0; round < 3; ++round) {
        EXPECT_FALSE(
            reasoner.most_probable(reasoner.ask(":- not on."), {}, 1, false, options).info.exact);
        const auto answer = reasoner.most_probable(reasoner.ask(":- on."), {});
        EXPECT_TRUE(answer.info.exact);
        EXPECT_NEAR(answer.models.at(0).probability.value, 0.5, probability_tolerance);
    }
}

TEST(Limits, IncludeTheCallersStopFlag) {
    Reasoner reasoner(Program::from_text(hard_program));
    const Question question = reasoner.ask(":- not on.");
    std::atomic<bool> stop = false;
    AnswerOptions options;
    options.stop = &stop;
    std::thread caller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop = true;
    });
    const auto answer = reasoner.models(question, {}, 0, options);
    caller.join();
    EXPECT_FALSE(answer.info.exact);
    EXPECT_TRUE(answer.info.interrupted);
    EXPECT_EQ(answer.info.note, "interrupted");
}

TEST(Limits, FindTheMassOnlyIfItIsCheapOrWanted) {
    const std::string program = "0.25 : a. :- a.";
    Reasoner reasoner(Program::from_text(program));
    EXPECT_FALSE(reasoner.most_probable(reasoner.ask(), {}).mass.has_value());
    AnswerOptions options;
    options.mass_models = 100;
    EXPECT_NEAR(reasoner.most_probable(reasoner.ask(), {}, 1, false, options).mass->lower.value,
                0.75, probability_tolerance);
    Reasoner coherent(Program::from_text("0.25 : c=1 | 0.75 : c=2. p :- c=1."));
    EXPECT_NEAR(coherent.models(coherent.ask(), {}, 0).mass->lower.value, 1.0,
                probability_tolerance);
}

} // namespace
} // namespace neurasp::test
