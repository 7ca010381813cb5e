// Reasoner and Question through the public interface.
#include "asp/clingo_binary.hpp"
#include "digits.hpp"
#include "inference/access.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>

namespace neurasp::test {
namespace {

const Row row_a{0.1, 0.2, 0.3, 0.25, 0.15};
const Row row_b{0.5, 0.0, 0.125, 0.125, 0.25};
const Row row_c{0.0, 0.0, 1.0, 0.0, 0.0};

// The state that copies of a question share.
const void *identity(const Question &question) { return &internal::Access::state(question); }

TEST(Reasoner, ComputesTheProbabilityOfAnObservation) {
    Reasoner reasoner(Program::from_text(digits_program));
    for (std::size_t sum = 0; sum <= 9; ++sum) { // 9 is impossible
        const auto answer = reasoner.ask(observe_sum(sum)).probability(digits(row_a, row_b));
        EXPECT_NEAR(answer.probability.lower, sum_probability(row_a, row_b, sum),
                    probability_tolerance);
        EXPECT_TRUE(answer.probability.exact);
    }
}

TEST(Reasoner, AnswersInAnyOrderAsAFreshOneWould) {
    Reasoner reused(Program::from_text(digits_program));
    std::mt19937 random(3);
    const Row *rows[] = {&row_a, &row_b, &row_c};
    for (int round = 0; round < 60; ++round) {
        const Row &first = *rows[random() % 3];
        const Row &second = *rows[random() % 3];
        const std::string observation = random() % 4 == 0 ? "" : observe_sum(random() % 10);
        const std::vector<std::string> queries{"digit(0,i1,2)", "sum(S), S > 3"};
        Reasoner fresh(Program::from_text(digits_program));
        const auto outputs = digits(first, second);
        const Question here = reused.ask(observation, queries);
        const Question there = fresh.ask(observation, queries);
        const auto a = here.probability(outputs);
        const auto b = there.probability(outputs);
        ASSERT_NEAR(a.probability.lower, b.probability.lower, probability_tolerance) << round;
        for (std::size_t q = 0; q < 2; ++q) {
            ASSERT_NEAR(a.queries[q].joint.lower, b.queries[q].joint.lower, probability_tolerance);
            ASSERT_EQ(a.queries[q].conditional.has_value(), b.queries[q].conditional.has_value());
        }
        const auto best_a = here.most_probable(outputs, 3);
        const auto best_b = there.most_probable(outputs, 3);
        ASSERT_EQ(best_a.models.size(), best_b.models.size()) << round;
        for (std::size_t i = 0; i < best_a.models.size(); ++i) {
            ASSERT_NEAR(best_a.models[i].probability.value, best_b.models[i].probability.value,
                        probability_tolerance);
        }
        ASSERT_EQ(all_models(here, outputs).models.size(),
                  all_models(there, outputs).models.size());
    }
}

TEST(Reasoner, KeepsQuestionsUsableWhileOthersAreAsked) {
    Reasoner reasoner(Program::from_text(digits_program));
    const Question first = reasoner.ask(observe_sum(4));
    const auto outputs = digits(row_a, row_b);
    const double expected = sum_probability(row_a, row_b, 4);
    for (int i = 0; i < 200; ++i) {
        const std::string text =
            ":- digit(0,i1," + std::to_string(i % 5) + "), not sum(" + std::to_string(i) + ").";
        const Question other = reasoner.ask(text);
        if (i % 20 != 0) continue;
        other.probability(outputs);
        EXPECT_NEAR(first.probability(outputs).probability.lower, expected, probability_tolerance);
        EXPECT_NEAR(first.marginals(outputs).probability.lower, expected, probability_tolerance);
    }
}

TEST(Reasoner, AnswersHundredsOfQuestions) {
    Reasoner reasoner(Program::from_text("0.25 : a. 0.5 : b."));
    const Question first = reasoner.ask(":- not a.");
    for (int i = 0; i < 400; ++i) {
        const std::string text = ":- not a, b, " + std::to_string(i) + " > 0.";
        const auto answer = reasoner.ask(text).probability({});
        ASSERT_NEAR(answer.probability.lower, i == 0 ? 1.0 : 1 - 0.75 * 0.5, probability_tolerance)
            << i;
    }
    EXPECT_NEAR(first.probability({}).probability.lower, 0.25, probability_tolerance);
}

TEST(Reasoner, PreparesTheSameQuestionOnce) {
    Reasoner reasoner(Program::from_text(digits_program));
    const Question first = reasoner.ask(observe_sum(4), {"sum(4)"});
    EXPECT_EQ(identity(first), identity(reasoner.ask(observe_sum(4), {"sum(4)"})));
    EXPECT_NE(identity(first), identity(reasoner.ask(observe_sum(4), {"sum(5)"})));
    EXPECT_NE(identity(first), identity(reasoner.ask(observe_sum(4))));
}

TEST(Reasoner, LetsFactsOfAnObservationExtendTheProgramForItAlone) {
    Reasoner reasoner(Program::from_text("nn(d(1,X),[a,b]) :- box(X). p :- d(0,X,a)."));
    const Question with = reasoner.ask("box(1). box(2). :- not p.");
    const Question without = reasoner.ask(":- not p.");
    NetworkOutputs outputs;
    outputs.set("d", "1", {0.5, 0.5}).set("d", "2", {0.25, 0.75});
    EXPECT_NEAR(with.probability(outputs).probability.lower, 1 - 0.5 * 0.75, probability_tolerance);
    EXPECT_EQ(without.probability({}).probability.lower, 0.0);
    EXPECT_THROW(without.probability(outputs), InputError); // nothing calls d there
}

TEST(Reasoner, CountsNumInTheExtendedProgramWithoutTheConstraints) {
    Reasoner reasoner(Program::from_text("0.5 : a."));
    // a has two models, O keeps one of them
    const auto answer = reasoner.ask("{f} :- a. :- a, not f.").probability({});
    EXPECT_NEAR(answer.probability.lower, 0.25 + 0.5, probability_tolerance);
}

TEST(Reasoner, JoinsSeveralObservationTexts) {
    Reasoner reasoner(Program::from_text(digits_program));
    const Question question =
        reasoner.ask({{":- digit(0,i1,0).", {}, "one"}, {":- digit(0,i2,0).", {}, "two"}});
    EXPECT_NEAR(question.probability(digits(row_a, row_b)).probability.lower, 0.9 * 0.5,
                probability_tolerance);
}

TEST(Reasoner, CanBeMovedWithItsQuestions) {
    Reasoner first(Program::from_text(digits_program));
    const Question question = first.ask(observe_sum(4));
    Reasoner second = std::move(first);
    Reasoner third(Program::from_text("0.5 : a."));
    third = std::move(second);
    const double expected = sum_probability(row_a, row_b, 4);
    EXPECT_NEAR(question.probability(digits(row_a, row_b)).probability.lower, expected,
                probability_tolerance);
    EXPECT_EQ(identity(third.ask(observe_sum(4))), identity(question));
}

TEST(Reasoner, IsOutlivedByItsQuestions) {
    std::optional<Question> question;
    {
        Reasoner reasoner(Program::from_text(digits_program));
        question = reasoner.ask(observe_sum(4));
    }
    EXPECT_NEAR(question->probability(digits(row_a, row_b)).probability.lower,
                sum_probability(row_a, row_b, 4), probability_tolerance);
}

TEST(Reasoner, ReturnsNothingGivenAnImpossibleObservation) {
    Reasoner reasoner(Program::from_text(digits_program));
    for (const char *impossible : {":- not sum(9).", ":- 1 = 1.", ":- not undefined."}) {
        const Question question = reasoner.ask(impossible, {"sum(4)"});
        const auto outputs = digits(row_a, row_b);
        const auto answer = question.probability(outputs);
        EXPECT_TRUE(answer.probability.exact);
        EXPECT_EQ(answer.probability.upper, 0.0) << impossible;
        EXPECT_TRUE(std::isinf(answer.probability.log));
        EXPECT_FALSE(answer.queries.at(0).conditional.has_value());
        EXPECT_TRUE(question.marginals(outputs).atoms.empty());
        EXPECT_FALSE(question.gradient(outputs).defined);
        EXPECT_TRUE(question.most_probable(outputs).models.empty());
    }
}

TEST(Reasoner, ComputesMarginalsOfAtomsAndVariables) {
    Reasoner reasoner(Program::from_text(digits_program + " #show sum/1."));
    const auto answer = reasoner.ask(":- not digit(0,i1,3).").marginals(digits(row_a, row_b));
    ASSERT_EQ(answer.variables.size(), 2U);
    EXPECT_EQ(answer.variables[0].values, (Row{0.0, 0.0, 0.0, 1.0, 0.0}));
    for (std::size_t v = 0; v < 5; ++v)
        EXPECT_NEAR(answer.variables[1].values[v], row_b[v], probability_tolerance);
    for (const auto &[atom, p] : answer.atoms) {
        const std::size_t sum = static_cast<std::size_t>(atom[4] - '0');
        EXPECT_NEAR(p, sum >= 3 && sum <= 7 ? row_b[sum - 3] : 0.0, probability_tolerance) << atom;
    }
}

TEST(Reasoner, ComputesBothKindsOfGradient) {
    Reasoner reasoner(Program::from_text("nn(d(1,x),[a,b,c]). p :- d(0,x,a). p :- d(0,x,b)."));
    NetworkOutputs outputs;
    outputs.set("d", "x", {0.2, 0.3, 0.5});
    const Question question = reasoner.ask(":- not p.");
    // log(pa + pb): the derivatives are 1/0.5, 1/0.5, 0; the others absorb: each minus the sum of the rest
    const auto plain = question.gradient(outputs).variables.at(0).values;
    const auto absorbed =
        question.gradient(outputs, GradientConvention::proposition1).variables.at(0).values;
    const Row expected[] = {{2.0, 2.0, 0.0}, {0.0, 0.0, -4.0}};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(plain[i], expected[0][i], 1e-13);
        EXPECT_NEAR(absorbed[i], expected[1][i], 1e-13);
    }
}

TEST(Reasoner, ListsShownAtomsOrAll) {
    Reasoner reasoner(Program::from_text("0.5 : a. p :- a. q. #show p/0."));
    const Question question = reasoner.ask(":- not a.");
    EXPECT_EQ(all_models(question, {}).models.at(0).atoms, std::vector<std::string>{"p"});
    Settings settings;
    settings.all_atoms = true;
    EXPECT_EQ(all_models(question, {}, settings).models.at(0).atoms,
              (std::vector<std::string>{"a", "p", "q"}));
}

TEST(Reasoner, SummarisesTheProgram) {
    Reasoner reasoner(Program::from_text(
        digits_program + " 0.5 : rain. r(X,Y) :- r(Y,X). r(1,2) :- rain. :~ rain. [1]"));
    const ProgramSummary summary = reasoner.ask(observe_sum(4)).summary();
    EXPECT_EQ(summary.neural_rules, 1U);
    EXPECT_EQ(summary.probabilistic_rules, 1U);
    EXPECT_EQ(summary.random_variables, 3U);
    EXPECT_NEAR(summary.log10_total_choices, std::log10(50.0), 1e-12);
    EXPECT_EQ(summary.weak_constraints, 1U);
    EXPECT_EQ(summary.largest_scc, 2U); // r(1,2), r(2,1)
    EXPECT_FALSE(summary.tight);
    EXPECT_TRUE(summary.determined);
    EXPECT_TRUE(summary.coherent);
    EXPECT_EQ(summary.relevant_variables, 2U);
}

TEST(Reasoner, WritesAspifThatHasTheModelsOfTheQuestion) {
    if (!asp::test::has_clingo_binary()) GTEST_SKIP() << "no clingo binary";
    Reasoner reasoner(Program::from_text(digits_program + " {f; g}. :- f, g."));
    reasoner.ask(observe_sum(7)); // another question must not restrict this one
    EXPECT_EQ(asp::test::count_models(reasoner.ask(observe_sum(4)).aspif(), true), 5U * 3U);
    EXPECT_EQ(asp::test::count_models(reasoner.ask().aspif(), true), 25U * 3U);
}

TEST(Reasoner, AcceptsConstantsAsOptions) {
    ProgramOptions options;
    options.constants = {{"n", "3"}};
    Reasoner reasoner(Program::from_text("#const n=1. 0.5 : a(X) :- X=1..n.", options));
    EXPECT_EQ(reasoner.ask().summary().random_variables, 3U);
}

TEST(Reasoner, NamesItsEnginesAndLibrary) {
    EXPECT_EQ(engine_names().at(0), "auto");
    EXPECT_GE(engine_names().size(), 2U);
    EXPECT_EQ(clingo_version_string().substr(0, 2), "5.");
}

TEST(Reasoner, AnswersAlikeWithEveryEngine) {
    Reasoner reasoner(Program::from_text(digits_program));
    for (const std::string &engine : engine_names()) {
        Settings settings;
        settings.engine = engine;
        const auto answer =
            reasoner.ask(observe_sum(4)).probability(digits(row_a, row_b), settings);
        EXPECT_NEAR(answer.probability.lower, sum_probability(row_a, row_b, 4),
                    probability_tolerance)
            << engine;
    }
}

} // namespace
// The program is grounded anew every few hundred questions, which must not change any answer.
TEST(Reasoner, AnswersHundredsOfDifferentQuestions) {
    Reasoner reasoner(Program::from_text("0.25 : a. n(1..600)."));
    const Question first = reasoner.ask(":- not a.");
    for (int i = 1; i <= 600; ++i) {
        const Question question = reasoner.ask(":- a, n(" + std::to_string(i) + ").");
        EXPECT_DOUBLE_EQ(question.probability({}).probability.lower, 0.75);
    }
    EXPECT_DOUBLE_EQ(first.probability({}).probability.lower, 0.25);
}

} // namespace neurasp::test
