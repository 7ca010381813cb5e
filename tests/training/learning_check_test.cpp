// check_learning on programs, compared with a walk over all maps that asks another engine.
#include "shortcut_task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace neurasp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Compares with brute force; returns the report.
ShortcutReport expect_brute_force(const ShortcutTask &task) {
    const MapBruteForce::Result expected = MapBruteForce(task).run();
    const LearningCheck check = task.check();
    EXPECT_TRUE(check.how.exact) << check.how.limit;
    EXPECT_TRUE(check.shortcuts && check.shortcuts->exact());
    EXPECT_EQ(check.shortcuts->at_least, std::to_string(expected.maps));
    EXPECT_EQ(check.shortcuts->changes, expected.fewest_changes.value_or(0));
    EXPECT_EQ(check.shortcuts->smallest.empty(), !expected.fewest_changes.has_value());
    return *check.shortcuts;
}

constexpr auto bits = R"(img(a). img(b).
nn(bit(1,X),[0,1]) :- img(X).
xor(A) :- bit(0,a,X), bit(0,b,Y), A = (X+Y) \ 2.
and :- bit(0,a,1), bit(0,b,1).)";

ShortcutTask::Example bit_pair(int a, int b, const std::string &observation) {
    return {observation, {{{"bit", "a"}, std::to_string(a)}, {{"bit", "b"}, std::to_string(b)}}};
}

constexpr auto digits = R"(img(a). img(b).
nn(digit(1,X),[0,1,2,3]) :- img(X).
sum(A+B) :- digit(0,a,A), digit(0,b,B).
parity((A+B) \ 2) :- digit(0,a,A), digit(0,b,B).)";

ShortcutTask::Example digit_pair(int a, int b, const std::string &predicate) {
    const int value = predicate == "sum" ? a + b : (a + b) % 2;
    return {":- not " + predicate + "(" + std::to_string(value) + ").",
            {{{"digit", "a"}, std::to_string(a)}, {{"digit", "b"}, std::to_string(b)}}};
}

TEST(LearningCheck, OneExampleOfXorLeavesTheSwap) {
    // 0 xor 1 = 1: the two outcomes must differ, so there are the identity and the swap
    const ShortcutReport report =
        expect_brute_force({bits, {bit_pair(0, 1, ":- not xor(1).")}, {}, {}});
    EXPECT_EQ(report.at_least, "2");
    EXPECT_EQ(report.changes, 2U);
    ASSERT_EQ(report.smallest.size(), 1U);
    EXPECT_EQ(report.smallest[0].network, "bit");
    EXPECT_THAT(report.smallest[0].entries,
                ElementsAre(OutcomeMap::Entry{"0", "1"}, OutcomeMap::Entry{"1", "0"}));
}

TEST(LearningCheck, EqualBitsSayNothingAboutTheBit) {
    // 1 xor 1 = 0 whatever 1 is taken for; 0 does not occur
    EXPECT_EQ(expect_brute_force({bits, {bit_pair(1, 1, ":- not xor(0).")}, {}, {}}).at_least, "2");
}

TEST(LearningCheck, AConjunctionNeedsBothBits) {
    // 1 and 1 leaves nothing for 1; with 0 and 1 as well, 0 must not be 1
    EXPECT_EQ(expect_brute_force({bits, {bit_pair(1, 1, ":- not and.")}, {}, {}}).at_least, "1");
    EXPECT_EQ(expect_brute_force(
                  {bits, {bit_pair(1, 1, ":- not and."), bit_pair(0, 1, ":- and.")}, {}, {}})
                  .at_least,
              "1");
}

TEST(LearningCheck, ParityOfASumWithOneExample) {
    // 1 + 2 is odd: one of four even or odd pairs in either order, 2 * 2 * 2
    EXPECT_EQ(expect_brute_force({digits, {digit_pair(1, 2, "parity")}, {}, {}}).at_least, "8");
}

TEST(LearningCheck, ASumWithOneExample) {
    // 1 + 2 = 3: (0,3), (1,2), (2,1), (3,0)
    const ShortcutReport report = expect_brute_force({digits, {digit_pair(1, 2, "sum")}, {}, {}});
    EXPECT_EQ(report.at_least, "4");
    EXPECT_EQ(report.changes, 2U);
    EXPECT_EQ(report.outcomes, 2U);
}

TEST(LearningCheck, AllPairsOfParitiesAndOfSums) {
    ShortcutTask parities{digits, {}, {}, {}};
    ShortcutTask sums{digits, {}, {}, {}};
    for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < 4; ++b) {
            parities.examples.push_back(digit_pair(a, b, "parity"));
            sums.examples.push_back(digit_pair(a, b, "sum"));
        }
    }
    EXPECT_EQ(expect_brute_force(parities).at_least, "32"); // 2 * 2^4
    EXPECT_EQ(expect_brute_force(sums).at_least, "1");
}

TEST(LearningCheck, SumsOfTenDigitsLeaveOnlyTheIdentityAndParitiesMany) {
    constexpr auto program = R"(img(a). img(b).
        nn(digit(1,X),[0,1,2,3,4,5,6,7,8,9]) :- img(X).
        sum(A+B) :- digit(0,a,A), digit(0,b,B).
        parity((A+B) \ 2) :- digit(0,a,A), digit(0,b,B).)";
    ShortcutTask parities{program, {}, {}, {}};
    ShortcutTask sums{program, {}, {}, {}};
    for (int a = 0; a < 10; ++a) {
        for (int b = 0; b < 10; ++b) {
            parities.examples.push_back(digit_pair(a, b, "parity"));
            sums.examples.push_back(digit_pair(a, b, "sum"));
        }
    }
    EXPECT_EQ(sums.check().shortcuts->at_least, "1");
    EXPECT_TRUE(sums.check().shortcuts->exact());
    EXPECT_EQ(parities.check().shortcuts->at_least, "19531250"); // 2 * 5^10
    EXPECT_TRUE(parities.check().shortcuts->exact());
}

TEST(LearningCheck, WithoutLabelsEveryPossibleChoiceMayBeTheTruth) {
    ShortcutTask task{digits, {digit_pair(1, 2, "sum")}, {}, {}};
    task.examples[0].labelled = false;
    // m(0)+m(3) = m(1)+m(2) = 3: 4 * 4 maps
    const ShortcutReport report = expect_brute_force(task);
    EXPECT_EQ(report.at_least, "16");
    EXPECT_EQ(report.outcomes, 4U);
    EXPECT_FALSE(task.check().all_outcomes_known);
}

TEST(LearningCheck, TooManyChoicesLeaveAnUpperBound) {
    ShortcutTask task{digits, {digit_pair(1, 2, "parity")}, {}, {}};
    task.examples[0].labelled = false;
    task.settings.choices = 1;
    const LearningCheck check = task.check();
    EXPECT_FALSE(check.how.exact);
    EXPECT_EQ(check.shortcuts->at_least, "1");
    ASSERT_TRUE(check.shortcuts->at_most.has_value());
    EXPECT_GE(std::stoull(*check.shortcuts->at_most), MapBruteForce(task).run().maps);
    EXPECT_FALSE(check.shortcuts->smallest_is_sure);
}

TEST(LearningCheck, StepsAreLimited) {
    ShortcutTask task{digits, {digit_pair(1, 2, "parity"), digit_pair(0, 3, "parity")}, {}, {}};
    task.settings.steps = 2;
    const LearningCheck check = task.check();
    EXPECT_FALSE(check.how.exact);
    EXPECT_FALSE(check.shortcuts->at_most.has_value());
    EXPECT_LE(std::stoull(check.shortcuts->at_least), MapBruteForce(task).run().maps);
}

TEST(LearningCheck, EachNetworkHasItsOwnMap) {
    constexpr auto program = R"(
        nn(left(1,a),[0,1]). nn(right(1,a),[0,1,2]).
        same :- left(0,a,X), right(0,a,X).)";
    const ShortcutTask task{program,
                            {{":- not same.", {{{"left", "a"}, "1"}, {{"right", "a"}, "1"}}},
                             {":- same.", {{{"left", "a"}, "0"}, {{"right", "a"}, "2"}}}},
                            {},
                            {}};
    expect_brute_force(task);
}

TEST(LearningCheck, SaysWhatObservationsTeach) {
    constexpr auto program = R"(img(a). img(b).
        nn(bit(1,X),[0,1]) :- img(X).
        xor(A) :- bit(0,a,X), bit(0,b,Y), A = (X+Y) \ 2.
        some :- xor(_).)";
    const ShortcutTask task{program,
                            {{":- not xor(1).", {}, false},
                             {":- xor(2).", {}, false},
                             {":- xor(0). :- xor(1).", {}, false},
                             {":- not some.", {}, false}},
                            {},
                            {}};
    EXPECT_THAT(task.check().lessons, ElementsAre(Lesson::something, Lesson::nothing,
                                                  Lesson::impossible, Lesson::nothing));
}

TEST(LearningCheck, OneViolatingChoiceAmongManyIsNotOverlooked) {
    // 60 digits that must not all be 9: P(O) differs from 1 by 1e-60 at the uniform point
    constexpr auto program = R"(img(1..60).
        nn(digit(1,X),[0,1,2,3,4,5,6,7,8,9]) :- img(X).
        other :- digit(0,X,Y), Y != 9.)";
    ShortcutTask task{program, {{":- not other.", {}, false}}, {}, {}};
    task.settings.choices = 600;
    task.settings.steps = 1;
    EXPECT_THAT(task.check().lessons, ElementsAre(Lesson::something));
}

TEST(LearningCheck, ProbabilitiesThatUnderflowAreNotTakenForZero) {
    // 400 digits that must all be 9: P(O) = 1e-400 at the uniform point
    constexpr auto program = R"(img(1..400).
        nn(digit(1,X),[0,1,2,3,4,5,6,7,8,9]) :- img(X).)";
    const ShortcutTask task{program, {{":- digit(0,X,Y), Y != 9.", {}, false}}, {}, {}};
    const LearningCheck check = task.check();
    EXPECT_THAT(check.lessons, ElementsAre(Lesson::something));
    EXPECT_EQ(check.networks[0].impossible_outcomes.size(), 9U);
    EXPECT_EQ(check.shortcuts->at_least, "1");
    EXPECT_EQ(check.shortcuts->outcomes, 1U);
}

TEST(LearningCheck, FindsNetworksEventsAndOutcomesThatNeverMatter) {
    constexpr auto program = R"(
        nn(used(3,a),[x,y,z]). nn(idle(1,a),[p,q]).
        good :- used(0,a,x). good :- used(2,a,y).)";
    const ShortcutTask task{program, {{":- not good. :- used(E,a,z).", {}, false}}, {}, {}};
    const LearningCheck check = task.check();
    ASSERT_EQ(check.networks.size(), 2U);
    EXPECT_TRUE(check.networks[0].matters);
    EXPECT_THAT(check.networks[0].idle_events, IsEmpty());
    EXPECT_THAT(check.networks[0].impossible_outcomes, ElementsAre("z"));
    EXPECT_TRUE(check.networks[1].called);
    EXPECT_FALSE(check.networks[1].matters);

    const ShortcutTask fewer{program, {{":- not good.", {}, false}}, {}, {}};
    const LearningCheck second = fewer.check();
    EXPECT_THAT(second.networks[0].idle_events, ElementsAre(1U));
    EXPECT_THAT(second.networks[0].impossible_outcomes, IsEmpty());
}

TEST(LearningCheck, LabelsThatViolateTheObservationAreNamedAndLeftOut) {
    const ShortcutTask task{
        bits, {bit_pair(0, 1, ":- not xor(1)."), bit_pair(1, 1, ":- not xor(1).")}, {}, {}};
    const LearningCheck check = task.check();
    EXPECT_THAT(check.contradictory, ElementsAre(1U));
    EXPECT_EQ(check.shortcuts->at_least, "2");
}

TEST(LearningCheck, OtherRandomVariablesAreSummedOver) {
    // the coin decides which bit is seen, so 1 may be the other one; written as 0, a learnable probability can still grow
    for (const char *coin : {"0.5 : coin.", "@0.0 : coin."}) {
        const ShortcutTask task{std::string(coin) + R"(
            nn(bit(1,a),[0,1]). nn(bit(1,b),[0,1]).
            seen(X) :- coin, bit(0,a,X). seen(X) :- not coin, bit(0,b,X).)",
                                {bit_pair(0, 1, ":- not seen(1).")},
                                {},
                                {}};
        const LearningCheck check = task.check();
        // all maps but the one to 0 and 0
        EXPECT_EQ(check.shortcuts->at_least, "3") << coin;
    }
}

TEST(LearningCheck, ALearnableRuleIsALesson) {
    const ShortcutTask task{
        "@0.5 : coin. nn(bit(1,a),[0,1]).", {{":- not coin.", {}, false}}, {}, {}};
    const LearningCheck check = task.check();
    EXPECT_THAT(check.lessons, ElementsAre(Lesson::something));
    EXPECT_FALSE(check.networks[0].matters);
    EXPECT_EQ(check.shortcuts->outcomes, 0U);
    EXPECT_EQ(check.shortcuts->at_least, "1");
}

TEST(LearningCheck, OptimalModeKeepsOnlyTheCheapestChoices) {
    ShortcutTask task{R"(nn(bit(1,a),[0,1]). nn(bit(1,b),[0,1]).
        one :- bit(0,X,1). :~ bit(0,X,1). [1,X])",
                      {bit_pair(0, 1, ":- not one.")},
                      {},
                      {}};
    EXPECT_EQ(task.check().shortcuts->at_least, "3"); // not both 0
    task.options.optimal = true;
    EXPECT_EQ(task.check().shortcuts->at_least, "2"); // exactly one is 1
}

TEST(LearningCheck, ObservationsWithoutACircuitAreEnumerated) {
    ShortcutTask task{digits, {digit_pair(1, 2, "sum"), digit_pair(1, 1, "parity")}, {}, {}};
    task.examples[1].labelled = false;
    task.options.compile_seconds = 0.0;
    TrainingProgram step(Program::from_text(digits), task.options);
    ASSERT_FALSE(step.at(step.prepare(Observation{":- not sum(3)."})).has_circuit);
    expect_brute_force(task);
}

TEST(LearningCheck, AStopFlagKeepsWhatIsKnown) {
    StopSource stop;
    stop.raise();
    Limits limits;
    limits.stop = stop.token();
    const ShortcutTask task{bits, {bit_pair(0, 1, ":- not xor(1).")}, {}, {}};
    const LearningCheck check = task.check(limits);
    EXPECT_TRUE(check.how.interrupted);
    EXPECT_FALSE(check.how.exact);
    EXPECT_THAT(check.lessons, ElementsAre(Lesson::unknown));
    EXPECT_FALSE(check.shortcuts.has_value());
}

// One call with an event for each of `values` outcomes, all different; the truth is 1, 2, 3, ...
LearningCheck check_all_different(std::uint32_t values) {
    const std::string last = std::to_string(values);
    std::string list = "1";
    for (std::uint32_t v = 2; v <= values; ++v) list += "," + std::to_string(v);
    TrainingProgram step(Program::from_text("nn(cell(" + last + ",a),[" + list + "])."));
    const std::vector<Observation> observations = {{":- cell(I,a,V), cell(J,a,V), I < J."}};
    LearningExample example;
    example.known = {{0, "a", {}}};
    for (std::uint32_t v = 0; v < values; ++v) example.known[0].outcomes.push_back(v);
    return check_learning(step, observations, {&example, 1});
}

TEST(LearningCheck, AllEventsOfACallAreMappedAlike) {
    // permutations: 5! with a table, 7! where the relation is too large for one
    for (const auto &[values, count] : {std::pair(5U, "120"), std::pair(7U, "5040")}) {
        const LearningCheck check = check_all_different(values);
        EXPECT_TRUE(check.how.exact) << check.how.limit;
        EXPECT_EQ(check.shortcuts->at_least, count);
        EXPECT_EQ(check.shortcuts->changes, 2U);
        ASSERT_EQ(check.shortcuts->smallest.size(), 1U);
        EXPECT_EQ(check.shortcuts->smallest[0].entries.size(), values);
    }
}

TEST(LearningCheck, MisuseIsRefused) {
    TrainingProgram step(Program::from_text("nn(bit(1,a),[0,1])."));
    const std::vector<Observation> observations = {{":- not bit(0,a,1)."}};
    const auto refuses = [&](const LearningExample &example) {
        EXPECT_THROW(check_learning(step, observations, {&example, 1}), ContractError);
    };
    refuses({1});
    refuses({0, {{1, "a", {0}}}});
    refuses({0, {{0, "a", {0, 1}}}});
    refuses({0, {{0, "a", {2}}}});
    TrainingOptions options;
    options.method = GradientMethod::sampling;
    TrainingProgram sampling(Program::from_text("nn(bit(1,a),[0,1])."), options);
    EXPECT_THROW(check_learning(sampling, observations, {}), ContractError);
}

// A program with two networks, three calls and a random predicate of their outcomes; observations that it holds or not.
ShortcutTask random_task(std::mt19937_64 &random) {
    const auto below = [&](std::size_t n) { return random() % n; };
    const int outcomes[] = {2 + static_cast<int>(below(2)), 2 + static_cast<int>(below(2))};
    const std::pair<std::string, std::string> calls[] = {{"m", "a"}, {"m", "b"}, {"n", "a"}};
    const auto size_of = [&](std::size_t c) { return outcomes[c < 2 ? 0 : 1]; };
    const auto list = [](int n) { return n == 2 ? "[0,1]" : "[0,1,2]"; };
    ShortcutTask task;
    task.program = std::string("nn(m(1,a),") + list(outcomes[0]) + "). nn(m(1,b)," +
                   list(outcomes[0]) + "). nn(n(1,a)," + list(outcomes[1]) + ").\n";
    if (below(3) == 0) task.program += "{free}.\n";
    if (below(3) == 0) task.program += "0.3 : luck.\n";
    std::map<std::vector<int>, std::set<int>> kinds;
    for (int x = 0; x < size_of(0); ++x) {
        for (int y = 0; y < size_of(1); ++y) {
            for (int z = 0; z < size_of(2); ++z) {
                const std::size_t kind = below(3);
                const char *extra = below(8) > 0                                     ? ""
                                    : task.program.find("free") != std::string::npos ? ", free"
                                    : task.program.find("luck") != std::string::npos ? ", luck"
                                                                                     : "";
                task.program += "kind(" + std::to_string(kind) + ") :- m(0,a," + std::to_string(x) +
                                "), m(0,b," + std::to_string(y) + "), n(0,a," + std::to_string(z) +
                                ")" + extra + ".\n";
            }
        }
    }
    for (std::size_t e = 1 + below(4); e > 0; --e) {
        ShortcutTask::Example example;
        for (std::size_t c = 0; c < 3; ++c) {
            example.truth[calls[c]] = std::to_string(below(static_cast<std::size_t>(size_of(c))));
        }
        example.labelled = below(4) > 0;
        example.observation = std::string(below(4) == 0 ? ":- kind(" : ":- not kind(") +
                              std::to_string(below(3)) + ").";
        task.examples.push_back(std::move(example));
    }
    return task;
}

TEST(LearningCheck, RandomProgramsHaveTheCountsOfBruteForce) {
    const std::uint64_t seed = 20261118;
    std::mt19937_64 random(seed);
    std::size_t compared = 0;
    for (int round = 0; round < 60; ++round) {
        const ShortcutTask task = random_task(random);
        SCOPED_TRACE(testing::Message() << "seed " << seed << ", round " << round << "\n"
                                        << task.program);
        const LearningCheck check = task.check();
        // brute force maps all networks; those that never matter have no map
        const bool all_matter = std::all_of(check.networks.begin(), check.networks.end(),
                                            [](const NetworkUse &use) { return use.matters; });
        if (!all_matter) continue;
        ++compared;
        expect_brute_force(task);
    }
    EXPECT_GT(compared, 30U);
}

} // namespace
} // namespace neurasp
