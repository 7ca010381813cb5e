// Network outputs from JSON, and mistakes with their places.
#include "neurasp/diagnostic.hpp"
#include "neurasp/network_outputs.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace neurasp {
namespace {

using Values = std::vector<double>;

std::vector<Diagnostic> errors_of(std::string_view json) {
    try {
        NetworkOutputs::from_json(json, "out.json");
    } catch (const InputError &error) {
        return error.diagnostics();
    }
    return {};
}

// "code line:column" of each error, separated by commas.
std::string places_of(std::string_view json) {
    std::string places;
    for (const Diagnostic &error : errors_of(json)) {
        if (!places.empty()) places += ", ";
        places += error.code + " " + std::to_string(error.location.line) + ":" +
                  std::to_string(error.location.column);
    }
    return places;
}

TEST(JsonOutputs, ReadsNetworksTermsAndRows) {
    const auto outputs = NetworkOutputs::from_json(
        R"({"digit": {"i1": [[0.1, 0.9]], "i2": [[1, 0]]}, "box": {"i1,b": [0.5, 5e-1]}})");
    EXPECT_EQ(outputs.table().size(), 2u);
    EXPECT_EQ(outputs.table().at("digit").at("i1").values, (Values{0.1, 0.9}));
    EXPECT_EQ(outputs.table().at("digit").at("i2").values, (Values{1.0, 0.0}));
    EXPECT_EQ(outputs.table().at("box").at("i1,b").values, (Values{0.5, 0.5}));
}

TEST(JsonOutputs, NestedArraysAreFlattenedRowByRow) {
    const auto outputs = NetworkOutputs::from_json(
        R"({"m": {"a": [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], "b": [[[[1]], [[2]]]], "c": [1, 2]}})");
    EXPECT_EQ(outputs.table().at("m").at("a").values, (Values{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(outputs.table().at("m").at("b").values, (Values{1, 2}));
    EXPECT_EQ(outputs.table().at("m").at("c").values, (Values{1, 2}));
}

TEST(JsonOutputs, ABareNumberIsOneValue) {
    const auto outputs = NetworkOutputs::from_json(R"({"m": {"a": 0.25}})");
    EXPECT_EQ(outputs.table().at("m").at("a").values, Values{0.25});
}

TEST(JsonOutputs, NumbersOfEveryFormAreRead) {
    const auto outputs = NetworkOutputs::from_json(
        R"({"m": {"a": [-3, 0, 18446744073709551615, 99999999999999999999, 1E+2, 4.9e-324, 1e-999]}})");
    EXPECT_EQ(
        outputs.table().at("m").at("a").values,
        (Values{-3.0, 0.0, 18446744073709551615.0, 99999999999999999999.0, 100.0, 4.9e-324, 0.0}));
}

TEST(JsonOutputs, AnEmptyObjectIsFine) {
    EXPECT_TRUE(NetworkOutputs::from_json("{}").empty());
    EXPECT_TRUE(NetworkOutputs::from_json(" \n{ \"m\" : { } } \n").empty());
}

TEST(JsonOutputs, KeysMayHoldAnyCharacters) {
    const auto outputs = NetworkOutputs::from_json(R"({"größe": {"\"Straße, 1\",\u00e4": [1]}})");
    EXPECT_EQ(outputs.table().at("größe").count("\"Straße, 1\",ä"), 1u);
}

TEST(JsonOutputs, TheOriginIsThePlaceOfTheKey) {
    const auto outputs =
        NetworkOutputs::from_json("{\"m\": {\n  \"a\": [1],\n  \"b\": [1]}}", "out.json");
    EXPECT_EQ(outputs.table().at("m").at("a").origin, "out.json:2:3");
    EXPECT_EQ(outputs.table().at("m").at("b").origin, "out.json:3:3");
}

TEST(JsonOutputs, AByteOrderMarkIsIgnored) {
    const auto outputs = NetworkOutputs::from_json("\xEF\xBB\xBF{\"m\": {\"a\": 1}}", "out.json");
    EXPECT_EQ(outputs.table().at("m").at("a").origin, "out.json:1:11");
}

TEST(JsonOutputs, SyntaxErrorsHaveTheirPlace) {
    EXPECT_EQ(places_of(""), "json-syntax 1:1");
    EXPECT_EQ(places_of("{"), "json-syntax 1:2");
    EXPECT_EQ(places_of("{\"m\": {\"a\": [1,]}}"), "json-syntax 1:16");
    EXPECT_EQ(places_of("{\"m\":\n {\"a\": [0.1 0.2]}}"), "json-syntax 2:13");
    EXPECT_EQ(places_of("{\"m\": {\"a\": [1]}"), "json-syntax 1:17");
    EXPECT_EQ(places_of("{\"m\": {\"a\": [1]}} x"), "json-syntax 1:19");
    EXPECT_EQ(places_of("{'m': {}}"), "json-syntax 1:2");
    EXPECT_EQ(places_of("{\"m\": {\"a\": [-]}}"), "json-syntax 1:14");
    EXPECT_EQ(places_of("{\"m\": {\"a\" [1]}}"), "json-syntax 1:12");
    EXPECT_EQ(places_of("{,}"), "json-syntax 1:2");
    EXPECT_EQ(places_of("{\"m\": {\"\xff\": 1}}"), "json-syntax 1:8");
    EXPECT_EQ(places_of("{\"m\": {\"a"), "json-syntax 1:8");
    EXPECT_EQ(places_of("// comment\n{}"), "json-syntax 1:1");
}

TEST(JsonOutputs, ShapeErrorsHaveTheirPlace) {
    EXPECT_EQ(places_of("[1]"), "json-shape 1:1");
    EXPECT_EQ(places_of("  3"), "json-shape 1:3");
    EXPECT_EQ(places_of("null"), "json-shape 1:1");
    EXPECT_EQ(places_of("{\"m\": [1]}"), "json-shape 1:7");
    EXPECT_EQ(places_of("{\"m\": 0.5}"), "json-shape 1:7");
    EXPECT_EQ(places_of("{\"m\": {\"a\": \"0.5\"}}"), "json-shape 1:13");
    EXPECT_EQ(places_of("{\"m\": {\"a\": [0.5,\n true]}}"), "json-shape 2:2");
    EXPECT_EQ(places_of("{\"m\": {\"a\": [null]}}"), "json-shape 1:14");
    EXPECT_EQ(places_of("{\"m\": {\"a\": {\"b\": [1]}}}"), "json-shape 1:13");
    EXPECT_EQ(places_of("{\"m\": {\"a\": []}}"), "json-shape 1:13");
    EXPECT_EQ(places_of("{\"m\": {\"a\": [[], []]}}"), "json-shape 1:14");
    EXPECT_EQ(places_of("{\"m\": {\"a\": [[1, 2], [3]]}}"), "json-shape 1:22");
    EXPECT_EQ(places_of("{\"m\": {\"a\": [1, [2]]}}"), "json-shape 1:17");
}

TEST(JsonOutputs, NumbersThatAreNotFiniteAreRefused) {
    for (const char *number : {"NaN", "nan", "Infinity", "-Infinity", "-inf", "1e999", "-1e400"}) {
        const std::string json = "{\"m\": {\"a\": [0.5, " + std::string(number) + "]}}";
        EXPECT_EQ(places_of(json), "json-shape 1:19") << json;
    }
}

TEST(JsonOutputs, RepeatedKeysAreRefused) {
    EXPECT_EQ(places_of("{\"m\": {\"a\": 1, \"a\": 1}}"), "json-shape 1:16");
    EXPECT_EQ(places_of("{\"m\": {\"a\": 1}, \"m\": {\"b\": 1}}"), "json-shape 1:17");
    EXPECT_EQ(places_of("{\"m\": {\"a\": 1}, \"n\": {\"a\": 1}}"), "");
    EXPECT_EQ(places_of("{\"m\": {\"a\": 1, \"\\u0061\": 1}}"), "json-shape 1:16");
}

TEST(JsonOutputs, OneMistakeIsReportedForEachEntry) {
    EXPECT_EQ(places_of("{\"m\": {\"a\": [\"x\", \"y\"],\n\"b\": [],\n\"c\": 1}, \"n\": 1}"),
              "json-shape 1:14, json-shape 2:6, json-shape 3:15");
}

TEST(JsonOutputs, TheNumberOfErrorsIsLimited) {
    std::string json = "{\"m\": {";
    for (int i = 0; i < 1000; ++i) json += "\"k" + std::to_string(i) + "\": null,";
    json += "\"k\": null}}";
    EXPECT_EQ(errors_of(json).size(), 20u);
}

TEST(JsonOutputs, DeepNestingIsRefusedWithoutRecursion) {
    const std::string deep = "{\"m\": {\"a\": " + std::string(1'000'000, '[');
    EXPECT_EQ(places_of(deep), "json-shape 1:75");
    const std::string fine =
        "{\"m\": {\"a\": " + std::string(62, '[') + "1" + std::string(62, ']') + "}}";
    EXPECT_EQ(places_of(fine), "");
    const std::string skipped = "{\"m\": " + std::string(1'000'000, '[');
    EXPECT_EQ(places_of(skipped), "json-shape 1:7, json-shape 1:70");
}

TEST(JsonOutputs, LongLinesAreNotShown) {
    const std::string json = "{\"m\": {\"" + std::string(100'000, 'k') + "\": true}}";
    const auto errors = errors_of(json);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].location.column, 100'012u);
    EXPECT_TRUE(errors[0].source_line.empty());
}

TEST(JsonOutputs, MessagesNameNetworkTermsAndFile) {
    const auto errors = errors_of("{\"digit\": {\"i1\": \"x\"}}");
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].location.file, "out.json");
    EXPECT_EQ(errors[0].message, "the output of 'digit' for 'i1' must be numbers, found a string");
    EXPECT_EQ(errors[0].source_line, "{\"digit\": {\"i1\": \"x\"}}");
    EXPECT_EQ(errors[0].location.end_column, 21u);
    EXPECT_FALSE(errors[0].hint.empty());
}

TEST(JsonOutputs, HintsNameCommonMistakes) {
    EXPECT_EQ(errors_of("{\"m\": {\"a\": [1,]}}")[0].hint,
              "JSON does not allow a comma before ']'");
    EXPECT_EQ(errors_of("{'m': {}}")[0].hint, "JSON strings are written in double quotes");
    EXPECT_EQ(errors_of("{\"m\":")[0].hint, "the text ends too early; is the file complete?");
}

TEST(JsonOutputs, ANulByteIsAnError) {
    EXPECT_FALSE(errors_of(std::string_view("{\0}", 3)).empty());
}

} // namespace
} // namespace neurasp
