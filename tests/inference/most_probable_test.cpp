// The most probable stable models, in exact order.
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace neurasp::inference::test {
namespace {

ModelsAnswer best(const std::string &program, const NetworkOutputs &outputs, std::uint64_t count,
                  bool ties = false, const std::string &observation = "") {
    Reasoner reasoner(Program::from_text(program));
    return reasoner.ask(observation).most_probable(outputs, count, ties);
}

// A random program whose models can be counted by hand: variables d(0..n-1) of three outcomes, pairs of
// outcomes that exclude each other, and free atoms that single outcomes switch on.
struct RandomProgram {
    std::string text;
    NetworkOutputs outputs;
    std::vector<double> probabilities; // of all models, most probable first

    explicit RandomProgram(unsigned seed) {
        std::mt19937 engine(seed);
        const auto random = [&] { return static_cast<unsigned>(engine()); };
        const unsigned n = 2 + random() % 4;
        std::vector<double> values;
        for (unsigned i = 0; i < n; ++i) {
            // multiples of 1/16, zeros among them, so that ties happen
            const unsigned a = random() % 9;
            const unsigned b = random() % (17 - a);
            for (const unsigned x : {a, b, 16 - a - b}) values.push_back(x / 16.0);
        }
        outputs.set("d", "x", values);
        text = "nn(d(" + std::to_string(n) + ",x),[0,1,2]).";
        struct Pair {
            unsigned i, v, j, w;
        };
        std::vector<Pair> excluded;
        for (unsigned k = 0; k < n; ++k) {
            const Pair pair{random() % n, random() % 3, random() % n, random() % 3};
            if (pair.i == pair.j) continue;
            excluded.push_back(pair);
            text += " :- " + atom(pair.i, pair.v) + ", " + atom(pair.j, pair.w) + ".";
        }
        std::vector<std::pair<unsigned, unsigned>> free;
        for (unsigned k = 0; k < random() % 3; ++k) {
            free.emplace_back(random() % n, random() % 3);
            text += " {f(" + std::to_string(k) + ")} :- " +
                    atom(free.back().first, free.back().second) + ".";
        }
        std::vector<unsigned> choice(n, 0);
        for (bool more = true; more;) {
            const bool allowed = std::none_of(excluded.begin(), excluded.end(), [&](const Pair &p) {
                return choice[p.i] == p.v && choice[p.j] == p.w;
            });
            double product = 1.0;
            for (unsigned i = 0; i < n; ++i) product *= values[3 * i + choice[i]];
            unsigned models = 1;
            for (const auto &[i, v] : free) models *= choice[i] == v ? 2 : 1;
            if (allowed) probabilities.insert(probabilities.end(), models, product / models);
            more = false;
            for (unsigned i = 0; i < n && !more; ++i) {
                more = ++choice[i] < 3;
                if (!more) choice[i] = 0;
            }
        }
        std::sort(probabilities.rbegin(), probabilities.rend());
    }
    static std::string atom(unsigned i, unsigned v) {
        return "d(" + std::to_string(i) + ",x," + std::to_string(v) + ")";
    }
};

TEST(MostProbable, EqualsBruteForceOnRandomPrograms) {
    for (unsigned seed = 1; seed <= 120; ++seed) {
        const RandomProgram random(seed);
        Reasoner reasoner(Program::from_text(random.text));
        const Question question = reasoner.ask();
        for (const std::size_t count :
             {std::size_t{1}, std::size_t{3}, std::size_t{10}, random.probabilities.size() + 5}) {
            const auto answer = question.most_probable(random.outputs, count);
            ASSERT_TRUE(answer.how.exact);
            ASSERT_EQ(answer.models.size(), std::min(count, random.probabilities.size()))
                << "seed " << seed << ", count " << count << "\n"
                << random.text;
            for (std::size_t i = 0; i < answer.models.size(); ++i) {
                ASSERT_NEAR(answer.models[i].probability.value, random.probabilities[i],
                            probability_tolerance)
                    << "seed " << seed << ", count " << count << ", place " << i << "\n"
                    << random.text;
            }
        }
    }
}

TEST(MostProbable, KnowsWhetherThereAreMoreModelsOfRandomPrograms) {
    Settings settings;
    settings.look_further = true;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const RandomProgram random(seed);
        Reasoner reasoner(Program::from_text(random.text));
        const Question question = reasoner.ask();
        const std::size_t all = random.probabilities.size();
        for (const std::size_t count : {std::size_t{1}, all, all + 1, all - (all > 1 ? 1 : 0)}) {
            for (const char *engine : {"enumerate", "circuit"}) {
                settings.engine = engine;
                const auto answer = question.most_probable(random.outputs, count, false, settings);
                ASSERT_EQ(answer.more, answer.models.size() < all)
                    << "seed " << seed << ", count " << count << ", " << engine << "\n"
                    << random.text;
            }
        }
    }
}

TEST(MostProbable, DoesNotSayWhetherThereAreMoreUnlessAskedOrPlain) {
    EXPECT_FALSE(best("0.5 : a.", {}, 1).more.has_value());
    EXPECT_EQ(best("0.5 : a.", {}, 3).more, false); // fewer than three
}

TEST(MostProbable, ListsAllTiesOfRandomPrograms) {
    for (unsigned seed = 1; seed <= 120; ++seed) {
        const RandomProgram random(seed);
        if (random.probabilities.empty()) continue;
        for (const std::size_t count : {std::size_t{1}, std::size_t{4}}) {
            const auto answer = best(random.text, random.outputs, count, true);
            const double last =
                random.probabilities[std::min(count, random.probabilities.size()) - 1];
            const auto expected =
                std::count_if(random.probabilities.begin(), random.probabilities.end(),
                              [&](double p) { return p >= last; }); // 2^-k: exact
            ASSERT_EQ(answer.models.size(), static_cast<std::size_t>(expected))
                << "seed " << seed << ", count " << count << "\n"
                << random.text;
        }
    }
}

TEST(MostProbable, ListsNoModelTwice) {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const RandomProgram random(seed);
        const auto answer = best(random.text, random.outputs, 1000, true);
        std::vector<std::vector<std::string>> seen;
        for (const auto &model : answer.models) seen.push_back(model.atoms);
        std::sort(seen.begin(), seen.end());
        EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end()) << "seed " << seed;
    }
}

TEST(MostProbable, ListsAllModelsThatTie) {
    const auto outputs = output("d", "x", {0.5, 0.5, 0.25, 0.75});
    EXPECT_EQ(best("nn(d(2,x),[a,b]).", outputs, 1, true).models.size(), 2U);
    EXPECT_EQ(best("nn(d(2,x),[a,b]).", outputs, 1, false).models.size(), 1U);
    EXPECT_EQ(best("nn(d(2,x),[a,b]).", outputs, 3, true).models.size(), 4U);
}

TEST(MostProbable, PutsModelsOfProbabilityZeroLast) {
    const auto answer = best("nn(d(2,x),[a,b]).", output("d", "x", {0.0, 1.0, 0.4, 0.6}), 4);
    ASSERT_EQ(answer.models.size(), 4U);
    EXPECT_NEAR(answer.models[0].probability.value, 0.6, probability_tolerance);
    EXPECT_NEAR(answer.models[1].probability.value, 0.4, probability_tolerance);
    EXPECT_EQ(answer.models[2].probability.value, 0.0);
    EXPECT_TRUE(holds(answer.models[3], "d(0,x,a)"));
    EXPECT_EQ(best("nn(d(2,x),[a,b]).", output("d", "x", {0.0, 1.0, 0.4, 0.6}), 2).models.size(),
              2U);
}

TEST(MostProbable, FindsModelsOfProbabilityZeroIfThereAreNoOthers) {
    const auto answer =
        best("nn(d(1,x),[a,b]).", output("d", "x", {0.0, 1.0}), 1, false, ":- d(0,x,b).");
    ASSERT_EQ(answer.models.size(), 1U);
    EXPECT_EQ(answer.models[0].probability.value, 0.0);
    EXPECT_TRUE(answer.how.exact);
}

TEST(MostProbable, FindsNothingIfThereIsNothing) {
    const auto answer =
        best("nn(d(1,x),[a,b]).", output("d", "x", {0.5, 0.5}), 3, true, ":- d(0,x,V).");
    EXPECT_TRUE(answer.models.empty());
    EXPECT_TRUE(answer.how.exact);
    EXPECT_TRUE(best("nn(d(1,x),[a,b]).", output("d", "x", {0.5, 0.5}), 0).models.empty());
}

// The likelier outcome has 2^14 models, so each of them is less probable than the other outcome's.
const std::string many = "nn(d(1,x),[a,b]). {f(1..14)} :- d(0,x,a).";
const NetworkOutputs many_output = output("d", "x", {0.9, 0.1});

TEST(MostProbable, IsNotFooledByAnOutcomeWithManyModels) {
    const auto answer = best(many, many_output, 1);
    ASSERT_EQ(answer.models.size(), 1U);
    EXPECT_TRUE(holds(answer.models[0], "d(0,x,b)"));
    EXPECT_NEAR(answer.models[0].probability.value, 0.1, probability_tolerance);
}

TEST(MostProbable, ListsTheManyModelsWhenTheirTurnComes) {
    const auto answer = best(many, many_output, 3);
    ASSERT_EQ(answer.models.size(), 3U);
    EXPECT_TRUE(holds(answer.models[0], "d(0,x,b)"));
    EXPECT_NEAR(answer.models[2].probability.value, 0.9 / 16384, probability_tolerance);
    EXPECT_TRUE(answer.models[2].probability.exact);
    EXPECT_EQ(best(many, many_output, 2, true).models.size(), 1U + 16384U);
}

TEST(MostProbable, SaysThatAHugeNumCouldNotBeCounted) {
    Reasoner reasoner(Program::from_text("nn(d(1,x),[a,b]). {f(1..50)} :- d(0,x,a)."));
    Limits limits;
    limits.seconds = 0.3;
    const auto answer = reasoner.ask().most_probable(many_output, 2, false, {}, limits);
    EXPECT_FALSE(answer.how.exact);
    ASSERT_EQ(answer.models.size(), 2U);
    EXPECT_TRUE(holds(answer.models[0], "d(0,x,b)"));
    EXPECT_TRUE(answer.models[0].probability.exact);
    EXPECT_FALSE(answer.models[1].probability.exact); // an upper bound
    EXPECT_GE(answer.models[1].probability.log, std::log(0.9) - 50 * std::log(2.0));
}

TEST(MostProbable, DoesNotCountAHugeNumThatCannotWin) {
    Reasoner reasoner(Program::from_text("nn(d(1,x),[a,b]). {f(1..50)} :- d(0,x,b)."));
    const auto answer = reasoner.ask().most_probable(many_output);
    EXPECT_TRUE(answer.how.exact);
    EXPECT_TRUE(holds(answer.models.at(0), "d(0,x,a)"));
}

// 3000 coins that all must fall like the switch s: two models, whose products are equal up to s.
struct Switched {
    std::string program = "nn(d(3000,x),[0,1]). nn(s(1,y),[0,1]). :- d(I,x,V), s(0,y,W), V != W. "
                          "#show s/3.";
    NetworkOutputs outputs;
    explicit Switched(double advantage) {
        std::vector<double> values;
        for (int i = 0; i < 3000; ++i) {
            if (i % 2 == 0)
                values.insert(values.end(), {0.3, 0.7});
            else
                values.insert(values.end(), {0.7, 0.3});
        }
        outputs.set("d", "x", values).set("s", "y", {0.5 + advantage, 0.5 - advantage});
    }
};

TEST(MostProbable, TellsModelsApartThatDifferByATrillionthOver3000Variables) {
    for (const double advantage : {2.5e-13, -2.5e-13}) {
        const Switched coins(advantage);
        const auto answer = best(coins.program, coins.outputs, 1, true);
        ASSERT_EQ(answer.models.size(), 1U);
        EXPECT_EQ(answer.models[0].atoms,
                  std::vector<std::string>{advantage > 0 ? "s(0,y,0)" : "s(0,y,1)"});
        EXPECT_NEAR(answer.models[0].probability.log / (1500 * std::log(0.21) + std::log(0.5)), 1.0,
                    1e-12);
    }
}

TEST(MostProbable, CallsModelsEqualThatAreEqualOver3000Variables) {
    const Switched coins(0.0);
    EXPECT_EQ(best(coins.program, coins.outputs, 1, true).models.size(), 2U);
}

TEST(MostProbable, RanksProbabilitiesFarBelowDoubles) {
    // 20 times 1e-30 is 1e-600; the switch decides between 1e-601 * 4 and 1e-601 * 6
    const std::string program = "nn(d(20,x),[0,1]). nn(s(1,y),[0,1]). :- d(I,x,1).";
    NetworkOutputs outputs;
    outputs.set("d", "x", std::vector<double>(20, 1e-30)).set("s", "y", {0.4, 0.6});
    const auto answer = best(program, outputs, 2);
    ASSERT_EQ(answer.models.size(), 2U);
    EXPECT_TRUE(holds(answer.models[0], "s(0,y,1)"));
    EXPECT_EQ(answer.models[0].probability.value, 0.0);
    EXPECT_NEAR(answer.models[0].probability.log, -600 * std::log(10.0) + std::log(0.6), 1e-10);
    EXPECT_NEAR(answer.models[1].probability.log, -600 * std::log(10.0) + std::log(0.4), 1e-10);
}

TEST(MostProbable, RespectsTheObservationButCountsNumWithoutIt) {
    // a has four models, one of them with both p and q
    const std::string program = "nn(d(1,x),[a,b]). {p; q} :- d(0,x,a).";
    const auto outputs = output("d", "x", {0.7, 0.3});
    const auto answer = best(program, outputs, 5, false, ":- d(0,x,a), not p. :- d(0,x,a), not q.");
    ASSERT_EQ(answer.models.size(), 2U);
    EXPECT_TRUE(holds(answer.models[0], "d(0,x,b)"));
    EXPECT_NEAR(answer.models[1].probability.value, 0.7 / 4, probability_tolerance);
}

TEST(MostProbable, GivesTheSameAnswersAgainAndAgain) {
    Reasoner reasoner(Program::from_text("nn(d(4,x),[a,b,c]). :- d(I,x,V), d(I+1,x,V)."));
    const Question question = reasoner.ask();
    // aaaa is forbidden: a must alternate with the next best
    const NetworkOutputs first =
        output("d", "x", {0.6, 0.3, 0.1, 0.6, 0.3, 0.1, 0.6, 0.3, 0.1, 0.6, 0.3, 0.1});
    const NetworkOutputs second =
        output("d", "x", {0.1, 0.3, 0.6, 0.1, 0.3, 0.6, 0.1, 0.3, 0.6, 0.1, 0.3, 0.6});
    for (int round = 0; round < 5; ++round) {
        const auto a = question.most_probable(first, 2);
        EXPECT_NEAR(a.models.at(0).probability.value, 0.36 * 0.09, probability_tolerance);
        EXPECT_NEAR(a.models.at(1).probability.value, 0.36 * 0.09,
                    probability_tolerance); // abab, baba
        EXPECT_NEAR(question.most_probable(second).models.at(0).probability.value, 0.36 * 0.09,
                    probability_tolerance);
        EXPECT_EQ(all_models(question, first).models.size(), 24U); // 3 * 2^3
    }
}

} // namespace
} // namespace neurasp::inference::test
