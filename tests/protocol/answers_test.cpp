// The values of single members; schemas_test.cpp checks that all members are there.
#include "protocol/answers.hpp"
#include "protocol/diagnostics.hpp"
#include "protocol/model_list.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace neurasp::protocol {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const Probability half{0.5, -0.5, 0.5, 0.5, true};
const Probability bounded{0.25, -1.5, 0.25, 0.75, false};

TEST(Json, NumbersHaveAllDigitsAndAreNullIfNotFinite) {
    EXPECT_EQ(line(number(0.1)), "0.1");
    EXPECT_EQ(line(number(1.0 / 3.0)), "0.3333333333333333");
    EXPECT_EQ(line(number(5e-324)), "5e-324");
    for (const double value : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_EQ(line(number(value)), "null");
    }
}

TEST(Json, BytesThatAreNotUtf8AreReplaced) { EXPECT_EQ(line("a\xff"), "\"a\xEF\xBF\xBD\""); }

TEST(Json, ADocumentSpreadsObjectsAndListsOfObjects) {
    const Json object = {{"a", 1},
                         {"list", {1, 2}},
                         {"object", {{"b", 2}}},
                         {"objects", {{{"c", 3}}, {{"d", 4}}}},
                         {"none", Json::array()}};
    EXPECT_EQ(document(object), R"({
  "a": 1,
  "list": [1,2],
  "object": {
    "b": 2
  },
  "objects": [
    {"c":3},
    {"d":4}
  ],
  "none": []
}
)");
}

TEST(Answers, AnExactProbabilityHasNoBounds) {
    ProbabilityAnswer answer;
    answer.probability = half;
    answer.mass = half;
    answer.queries = {{"a", bounded, std::nullopt}};
    const Json object = to_json(answer);
    EXPECT_EQ(object["probability"], 0.5);
    EXPECT_EQ(object["log_probability"], -0.5);
    EXPECT_EQ(object["mass"], 0.5);
    EXPECT_TRUE(object["given_consistency"].is_null());
    for (const char *key : {"bounds", "mass_bounds", "note", "estimate"}) {
        EXPECT_FALSE(object.contains(key)) << key;
    }
    EXPECT_TRUE(object["queries"][0]["probability"].is_null());
    EXPECT_TRUE(object["queries"][0]["log_probability"].is_null());
    EXPECT_EQ(object["queries"][0]["joint"], 0.25);
    EXPECT_EQ(object["queries"][0]["joint_bounds"]["upper"], 0.75);
}

TEST(Answers, AQueryHasALogarithmEvenWhereItsProbabilityUnderflows) {
    ProbabilityAnswer answer;
    answer.queries = {{"a", half, Probability{0.0, -1000.0, 0.0, 0.0, true}}};
    const Json query = to_json(answer)["queries"][0];
    EXPECT_EQ(query["probability"], 0.0);
    EXPECT_EQ(query["log_probability"], -1000.0);
}

TEST(Answers, ABoundedProbabilityIsItsLowerEnd) {
    ProbabilityAnswer answer;
    answer.probability = bounded;
    answer.mass = bounded;
    answer.how.exact = false;
    answer.how.limit = "time limit reached";
    const Json object = to_json(answer);
    EXPECT_EQ(object["probability"], 0.25);
    EXPECT_EQ(object["bounds"], (Json{{"lower", 0.25}, {"upper", 0.75}}));
    EXPECT_TRUE(object["mass"].is_null()) << "it is not known";
    EXPECT_EQ(object["mass_bounds"]["lower"], 0.25);
    EXPECT_EQ(object["exact"], false);
    EXPECT_EQ(object["note"], "time limit reached");
}

TEST(Answers, AGradientThatDoesNotExistIsNullAndSaysWhy) {
    GradientAnswer answer;
    answer.defined = false;
    const Json object = to_json(answer, GradientConvention::proposition1, "P(O) = 0");
    EXPECT_TRUE(object["gradients"].is_null());
    EXPECT_TRUE(object["log_probability"].is_null());
    EXPECT_EQ(object["undefined"], "P(O) = 0");
    EXPECT_EQ(object["convention"], "proposition1");
    answer.defined = true;
    EXPECT_FALSE(to_json(answer, GradientConvention::plain, "P(O) = 0").contains("undefined"));
}

TEST(Answers, MarginalsKeepTheOrderOfTheAtoms) {
    MarginalsAnswer answer;
    answer.atoms = {{"z", 0.25}, {"a", 0.5}};
    EXPECT_EQ(line(to_json(answer)["atoms"]), R"({"z":0.25,"a":0.5})");
}

TEST(Answers, TheNoteOfAnExplanationIsItsOwnBeforeThatOfTheEngine) {
    ExplanationAnswer answer;
    answer.how.limit = "of the engine";
    EXPECT_EQ(to_json(answer)["note"], "of the engine");
    answer.note = "its own";
    EXPECT_EQ(to_json(answer)["note"], "its own");
}

TEST(Answers, OnlyAnIncoherentProgramHasAWitness) {
    EXPECT_TRUE(to_json(CoherenceAnswer{Coherence::coherent, {"a"}, {}})["witness"].is_null());
    const Json incoherent = to_json(CoherenceAnswer{Coherence::incoherent, {"a"}, {}});
    EXPECT_EQ(line(incoherent), R"({"result":"incoherent","witness":["a"]})");
}

TEST(ModelList, WritesEachModelAtOnceAndTheRestAtTheEnd) {
    StableModel model;
    model.probability = {0.5, -0.5};
    model.atoms = {"a"};
    ModelList list;
    EXPECT_EQ(list.model(model), "{\n  \"models\": [\n    "
                                 R"({"probability":0.5,"log_probability":-0.5,"atoms":["a"],)"
                                 R"("cost":[]})");
    model.probability.exact = false;
    EXPECT_EQ(list.model(model), ",\n    "
                                 R"({"probability":0.5,"log_probability":-0.5,"atoms":["a"],)"
                                 R"("cost":[],"probability_exact":false})");
    EXPECT_EQ(list.count(), 2U);
    ModelsAnswer answer;
    answer.how.engine = "e";
    EXPECT_EQ(list.end(answer, {{"seed", 7}}),
              "\n  ],\n  \"mass\": null,\n  \"exact\": true,\n  \"engine\": \"e\",\n"
              "  \"truncated\": null,\n  \"seed\": 7\n}\n");
}

TEST(ModelList, IsTruncatedIfThereAreMore) {
    ModelsAnswer answer;
    StreamEnd stream;
    for (const bool more : {false, true}) {
        answer.more = stream.more = more;
        EXPECT_EQ(Json::parse(ModelList().end(answer, Json::object()))["truncated"], more);
        EXPECT_EQ(Json::parse(ModelList().end(stream, Json::object()))["truncated"], more);
    }
    stream.more.reset(); // not known: neither yes nor no
    EXPECT_TRUE(Json::parse(ModelList().end(stream, Json::object()))["truncated"].is_null());
}

TEST(ModelList, WithoutModelsIsStillADocument) {
    const auto parsed = Json::parse(ModelList().end(StreamEnd(), Json::object()));
    EXPECT_EQ(parsed["models"], Json::array());
}

TEST(Diagnostics, APlaceThatIsNotKnownIsNull) {
    Diagnostic diagnostic;
    diagnostic.code = "limit";
    diagnostic.message = "no answer";
    EXPECT_EQ(line(to_json(diagnostic)),
              R"({"severity":"error","code":"limit","message":"no answer","file":null,)"
              R"("line":null,"column":null,"end_line":null,"end_column":null,"hint":null})");
    diagnostic.severity = Severity::warning;
    diagnostic.location = {"p.lp", 1, 2, 3, 4};
    diagnostic.hint = "try";
    const Json object = to_json(diagnostic);
    EXPECT_EQ(object["severity"], "warning");
    EXPECT_EQ(object["file"], "p.lp");
    EXPECT_EQ(object["end_column"], 4);
    EXPECT_EQ(object["hint"], "try");
}

TEST(Diagnostics, AnErrorIsOneLineWithItsKindAndExitCode) {
    EXPECT_EQ(error_line("usage", 2, {}),
              R"({"error":{"kind":"usage","exit_code":2,"diagnostics":[]}})");
    EXPECT_EQ(warnings_line({}), R"({"diagnostics":[]})");
}

} // namespace
} // namespace neurasp::protocol
