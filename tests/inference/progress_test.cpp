// Long calls report their progress, and end when another thread or the report itself stops them.
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace neurasp::inference::test {
namespace {

// 2^40 total choices; an observation of the number of heads depends on all of them.
constexpr auto many_coins = "0.5 : a(X) :- X=1..40.";
constexpr auto three_heads = ":- #count{X : a(X)} < 3.";
// A pigeonhole problem that neither the search nor the compiler finishes.
constexpr auto pigeons = "0.5 : on. 1 {p(P,H) : H=1..11} 1 :- P=1..12, on. "
                         ":- p(P,H), p(Q,H), P < Q.";

Settings by_engine(const std::string &name) {
    Settings settings;
    settings.engine = name;
    return settings;
}

// Stops its call at the first report that `enough` accepts, so that no test waits for longer than that.
class Watcher {
  public:
    explicit Watcher(std::function<bool(const Progress &)> enough) : enough_(std::move(enough)) {
        limits.stop = stop_.token();
        limits.on_progress = [this](const Progress &progress) {
            EXPECT_EQ(std::this_thread::get_id(), caller_);
            if (!enough_(progress)) return;
            last = progress;
            stop_.raise();
        };
    }
    explicit Watcher(Phase phase)
        : Watcher([phase](const Progress &progress) {
              return progress.phase == phase && progress.done > 0;
          }) {}

    Limits limits;
    std::optional<Progress> last;

  private:
    std::function<bool(const Progress &)> enough_;
    StopSource stop_;
    std::thread::id caller_ = std::this_thread::get_id();
};

TEST(Stop, EndsALongEnumerationFromAnotherThread) {
    Reasoner reasoner(Program::from_text(many_coins));
    const Question question = reasoner.ask(three_heads);
    StopSource stop;
    Limits limits;
    limits.stop = stop.token();
    std::thread caller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop.raise();
    });
    const auto answer = question.probability({}, by_engine("enumerate"), limits);
    caller.join();
    EXPECT_TRUE(answer.how.interrupted);
    EXPECT_FALSE(answer.how.exact);
    EXPECT_EQ(answer.how.limit, "interrupted");
    EXPECT_FALSE(answer.probability.exact);
    EXPECT_GE(answer.probability.upper, 0.999); // less than three heads of forty: 1e-9
    EXPECT_TRUE(question.probability({}).how.exact);
}

TEST(Progress, OfEnumerationCountsModels) {
    Reasoner reasoner(Program::from_text(many_coins));
    Watcher watcher(Phase::searching);
    const auto answer =
        reasoner.ask(three_heads).probability({}, by_engine("enumerate"), watcher.limits);
    EXPECT_TRUE(answer.how.interrupted);
    ASSERT_TRUE(watcher.last.has_value());
    EXPECT_LE(watcher.last->done, answer.how.models_seen);
    EXPECT_GT(watcher.last->seconds, 0.0);
}

TEST(Progress, OfEnumerationKnowsBounds) {
    Reasoner reasoner(Program::from_text(many_coins));
    Watcher watcher([](const Progress &progress) { return progress.lower.has_value(); });
    Limits limits = watcher.limits;
    limits.seconds = 60.0; // ends the test if there are none
    const auto answer = reasoner.ask(three_heads).probability({}, by_engine("enumerate"), limits);
    ASSERT_TRUE(watcher.last.has_value());
    EXPECT_LE(*watcher.last->lower, answer.probability.lower);
    EXPECT_GE(watcher.last->upper.value(), 0.999);
    EXPECT_LE(watcher.last->upper.value(), 1.0);
}

TEST(Progress, OfCompilingSaysSo) {
    Reasoner reasoner(Program::from_text(pigeons));
    Watcher watcher([](const Progress &progress) { return progress.phase == Phase::compiling; });
    const Compilation compiled = reasoner.ask(":- not on.").compile({}, watcher.limits);
    EXPECT_FALSE(compiled.circuit.has_value());
    EXPECT_TRUE(compiled.is_limit);
    EXPECT_EQ(compiled.note, "interrupted");
    EXPECT_TRUE(watcher.last.has_value());
}

TEST(Progress, OfSamplingCountsSamples) {
    Reasoner reasoner(Program::from_text(many_coins));
    Settings settings;
    settings.samples = 1'000'000'000'000;
    Watcher watcher(Phase::sampling);
    const auto answer = reasoner.ask(three_heads).probability({}, settings, watcher.limits);
    ASSERT_TRUE(watcher.last.has_value());
    ASSERT_TRUE(answer.sampled.has_value());
    EXPECT_LE(watcher.last->done, answer.sampled->samples);
    EXPECT_TRUE(answer.how.interrupted);
}

TEST(Progress, OfGroundingCountsRules) {
    Reasoner reasoner(Program::from_text("p(1..1000000000)."));
    Watcher watcher(Phase::grounding);
    EXPECT_THROW(reasoner.ask({}, {}, watcher.limits), LimitError);
    ASSERT_TRUE(watcher.last.has_value());
    EXPECT_EQ(watcher.last->phase, Phase::grounding);
}

TEST(Progress, OfAnObservationThatBringsRulesIsThatOfGrounding) {
    Reasoner reasoner(Program::from_text("0.5 : a."));
    Watcher watcher(Phase::grounding);
    EXPECT_THROW(reasoner.ask({{"q(1..1000000000).", {}}}, {}, watcher.limits), LimitError);
    EXPECT_DOUBLE_EQ(reasoner.ask(":- a.").probability({}).probability, 0.5);
}

TEST(GroundRules, LimitAQuestionAlone) {
    Reasoner reasoner(Program::from_text("0.5 : a. p(1..100)."));
    Limits few;
    few.ground_rules = 50;
    EXPECT_THROW(reasoner.ask({}, {}, few), LimitError);
    EXPECT_DOUBLE_EQ(reasoner.ask(":- a.").probability({}).probability, 0.5);
    // the program is within the limit, the observation's rules are too many
    Limits some;
    some.ground_rules = 1000;
    EXPECT_THROW(reasoner.ask({{"q(1..10000).", {}}}, {}, some), LimitError);
    EXPECT_NO_THROW(reasoner.ask({{"q(1..10000).", {}}}, {}, {}));
}

TEST(GroundRules, AreLimitedByTheReasonerWhereNothingElseIsSaid) {
    Limits few;
    few.ground_rules = 50;
    Reasoner reasoner(Program::from_text("0.5 : a. p(1..100)."), few);
    EXPECT_THROW(reasoner.ask(), LimitError);
    EXPECT_THROW(reasoner.ask(":- a."), LimitError);
    EXPECT_DOUBLE_EQ(reasoner.ask({{":- a.", {}}}, {}, {}).probability({}).probability, 0.5);
}

TEST(Progress, RefusesQuestionsFromWithinTheReport) {
    Reasoner reasoner(Program::from_text(many_coins));
    const Question question = reasoner.ask(three_heads);
    StopSource stop;
    Limits limits;
    limits.stop = stop.token();
    int refused = 0;
    limits.on_progress = [&](const Progress &) {
        try {
            reasoner.ask(":- a(1).");
        } catch (const ContractError &) {
            ++refused;
        }
        EXPECT_THROW(question.variables(), ContractError);
        stop.raise();
    };
    question.probability({}, by_engine("enumerate"), limits);
    EXPECT_EQ(refused, 1);
    EXPECT_EQ(question.variables().size(), 40U); // afterwards they are allowed again
}

TEST(Progress, ThatThrowsEndsTheCallAndSpoilsNothing) {
    Reasoner reasoner(Program::from_text("0.5 : a(X) :- X=1..16."));
    const Question question = reasoner.ask(":- #count{X : a(X)} < 3.");
    // of 2^16 choices, those with fewer than three heads fail
    const double expected = 1.0 - (1.0 + 16.0 + 120.0) / 65536.0;
    for (const char *engine : {"enumerate", "auto"}) {
        Limits limits;
        limits.on_progress = [](const Progress &) { throw std::runtime_error("enough"); };
        const Question long_question = Reasoner(Program::from_text(many_coins)).ask(three_heads);
        EXPECT_THROW(long_question.probability({}, by_engine("enumerate"), limits),
                     std::runtime_error);
        // the same solvers are used afterwards
        Limits few;
        few.models = 10;
        const auto cut_short = long_question.probability({}, by_engine("enumerate"), few);
        EXPECT_EQ(cut_short.how.limit, "model limit reached");
        EXPECT_NEAR(question.probability({}, by_engine(engine)).probability, expected, 1e-12);
    }
}

TEST(Stop, IsReportedAsSuchInEveryTurn) {
    Reasoner reasoner(Program::from_text(pigeons));
    const Question question = reasoner.ask(":- not on.");
    StopSource stop;
    Limits limits;
    limits.stop = stop.token();
    // when the compiler works for the second time, enumeration has had its turn
    int compiling = 0;
    Phase last = Phase::grounding;
    limits.on_progress = [&](const Progress &progress) {
        if (progress.phase == Phase::compiling && last != Phase::compiling) ++compiling;
        last = progress.phase;
        if (compiling == 2 || progress.seconds > 60.0) stop.raise();
    };
    const auto answer = question.probability({}, by_engine("auto"), limits);
    EXPECT_FALSE(answer.how.exact);
    EXPECT_TRUE(answer.how.interrupted);
    EXPECT_EQ(answer.how.limit, "interrupted");
}

} // namespace
} // namespace neurasp::inference::test
