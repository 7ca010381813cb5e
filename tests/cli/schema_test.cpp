// Every JSON answer conforms to its schema in docs/schema.
#include "cli/process.hpp"
#include "cli/programs.hpp"
#include "support/schema.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace neurasp::test {
namespace {

using nlohmann::json;

class Schema : public testing::Test {
  protected:
    void expect_fits(const std::string &schema, Words arguments, int exit_code = 0) {
        arguments.insert(arguments.begin(), schema);
        arguments.insert(arguments.end(), {"--format", "json"});
        const Result result = neurasp(arguments);
        EXPECT_EQ(result.exit_code, exit_code) << result.err;
        EXPECT_EQ(schema_violation(load_schema(schema), result.json()), "") << result.out;
    }

    Folder folder_;
    std::string addition_ = folder_.file("addition.lp", addition);
    std::string digits_ = folder_.file("digits.json", digits);
    std::string endless_ = folder_.file("endless.lp", endless);
    std::string incoherent_ = folder_.file("incoherent.lp", incoherent);
};

TEST(SchemaValidator, FindsViolations) {
    const json schema = load_schema("prob");
    EXPECT_NE(schema_violation(schema, json::object()), "");
    EXPECT_NE(schema_violation(schema, json::array()), "");
    json value = {{"probability", 0.5},
                  {"log_probability", nullptr},
                  {"mass", 1.0},
                  {"given_consistency", 0.5},
                  {"exact", true},
                  {"engine", "e"},
                  {"queries", json::array()}};
    EXPECT_EQ(schema_violation(schema, value), "");
    value["queries"].push_back({{"query", "a"}});
    EXPECT_NE(schema_violation(schema, value), "");
    value["queries"] = json::array();
    value["surprise"] = 1;
    EXPECT_NE(schema_violation(schema, value), "");
    // Answers of these kinds need LibTorch and are checked in training_test.cpp; here it is only checked that their
    // schemas reject something.
    for (const char *name : {"train", "evaluate", "predict", "predict-split"}) {
        EXPECT_NE(schema_violation(load_schema(name), json::object()), "") << name;
    }
}

TEST_F(Schema, InstancesAndSetsFit) {
    expect_fits("prob", {addition_, "-p", digits_, "--each", "sum(N)", "--each", "none(X)"});
    const std::string set = folder_.file("set.txt", ":- not sum(1).\n:- not sum(2).\n");
    for (const char *limit : {"1", "1000"}) {
        const Result result =
            neurasp({"prob", addition_, "-p", digits_, "--observe-set", set, "--engine",
                     "enumerate", "--model-limit", limit, "--stats", "--format", "json"});
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(schema_violation(load_schema("prob-set"), result.json()), "") << result.out;
    }
}

TEST_F(Schema, ExactAnswersFit) {
    for (const char *command :
         {"prob", "models", "map", "sample", "marginals", "gradient", "check"}) {
        expect_fits(command, {addition_, "-p", digits_, "-o", ":- not sum(2)."});
        expect_fits(command, {addition_, "-p", digits_, "--stats"});
    }
    expect_fits("prob", {addition_, "-p", digits_, "-q", "sum(1)", "-q", "not sum(1)"});
}

TEST_F(Schema, AnswersForImpossibleObservationsFit) {
    for (const char *command :
         {"prob", "models", "map", "sample", "marginals", "gradient", "check"}) {
        expect_fits(command, {addition_, "-p", digits_, "-o", ":- not sum(9)."});
    }
}

TEST_F(Schema, AnswersOfIncoherentProgramsFit) {
    for (const char *command : {"prob", "models", "map", "sample", "marginals", "gradient"}) {
        expect_fits(command, {incoherent_});
    }
    expect_fits("check", {incoherent_, "--coherence", "--argmax"});
}

TEST_F(Schema, BoundedAnswersFit) {
    for (const char *command : {"prob", "models", "marginals", "gradient"}) {
        expect_fits(command, {endless_, "--engine", "enumerate", "--model-limit", "10", "-o",
                              ":- flip(1), flip(2)."});
    }
}

TEST_F(Schema, EstimatesFit) {
    expect_fits("prob", {addition_, "-p", digits_, "-q", "sum(1)", "--samples", "50"});
    expect_fits("prob", {addition_, "-p", digits_, "-q", "sum(1)", "--samples", "50", "-o",
                         ":- not sum(9)."});
}

TEST_F(Schema, ExplanationsFit) {
    expect_fits("explain", {addition_, "-p", digits_, "-q", "sum(2)", "--stats"});
    expect_fits("explain", {addition_, "-p", digits_, "-q", "sum(2)", "-o", ":- not sum(9)."});
    expect_fits("explain", {addition_, "-p", digits_, "-q", "sum(2)", "--engine", "enumerate"});
    expect_fits("explain", {incoherent_, "-q", "a, b"});
}

TEST_F(Schema, CompilationsFit) {
    expect_fits("compile", {addition_, "--observe", ":- not sum(2)."});
    expect_fits("compile", {addition_, "--stats", "-o", folder_.path("out.nnf")});
    expect_fits("compile", {folder_.file("free.lp", "0.5 : a. {b}."), "--observe", ":- b."});
}

TEST_F(Schema, GroundFits) {
    expect_fits("ground", {addition_});
    expect_fits("ground", {addition_, "--aspif"});
}

TEST_F(Schema, ErrorsAndWarningsFit) {
    const Result result = neurasp({"prob", folder_.file("bad.lp", "a :- b(."), "--format", "json"});
    EXPECT_EQ(result.exit_code, 3);
    std::istringstream lines(result.err);
    for (std::string line; std::getline(lines, line);) {
        const json value = json::parse(line);
        const std::string schema = value.contains("error") ? "error" : "warnings";
        EXPECT_EQ(schema_violation(load_schema(schema), value), "") << line;
    }
}

TEST_F(Schema, NetworkOutputsFit) {
    EXPECT_EQ(schema_violation(load_schema("probs"), json::parse(digits)), "");
    EXPECT_EQ(schema_violation(load_schema("probs"), json::parse(R"({"m": {"a": 0.5}})")), "");
    EXPECT_NE(schema_violation(load_schema("probs"), json::parse(R"({"m": {"a": "x"}})")), "");
}

} // namespace
} // namespace neurasp::test
