// Models that are pulled: streams stop anywhere, live beside each other, and outlive what made them.
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace neurasp::inference::test {
namespace {

using Atoms = std::vector<std::string>;

// 2^40 models: nothing here may try to see them all.
constexpr auto endless = "0.5 : a(X) :- X=1..40. {f}.";
// Of the two models with a, f tells which is which.
constexpr auto three_models = "0.25 : a. {f} :- a. #show a/0. #show f/0.";

Atoms pull(ModelStream &stream) {
    const auto model = stream.next();
    EXPECT_TRUE(model.has_value());
    return model ? model->atoms : Atoms{"none"};
}

std::map<Atoms, double> rest_of(ModelStream &stream) {
    std::map<Atoms, double> models;
    while (const auto model = stream.next()) models[model->atoms] = model->probability;
    return models;
}

const std::map<Atoms, double> all_three{{{}, 0.75}, {{"a"}, 0.125}, {{"a", "f"}, 0.125}};

TEST(ModelStream, GivesEveryModelWithItsProbability) {
    Reasoner reasoner(Program::from_text(three_models));
    ModelStream stream = reasoner.ask().models({});
    EXPECT_EQ(rest_of(stream), all_three);
    EXPECT_FALSE(stream.next().has_value());
    const StreamEnd end = stream.finish();
    EXPECT_TRUE(end.complete);
    EXPECT_TRUE(end.how.exact);
    EXPECT_EQ(end.how.models_seen, 3U);
    EXPECT_EQ(end.how.engine, "enumerate");
    EXPECT_EQ(end.how.limit, "");
    EXPECT_DOUBLE_EQ(end.mass->value, 1.0); // coherent: known without search
}

TEST(ModelStream, MayBeDroppedAtAnyTime) {
    Reasoner reasoner(Program::from_text(endless));
    const Question question = reasoner.ask();
    for (int round = 0; round < 3; ++round) {
        std::set<Atoms> seen;
        {
            ModelStream stream = question.models({});
            for (int i = 0; i < 3; ++i) seen.insert(pull(stream));
        }
        EXPECT_EQ(seen.size(), 3U);
        { const ModelStream never_pulled = question.models({}); }
    }
    EXPECT_EQ(some_models(5, question, {}).models.size(), 5U);
}

TEST(ModelStream, LivesBesideAnother) {
    Reasoner reasoner(Program::from_text(three_models));
    const Question question = reasoner.ask();
    ModelStream first = question.models({});
    ModelStream second = question.models({});
    std::map<Atoms, double> seen;
    const auto one = first.next();
    ASSERT_TRUE(one.has_value());
    EXPECT_EQ(rest_of(second), all_three);
    EXPECT_TRUE(second.finish().complete);
    auto all = rest_of(first);
    all[one->atoms] = one->probability;
    EXPECT_EQ(all, all_three);
    EXPECT_TRUE(first.finish().complete);
}

TEST(ModelStream, LeavesRoomForOtherQuestions) {
    Reasoner reasoner(Program::from_text(three_models));
    Settings settings;
    settings.all_atoms = true;
    ModelStream stream = reasoner.ask().models({}, settings);
    auto all = std::map<Atoms, double>();
    const auto one = stream.next();
    ASSERT_TRUE(one.has_value());
    all[one->atoms] = one->probability;
    // The same grounding grows while the stream waits.
    for (const auto &[text, expected] : {std::pair{":- a.", 0.75}, {":- f.", 0.875}}) {
        const Question other = reasoner.ask(text, {"a, not f"});
        EXPECT_DOUBLE_EQ(other.probability({}).probability, expected);
        EXPECT_EQ(some_models(1, other, {}).models.size(), 1U);
    }
    for (const auto &[atoms, probability] : rest_of(stream)) all[atoms] = probability;
    const std::map<Atoms, double> with_complement{
        {{"-a"}, 0.75}, {{"a"}, 0.125}, {{"a", "f"}, 0.125}};
    EXPECT_EQ(all, with_complement);
}

TEST(ModelStream, OutlivesItsReasonerAndItsQuestion) {
    std::optional<ModelStream> stream;
    {
        Reasoner reasoner(Program::from_text(three_models));
        const Question question = reasoner.ask(":- f.", {"a"});
        stream = question.models({});
        Reasoner moved = std::move(reasoner);
        moved.forget();
    }
    std::map<Atoms, bool> query;
    while (const auto model = stream->next()) query[model->atoms] = model->queries.at(0);
    EXPECT_EQ(query, (std::map<Atoms, bool>{{{}, false}, {{"a"}, true}}));
    EXPECT_TRUE(stream->finish().complete);
}

TEST(ModelStream, SaysThatModelsAreMissingWhenItIsFinishedEarly) {
    Reasoner reasoner(Program::from_text(three_models));
    ModelStream stream = reasoner.ask().models({});
    pull(stream);
    const StreamEnd end = stream.finish();
    EXPECT_FALSE(end.complete);
    EXPECT_TRUE(end.how.exact); // no limit cut it short
    EXPECT_EQ(end.how.models_seen, 1U);
    EXPECT_FALSE(stream.next().has_value());
}

TEST(ModelStream, SaysTheSameHoweverOftenItIsFinished) {
    Reasoner reasoner(Program::from_text(three_models));
    ModelStream stream = reasoner.ask().models({});
    rest_of(stream);
    EXPECT_TRUE(stream.finish().complete);
    const StreamEnd again = stream.finish();
    EXPECT_TRUE(again.complete);
    EXPECT_TRUE(again.how.exact);
    EXPECT_FALSE(stream.next().has_value());
}

TEST(ModelStream, KnowsThatItIsCompleteOnlyOnceItFoundNoMore) {
    Reasoner reasoner(Program::from_text(three_models));
    ModelStream stream = reasoner.ask().models({});
    for (int i = 0; i < 3; ++i) pull(stream);
    EXPECT_FALSE(stream.finish().complete);
}

TEST(ModelStream, LooksWhetherThereAreMoreIfAsked) {
    Reasoner reasoner(Program::from_text(three_models));
    Settings settings;
    EXPECT_FALSE(some_models(2, reasoner.ask(), {}, settings).more.has_value());
    settings.look_further = true;
    EXPECT_EQ(some_models(2, reasoner.ask(), {}, settings).more, true);
    const auto all = some_models(3, reasoner.ask(), {}, settings);
    EXPECT_EQ(all.more, false);
    EXPECT_TRUE(all.complete);
    EXPECT_TRUE(all.how.exact);
    EXPECT_EQ(all.how.models_seen, 3U);
    Limits limits;
    limits.models = 2;
    const auto limited = all_models(reasoner.ask(), {}, settings, limits);
    EXPECT_EQ(limited.more, true);
    EXPECT_FALSE(limited.how.exact);
}

TEST(ModelStream, EndsAtTheModelLimit) {
    Reasoner reasoner(Program::from_text(three_models));
    for (const std::uint64_t limit : {0U, 1U, 2U, 3U}) {
        Limits limits;
        limits.models = limit;
        const auto pulled = all_models(reasoner.ask(), {}, {}, limits);
        EXPECT_EQ(pulled.models.size(), limit);
        EXPECT_EQ(pulled.complete, limit == 3U) << limit;
        EXPECT_EQ(pulled.how.exact, limit == 3U) << limit;
        EXPECT_EQ(pulled.how.limit, limit == 3U ? "" : "model limit reached") << limit;
    }
}

TEST(ModelStream, FindsTheMassOfAnIncoherentProgramIfAsked) {
    Reasoner reasoner(Program::from_text("0.25 : a. 0.5 : b. :- a, b."));
    EXPECT_FALSE(all_models(reasoner.ask(":- a."), {}).mass.has_value());
    Settings settings;
    settings.mass_models = 100;
    const auto pulled = all_models(reasoner.ask(":- a."), {}, settings);
    EXPECT_EQ(pulled.models.size(), 2U);
    EXPECT_NEAR(pulled.mass.value(), 0.875, probability_tolerance);
}

TEST(ModelStream, EndsWhenItsCallerIsStoppedWhileItWaits) {
    Reasoner reasoner(Program::from_text(endless));
    StopSource stop;
    Limits limits;
    limits.stop = stop.token();
    ModelStream stream = reasoner.ask().models({}, {}, limits);
    pull(stream);
    stop.raise();
    EXPECT_FALSE(stream.next().has_value());
    const StreamEnd end = stream.finish();
    EXPECT_TRUE(end.how.interrupted);
    EXPECT_FALSE(end.how.exact);
    EXPECT_FALSE(end.complete);
}

TEST(ModelStream, FindsNothingWhereTheLeastCostIsNotKnown) {
    Reasoner reasoner(Program::from_text(std::string(three_models) + " :~ f. [1]"));
    Settings settings;
    settings.optimal = true;
    Limits limits;
    limits.seconds = 0.0;
    const auto nothing = all_models(reasoner.ask(), {}, settings, limits);
    EXPECT_TRUE(nothing.models.empty());
    EXPECT_FALSE(nothing.complete);
    EXPECT_FALSE(nothing.how.exact);
    EXPECT_EQ(all_models(reasoner.ask(), {}, settings).models.size(), 2U); // without f
}

} // namespace
} // namespace neurasp::inference::test
