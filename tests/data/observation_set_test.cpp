// Sets of observations: lines, JSON, and where mistakes are.
#include "neurasp/diagnostic.hpp"
#include "neurasp/observation_set.hpp"

#include <gtest/gtest.h>

namespace neurasp {
namespace {

using Texts = std::vector<std::string>;

std::string mistake(std::string_view text) {
    try {
        read_observation_set(text, "set");
    } catch (const InputError &error) {
        const Diagnostic &first = error.diagnostics().front();
        return first.location.file + ":" + std::to_string(first.location.line) + ":" +
               std::to_string(first.location.column) + " " + first.code;
    }
    return "none";
}

TEST(ObservationSet, HasOneALine) {
    const auto set =
        read_observation_set("% sums\n:- not a.\n\n  % no\n  :- b. :- c.\r\n:- not a.");
    ASSERT_EQ(set.size(), 3U);
    // each line where it stands in the file
    EXPECT_EQ(set[0].observation.text, "\n:- not a.");
    EXPECT_EQ(set[1].observation.text, "\n\n\n\n  :- b. :- c.\r");
    EXPECT_EQ(set[2].observation.text, set[0].observation.text); // asked once
    EXPECT_EQ(set[0].observation.name, "<observations>");
    EXPECT_TRUE(set[0].observation.values.empty());
}

TEST(ObservationSet, MayBeJson) {
    const auto set = read_observation_set(R"json( [":- not a.",
        {"name": "second", "observation": ":- not s({},{}).", "values": [3, "x(1)"],
         "outputs": {"d": {"i1": [[0.25, 0.75]]}}}])json",
                                          "set");
    ASSERT_EQ(set.size(), 2U);
    EXPECT_EQ(set[0].observation.text, ":- not a.");
    EXPECT_EQ(set[0].name, "");
    EXPECT_TRUE(set[0].outputs.empty());
    EXPECT_EQ(set[1].name, "second");
    EXPECT_EQ(set[1].observation.values, (Texts{"3", "x(1)"}));
    EXPECT_EQ(set[1].observation.name, "set, observation 2");
    EXPECT_EQ(set[1].outputs.table().at("d").at("i1").values, (std::vector<double>{0.25, 0.75}));
}

TEST(ObservationSet, SaysWhereAMistakeIs) {
    EXPECT_EQ(mistake("[3]"), "set:1:2 json-shape");
    EXPECT_EQ(mistake("[null]"), "set:1:2 json-shape");
    EXPECT_EQ(mistake("[\":- a.\",\n [\":- b.\"]]"), "set:2:2 json-shape");
    EXPECT_EQ(mistake("[{\"observation\": 1}]"), "set:1:18 json-shape");
    EXPECT_EQ(mistake("[{\"name\": \"x\"}]"), "set:1:2 json-shape");
    EXPECT_EQ(mistake("[{\"observe\": \":- a.\"}]"), "set:1:3 json-shape");
    EXPECT_EQ(mistake("[{\"observation\": \":- a.\",\n \"values\": 3}]"), "set:2:12 json-shape");
    EXPECT_EQ(mistake("[{\"observation\": \":- a.\",\n \"values\": [true]}]"),
              "set:2:13 json-shape");
    EXPECT_EQ(mistake("[{\"observation\": \":- a.\",\n \"outputs\": {\"d\": 1}}]"),
              "set:2:19 json-shape");
    EXPECT_EQ(mistake("[\":- a.\",\n ]"), "set:2:2 json-syntax");
    EXPECT_EQ(mistake("[\":- a.\""), "set:1:9 json-syntax");
}

TEST(ObservationSet, IsNotEmpty) {
    for (const char *text : {"", "\n \n", "% nothing\n", "[]"}) {
        EXPECT_EQ(mistake(text), "set:0:0 empty-set") << text;
    }
}

} // namespace
} // namespace neurasp
