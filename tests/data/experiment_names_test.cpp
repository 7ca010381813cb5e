// Names in an experiment file must refer to something: arrays, columns, networks, terms, placeholders.
#include "experiment_texts.hpp"

#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

const std::string head = "program = 'p'\n"                          // 1
                         "networks.digit.preset = 'x'\n"            // 2
                         "splits.train.table = 't.csv'\n"           // 3
                         "splits.train.arrays.images.file = 'i'\n"  // 4
                         "splits.train.arrays.digits.file = 'd'\n"; // 5

TEST(ExperimentNames, UnknownArraysAreReportedAtTheReference) {
    const auto errors =
        experiment_errors(head + "[example.inputs]\ni1 = 'imagse[a]'\n[example.labels]\n"
                                 "'digit(i1)' = 'zzz[a]'");
    ASSERT_EQ(errors.size(), 2u);
    EXPECT_EQ(errors[0].code, "unknown-name");
    EXPECT_EQ(errors[0].message, "there is no array 'imagse'");
    EXPECT_EQ(errors[0].hint, "did you mean 'images'?");
    EXPECT_EQ(errors[0].location.line, 7u);
    EXPECT_EQ(errors[0].location.column, 7u);
    EXPECT_EQ(errors[0].location.end_column, 13u);
    EXPECT_EQ(errors[1].location.line, 9u);
    EXPECT_EQ(errors[1].hint, "available: images, digits");
}

TEST(ExperimentNames, EverySplitNeedsTheArraysOfInputsButNotThoseOfLabels) {
    const std::string text = head + "splits.test.arrays.images.file = 'j'\n[example.inputs]\n"
                                    "i1 = 'images[a]'\ni2 = 'digits[a]'\n"
                                    "[example.labels]\n'digit(i1)' = 'digits[a]'";
    const auto errors = experiment_errors(text);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].code, "missing-key");
    EXPECT_EQ(errors[0].message, "the split 'test' has no array 'digits'");
    EXPECT_EQ(errors[0].location.line, 9u);
    EXPECT_EQ(errors[0].location.column, 6u);
}

TEST(ExperimentNames, UnknownColumnsAreReportedWhereTheyAreUsed) {
    const std::string text =
        head + "[example]\ncolumns = ['a', 'sum']\nobservation = ':- p({summ}).'\n"
               "[example.inputs]\ni1 = 'images[b]'\n[example.labels]\n'digit(i1)' = 'x{a}{c}'\n"
               "[evaluation]\nqueries = ['q({su})', {query = \"q({d})\"}]";
    EXPECT_EQ(experiment_places(text), "unknown-name 8:22, unknown-name 10:14, "
                                       "unknown-name 12:21, unknown-name 14:16, "
                                       "unknown-name 14:36");
    EXPECT_EQ(experiment_errors(text)[0].hint, "did you mean 'sum'?");
}

TEST(ExperimentNames, ColumnsOfAHeaderAreNotKnownYet) {
    EXPECT_EQ(experiment_places(head + "[example]\nobservation = ':- p({any}).'"), "");
}

TEST(ExperimentNames, WithoutATableThereAreNoColumns) {
    const auto errors = experiment_errors("program = 'p'\nsplits.train.arrays.a.file = 'i'\n"
                                          "[example]\nobservation = ':- p({x},{#}).'\n"
                                          "inputs.i = 'a[#]'");
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].message, "there is no column 'x': no split has a table");
    EXPECT_EQ(errors[0].location.column, 22u);
}

TEST(ExperimentNames, BracesOfTheLanguageMustBeDoubled) {
    const std::string text =
        head + "[example]\ncolumns = ['a']\nobservation = '''\n:- 2 #count{X : p(X)}.\n:- }.'''";
    const auto errors = experiment_errors(text);
    ASSERT_EQ(errors.size(), 2u);
    EXPECT_EQ(errors[0].code, "template-syntax");
    EXPECT_EQ(errors[0].location.line, 10u);
    EXPECT_EQ(errors[0].location.column, 4u);
    EXPECT_EQ(errors[1].code, "unknown-name");
    EXPECT_EQ(errors[1].location.line, 9u);
    EXPECT_EQ(errors[1].location.column, 13u);
    EXPECT_EQ(errors[1].hint, "write {{ and }} for braces that belong to the text");
    EXPECT_EQ(experiment_places(head + "[example]\nobservation=':- 2 #count{{X : p(X)}}.'"), "");
}

TEST(ExperimentNames, InputsAreRowsOfArrays) {
    for (const std::string value :
         {"images", "images[", "images[]", "[a]", "images[a] ", "", "a b[c]"}) {
        EXPECT_EQ(experiment_places(head + "[example.inputs]\ni1 = '" + value + "'"),
                  "reference-syntax 7:6")
            << value;
    }
}

TEST(ExperimentNames, LabelsBelongToCallsOfNetworksOnInputs) {
    const std::string text = head + "[example.inputs]\ni1 = 'images[a]'\n[example.labels]\n";
    EXPECT_EQ(experiment_places(text + "digit = '{a}'"), "reference-syntax 9:1");
    EXPECT_EQ(experiment_places(text + "'digit(i1)' = 'digits[a'"), "reference-syntax 9:15");
    EXPECT_EQ(experiment_places(text + "'digi(i1)' = '1'\n'digit(i2)' = '1'"),
              "unknown-name 9:1, unknown-name 10:1");
    EXPECT_EQ(experiment_errors(text + "'digi(i1)' = '1'")[0].hint, "did you mean 'digit'?");
    EXPECT_EQ(experiment_places(text + "'digit(i1)' = '1'\n'digit( i1 )' = '1'"),
              "value-range 10:1");
}

TEST(ExperimentNames, InputsThatAreNamedLikeCallsAreExplained) {
    const auto errors =
        experiment_errors(head + "[example.inputs]\n'digit(i1)' = 'images[a]'\n[example.labels]\n"
                                 "'digit(i1)' = 'digits[a]'");
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(errors[0].message, "there is no input 'i1'");
    EXPECT_EQ(errors[0].hint, "inputs are named by their terms alone, without the network");
}

TEST(ExperimentNames, NamesMustBeUnique) {
    EXPECT_EQ(experiment_places(head + "[example]\ncolumns = ['a', '', 'a']\n[example.inputs]\n"
                                       "'g,h' = 'images[a]'\n'g, h' = 'images[a]'\n"
                                       "' ' = 'images[a]'\n[evaluation]\nqueries = ['q', 'q']\n"
                                       "constraints = [{name='n', text=''}, {name='n', text=''}]"),
              "value-range 7:17, value-range 7:21, value-range 10:1, value-range 11:1, "
              "value-range 13:17, value-range 14:37");
}

TEST(ExperimentNames, TilesMustBeWithinTheGrid) {
    const std::string text = head + "splits.train.arrays.boards = {file='b', tiles=[2,2]}\n"
                                    "[example.inputs]\ni1 = '";
    EXPECT_EQ(experiment_places(text + "boards[a,3]'"), "");
    EXPECT_EQ(experiment_places(text + "boards[a,4]'"), "value-range 8:16");
    EXPECT_EQ(experiment_places(text + "boards[#,x]'"), "reference-syntax 8:16");
    EXPECT_EQ(experiment_places(text + "images[#,1]'"), "value-range 8:16");
    EXPECT_EQ(experiment_errors(text + "images[#,1]'")[0].hint,
              "give it 'tiles = [rows, columns]'");
}

} // namespace
} // namespace neurasp::data
