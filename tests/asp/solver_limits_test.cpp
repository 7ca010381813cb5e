// Searches that end because of their budget.
#include "asp_support.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace neurasp::asp::test {
namespace {

// With `on`, twelve pigeons in eleven holes, which takes far longer than any limit here; without it, one model.
constexpr const char *pigeons = "{on}. 1 {p(P,H) : H=1..11} 1 :- P=1..12, on. "
                                ":- p(P,H), p(Q,H), P < Q.";

class Pigeons : public ::testing::Test {
  protected:
    Grounder grounder = grounded(pigeons);
    Solver solver{grounder.program(), no_groups, {}};
    std::vector<Literal> on{Literal(atom(grounder.program(), "on"))};
    std::vector<Literal> off{~Literal(atom(grounder.program(), "on"))};

    SearchEnd search(base::Budget &budget) {
        return solver.search({on, nullptr, false, std::nullopt}, budget,
                             [](const ModelView &) { return true; });
    }
};

TEST_F(Pigeons, EndAtTheTimeLimitAndLeaveTheSolverUsable) {
    for (int round = 0; round < 2; ++round) {
        base::Budget budget(within(0.1));
        EXPECT_EQ(search(budget), SearchEnd::interrupted);
        EXPECT_EQ(budget.reached(), base::LimitReached::time);
        EXPECT_EQ(count(solver, off), 1U);
    }
}

TEST_F(Pigeons, EndWithTheStopFlagAndLeaveTheSolverUsable) {
    std::atomic<bool> stop = false;
    Limits limits;
    limits.stop = StopToken(stop);
    base::Budget budget(limits);
    std::thread caller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        stop = true;
    });
    EXPECT_EQ(search(budget), SearchEnd::interrupted);
    caller.join();
    EXPECT_EQ(budget.reached(), base::LimitReached::stopped);
    EXPECT_EQ(count(solver, off), 1U);
}

TEST_F(Pigeons, AreNotSearchedWithAnEmptyBudget) {
    base::Budget budget(within(0.0));
    EXPECT_EQ(search(budget), SearchEnd::interrupted);
    EXPECT_EQ(solver.searches(), 0U);
}

TEST(SolverLimits, EndASearchAfterTheGivenNumberOfModels) {
    const Grounder grounder = grounded("{a(1..5)}.");
    Solver solver(grounder.program(), no_groups, {});
    base::Budget budget(at_most_models(7));
    int models = 0;
    const auto end = solver.search({}, budget, [&](const ModelView &) {
        if (!budget.take_model()) return false;
        return ++models > 0;
    });
    EXPECT_EQ(end, SearchEnd::interrupted);
    EXPECT_EQ(models, 7);
    EXPECT_EQ(count(solver), 32U);
}

TEST(SolverLimits, AllowAllModelsIfThereAreExactlyThatMany) {
    const Grounder grounder = grounded("{a(1..3)}.");
    Solver solver(grounder.program(), no_groups, {});
    base::Budget budget(at_most_models(8));
    const auto end =
        solver.search({}, budget, [&](const ModelView &) { return budget.take_model(); });
    EXPECT_EQ(end, SearchEnd::exhausted);
}

TEST(SolverLimits, EndAnEnumerationThatWouldNeverEnd) {
    const Grounder grounder = grounded("{a(1..60)}.");
    Solver solver(grounder.program(), no_groups, {});
    base::Budget budget(within(0.05));
    const auto end = solver.search({}, budget, [](const ModelView &) { return true; });
    EXPECT_EQ(end, SearchEnd::interrupted);
}

TEST(SolverLimits, LeaveAnOptimumUnproven) {
    // a model is found at once; proving that none costs 0 means solving the pigeons
    const Grounder grounder = grounded(std::string(pigeons) + " :~ not on. [1]");
    Solver solver(grounder.program(), no_groups, {true});
    base::Budget budget(within(0.2));
    const auto optimum = solver.find_optimum({}, budget);
    ASSERT_TRUE(optimum.has_value());
    EXPECT_EQ(optimum->cost, std::vector<std::int64_t>{1});
    EXPECT_FALSE(optimum->proven);
}

} // namespace
} // namespace neurasp::asp::test
