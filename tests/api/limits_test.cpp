// Limits end the work, never with an error; callbacks can end it, too.
#include "digits.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

namespace neurasp::test {
namespace {

// 2^40 models: no test may try to visit all of them.
const std::string huge_program = "0.5 : a(X) :- X=1..40. {f}. :- f, a(X), not a(X+1), X < 40.";
// With `on`, a pigeonhole problem that no search here can finish.
const std::string hard_program = "0.5 : on. 1 {p(P,H) : H=1..11} 1 :- P=1..12, on. "
                                 ":- p(P,H), p(Q,H), P < Q.";

TEST(Limits, LetTheCallerStopPulling) {
    Reasoner reasoner(Program::from_text(huge_program));
    ModelStream stream = reasoner.ask().models({});
    for (int i = 0; i < 3; ++i) {
        const auto model = stream.next();
        ASSERT_TRUE(model.has_value());
        EXPECT_FALSE(model->atoms.empty());
    }
    const StreamEnd end = stream.finish();
    EXPECT_EQ(end.how.models_seen, 3U);
    EXPECT_FALSE(end.complete);
    EXPECT_TRUE(end.how.exact);
}

TEST(Limits, OnTheCountTruncate) {
    Reasoner reasoner(Program::from_text("0.5 : a(X) :- X=1..3."));
    const auto some = some_models(5, reasoner.ask(), {});
    EXPECT_EQ(some.models.size(), 5U);
    EXPECT_FALSE(some.complete);
    const auto all = all_models(reasoner.ask(), {});
    EXPECT_EQ(all.models.size(), 8U);
    EXPECT_TRUE(all.complete);
}

TEST(Limits, OnModelsAreObserved) {
    Reasoner reasoner(Program::from_text(huge_program));
    Limits limits;
    limits.models = 7;
    const auto answer = all_models(reasoner.ask(), {}, {}, limits);
    EXPECT_EQ(answer.models.size(), 7U);
    EXPECT_FALSE(answer.how.exact);
    EXPECT_EQ(answer.how.limit, "model limit reached");
    EXPECT_EQ(answer.how.models_seen, 7U);
}

TEST(Limits, OnMemoryAreObserved) {
    Reasoner reasoner(Program::from_text(huge_program));
    Limits limits;
    limits.bytes = 1'000'000;
    for (const std::string &engine : engine_names()) {
        Settings settings;
        settings.engine = engine;
        const auto answer = reasoner.ask().sample({}, 100'000, settings, limits);
        EXPECT_FALSE(answer.how.exact) << engine;
        EXPECT_EQ(answer.how.limit.substr(0, 20), "memory limit reached") << engine;
        EXPECT_FALSE(answer.models.empty()) << engine;
        std::set<std::vector<std::string>> kept;
        for (const StableModel &model : answer.models) kept.insert(model.atoms);
        std::size_t bytes = 0;
        for (const auto &atoms : kept) {
            for (const std::string &atom : atoms) bytes += atom.size();
        }
        EXPECT_LE(bytes, 1'000'000U) << engine;
    }
}

TEST(Limits, OnMemoryHoldForTheMostProbableModels) {
    Reasoner reasoner(Program::from_text(huge_program));
    Limits limits;
    limits.bytes = 100'000;
    const auto answer = reasoner.ask().most_probable({}, 1'000'000, false, {}, limits);
    EXPECT_FALSE(answer.how.exact);
    EXPECT_EQ(answer.how.limit, "memory limit reached");
    EXPECT_FALSE(answer.models.empty());
    EXPECT_LT(answer.models.size(), 10'000U);
}

TEST(Limits, OnTimeAreObservedByEveryQuestion) {
    Reasoner reasoner(Program::from_text(hard_program));
    const Question question = reasoner.ask(":- not on.");
    Limits limits;
    limits.seconds = 0.1;
    for (const HowAnswered &how :
         {question.probability({}, {}, limits).how, all_models(question, {}, {}, limits).how,
          question.most_probable({}, 1, false, {}, limits).how,
          question.marginals({}, {}, limits).how, question.sample({}, 3, {}, limits).how,
          question.gradient({}, GradientConvention::plain, {}, limits).how,
          question.coherence(limits).how}) {
        EXPECT_FALSE(how.exact);
        EXPECT_EQ(how.limit.substr(0, 18), "time limit reached");
        EXPECT_FALSE(how.interrupted);
    }
}

TEST(Limits, LeaveBoundsThatHold) {
    Reasoner reasoner(Program::from_text(hard_program)); // `on` has no model
    const Question question = reasoner.ask(":- on.", {"not on"});
    Limits limits;
    // The bounds hold under any limit; how soon the lower one is found depends on the machine.
    bool found = false;
    for (double limit = 0.1; !found && limit < 30.0; limit *= 3) {
        limits.seconds = limit;
        const auto answer = question.probability({}, {}, limits);
        EXPECT_LE(answer.probability.lower, 0.5 + probability_tolerance);
        EXPECT_GE(answer.probability.upper, 0.5 - probability_tolerance);
        EXPECT_LE(answer.mass.lower, 0.5 + probability_tolerance);
        EXPECT_GE(answer.mass.upper, 0.5 - probability_tolerance);
        found = answer.probability.lower > 0.5 - probability_tolerance;
    }
    EXPECT_TRUE(found);
}

TEST(Limits, LeaveTheReasonerUsable) {
    Reasoner reasoner(Program::from_text(hard_program));
    Limits limits;
    limits.seconds = 0.05;
    for (int round = 0; round < 3; ++round) {
        EXPECT_FALSE(reasoner.ask(":- not on.").most_probable({}, 1, false, {}, limits).how.exact);
        const auto answer = reasoner.ask(":- on.").most_probable({});
        EXPECT_TRUE(answer.how.exact);
        EXPECT_NEAR(answer.models.at(0).probability.value, 0.5, probability_tolerance);
    }
}

TEST(Limits, IncludeTheCallersStopFlag) {
    Reasoner reasoner(Program::from_text(hard_program));
    const Question question = reasoner.ask(":- not on.");
    std::atomic<bool> stop = false;
    Limits limits;
    limits.stop = StopToken(stop);
    std::thread caller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop = true;
    });
    const auto answer = all_models(question, {}, {}, limits);
    caller.join();
    EXPECT_FALSE(answer.how.exact);
    EXPECT_TRUE(answer.how.interrupted);
    EXPECT_EQ(answer.how.limit, "interrupted");
}

TEST(Limits, FindTheMassOnlyIfItIsCheapOrWanted) {
    const std::string program = "0.25 : a. :- a.";
    Reasoner reasoner(Program::from_text(program));
    EXPECT_FALSE(reasoner.ask().most_probable({}).mass.has_value());
    Settings settings;
    settings.mass_models = 100;
    EXPECT_NEAR(reasoner.ask().most_probable({}, 1, false, settings).mass->lower, 0.75,
                probability_tolerance);
    Reasoner coherent(Program::from_text("0.25 : c=1 | 0.75 : c=2. p :- c=1."));
    EXPECT_NEAR(all_models(coherent.ask(), {}).mass->lower, 1.0, probability_tolerance);
}

} // namespace
} // namespace neurasp::test
