// Network outputs are matched with random variables and checked.
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::inference::test {
namespace {

constexpr const char *three = "nn(d(1,x),[a,b,c]).";

std::vector<double> row(const std::string &program, const NetworkOutputs &outputs,
                        std::size_t variable = 0) {
    const Grounding grounding = grounding_of(program);
    const Weights weights = make_weights(grounding, outputs);
    const auto values = weights.probabilities(variable);
    return {values.begin(), values.end()};
}

Diagnostic error_of(const std::string &program, const NetworkOutputs &outputs) {
    return first_error([&] { row(program, outputs); });
}

TEST(Weights, AreTheNumbersGiven) {
    EXPECT_EQ(row(three, output("d", "x", {0.2, 0.3, 0.5})), (std::vector<double>{0.2, 0.3, 0.5}));
}

TEST(Weights, AreReadRowByRow) {
    const auto outputs = output("d", "x", {0.1, 0.9, 0.2, 0.8});
    EXPECT_EQ(row("nn(d(2,x),[a,b]).", outputs, 1), (std::vector<double>{0.2, 0.8}));
    EXPECT_EQ(row("#event_base 1. nn(d(2,x),[a,b]).", outputs, 0), (std::vector<double>{0.1, 0.9}));
}

TEST(Weights, ReadOneColumnAsTheFirstOutcome) {
    EXPECT_EQ(row("nn(d(2,x),[t,f]).", output("d", "x", {0.25, 1.0}), 0),
              (std::vector<double>{0.25, 0.75}));
    EXPECT_EQ(row("nn(d(2,x),[t,f]).", output("d", "x", {0.25, 1.0}), 1),
              (std::vector<double>{1.0, 0.0}));
}

TEST(Weights, ReadTwoNumbersForOneEventAsBothOutcomes) {
    EXPECT_EQ(row("nn(d(1,x),[t,f]).", output("d", "x", {0.25, 0.75})),
              (std::vector<double>{0.25, 0.75}));
}

TEST(Weights, MatchKeysAsTermsNotAsText) {
    const std::string program = "nn(d(1,f(1,\"a b\"),k),[a,b]). #const k=7.";
    for (const char *key :
         {"f(1,\"a b\"),7", " f( 1 , \"a b\" ) , 7 ", "f(1,\"a b\"),k", "f(2-1,\"a b\"),k"}) {
        EXPECT_EQ(row(program, output("d", key, {0.5, 0.5})).size(), 2U) << key;
    }
}

TEST(Weights, ReplaceConstantsInsideKeys) {
    EXPECT_EQ(row("#const k=7. nn(d(1,f(k)),[a,b]).", output("d", "f(k)", {0.5, 0.5})).size(), 2U);
}

TEST(Weights, SoftmaxLogits) {
    NetworkOutputs outputs;
    outputs.set("d", "x", {0.0, std::log(2.0), std::log(5.0)}, OutputKind::logits);
    const auto values = row(three, outputs);
    EXPECT_NEAR(values[0], 1.0 / 8.0, probability_tolerance);
    EXPECT_NEAR(values[1], 2.0 / 8.0, probability_tolerance);
    EXPECT_NEAR(values[2], 5.0 / 8.0, probability_tolerance);
}

TEST(Weights, SoftmaxLogitsOfAnySize) {
    NetworkOutputs outputs;
    outputs.set("d", "x", {1e5, 1e5 - 1000.0, -1e300}, OutputKind::logits);
    EXPECT_EQ(row(three, outputs), (std::vector<double>{1.0, 0.0, 0.0})); // e^-1000 underflows
}

TEST(Weights, SigmoidOneColumnOfLogits) {
    NetworkOutputs outputs;
    outputs.set("d", "x", {std::log(3.0), -800.0}, OutputKind::logits);
    const auto first = row("nn(d(2,x),[t,f]).", outputs, 0);
    EXPECT_NEAR(first[0], 0.75, probability_tolerance);
    EXPECT_NEAR(first[1], 0.25, probability_tolerance);
    EXPECT_EQ(row("nn(d(2,x),[t,f]).", outputs, 1), (std::vector<double>{0.0, 1.0}));
}

TEST(Weights, KeepSmallSigmoidsExact) {
    NetworkOutputs outputs;
    outputs.set("d", "x", {-100.0}, OutputKind::logits);
    // 1/(1+e^100) = e^-100 up to e^-200
    EXPECT_NEAR(row("nn(d(1,x),[t,f]).", outputs)[0] / std::exp(-100.0), 1.0,
                probability_tolerance);
}

TEST(Weights, AllowRowsThatSumToOneWithinTheTolerance) {
    EXPECT_EQ(row(three, output("d", "x", {0.5, 0.3, 0.1992})).size(), 3U); // 0.9992
    EXPECT_EQ(error_of(three, output("d", "x", {0.5, 0.3, 0.1988})).code,
              "output-not-distribution");
    EXPECT_EQ(error_of(three, output("d", "x", {0.5, 0.3, 0.2012})).code,
              "output-not-distribution");
}

TEST(Weights, RefuseRowsThatAreNotDistributions) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const auto &values : std::vector<std::vector<double>>{
             {-0.1, 0.6, 0.5}, {nan, 0.5, 0.5}, {infinity, 0.0, 0.0}, {0.0, 0.0, 0.0}}) {
        EXPECT_EQ(error_of(three, output("d", "x", values)).code, "output-not-distribution");
    }
}

TEST(Weights, RefuseOneColumnOutsideOfZeroToOne) {
    EXPECT_EQ(error_of("nn(d(1,x),[t,f]).", output("d", "x", {1.5})).code,
              "output-not-distribution");
    EXPECT_EQ(error_of("nn(d(1,x),[t,f]).", output("d", "x", {-0.5})).code,
              "output-not-distribution");
}

TEST(Weights, RefuseLogitsThatAreNotFinite) {
    NetworkOutputs outputs;
    outputs.set("d", "x", {0.0, 0.0, std::numeric_limits<double>::quiet_NaN()}, OutputKind::logits);
    EXPECT_EQ(error_of(three, outputs).code, "output-not-distribution");
}

TEST(Weights, NameNetworkTermAndRowOfAMistake) {
    const Diagnostic error =
        error_of("nn(digit(2,f(i1)),[a,b]).", output("digit", "f(i1)", {0.5, 0.5, 0.9, 0.3}));
    EXPECT_NE(error.message.find("row 1"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("'digit'"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("'f(i1)'"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("1.2"), std::string::npos) << error.message;
}

TEST(Weights, SayWhatIsMissingAndWhichRuleWantsIt) {
    const Diagnostic error = error_of("p.\nnn(d(1,x),[a,b,c]).", {});
    EXPECT_EQ(error.code, "missing-output");
    EXPECT_EQ(error.location.line, 2U);
    EXPECT_NE(error.message.find("network 'd' for 'x'"), std::string::npos) << error.message;
}

TEST(Weights, RefuseOutputsOfAnotherSize) {
    for (const std::size_t size : {0U, 1U, 2U, 4U, 6U}) {
        EXPECT_EQ(error_of(three, output("d", "x", std::vector<double>(size, 0.5))).code,
                  "output-shape")
            << size;
    }
}

TEST(Weights, RefuseOutputsThatNoRuleCalls) {
    auto outputs = output("d", "x", {0.2, 0.3, 0.5});
    EXPECT_EQ(error_of(three, NetworkOutputs(outputs).set("d", "y", {1, 0, 0})).code,
              "extra-output");
    EXPECT_EQ(error_of(three, NetworkOutputs(outputs).set("e", "x", {1, 0, 0})).code,
              "extra-output");
    EXPECT_EQ(error_of(three, NetworkOutputs(outputs).set("d", "X", {1, 0, 0})).code,
              "extra-output");
    EXPECT_EQ(error_of(three, NetworkOutputs(outputs).set("d", "", {1, 0, 0})).code,
              "extra-output");
    EXPECT_EQ(error_of(three, NetworkOutputs(outputs).set("d", "x),(x", {1, 0, 0})).code,
              "extra-output");
}

TEST(Weights, RefuseTwoSpellingsOfOneKey) {
    auto outputs = output("d", "x", {0.2, 0.3, 0.5});
    EXPECT_EQ(error_of(three, outputs.set("d", " x", {0.2, 0.3, 0.5})).code, "extra-output");
}

TEST(Weights, GuessTheNetworkThatWasMeant) {
    const Diagnostic error = error_of("nn(digit(1,x),[a,b]).", output("digits", "x", {0.5, 0.5}));
    EXPECT_NE(error.hint.find("'digit'"), std::string::npos) << error.hint;
}

TEST(Weights, ReportSeveralMistakesAtOnce) {
    const Grounding grounding = grounding_of("nn(d(1,1..2),[a,b]).");
    EXPECT_EQ(error_codes([&] {
                  make_weights(grounding, output("d", "3", {0.5, 0.5}));
              }),
              "extra-output missing-output missing-output");
}

TEST(Weights, ShowWhereNumbersWereRead) {
    NetworkOutputs outputs;
    outputs.set("d", "x", {0.5}, OutputKind::probabilities, "out.json:3:14");
    EXPECT_EQ(error_of(three, outputs).location, (SourceLocation{"out.json", 3, 14, 3, 15}));
    outputs.set("d", "x", {0.5}, OutputKind::probabilities, "C:\\out.json");
    EXPECT_EQ(error_of(three, outputs).location.file, "C:\\out.json");
}

TEST(Weights, MultiplyRowSums) {
    const Grounding grounding = grounding_of("nn(d(2,x),[a,b]).");
    const Weights weights = make_weights(grounding, output("d", "x", {0.5, 0.4995, 0.25, 0.75}));
    EXPECT_NEAR(weights.total().to_double(), 0.9995, probability_tolerance);
    EXPECT_FALSE(weights.has_zero());
}

} // namespace
} // namespace neurasp::inference::test
