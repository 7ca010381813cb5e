// Datasets: examples from tables and arrays, and mistakes in them.
#include "data/dataset.hpp"

#include "data/experiment_file.hpp"
#include "data_files.hpp"

#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using Numbers = std::vector<std::uint32_t>;
using Words = std::vector<std::string>;

// An experiment in a folder of its own, which holds `train.csv`, `images.csv` (5 rows) and `digits.csv`.
class DatasetTest : public testing::Test {
  protected:
    DatasetTest() {
        folder_.write("train.csv", "0,1,3\n1,2,5\n4,0,3\n");
        folder_.write("images.csv", "10,11\n20,21\n30,31\n40,41\n50,51\n");
        folder_.write("digits.csv", "1\n2\n3\n4\n5\n");
    }

    static std::string addition() {
        return R"toml(program = "p.lp"
networks.digit.preset = "x"
[example]
columns = ["a", "b", "sum"]
observation = ":- not addition(i1,i2,{sum})."
[example.inputs]
i1 = "images[a]"
i2 = "images[b]"
[example.labels]
"digit(i1)" = "digits[a]"
"digit(i2)" = "{b}"
[evaluation]
queries = ["addition(i1,i2,{sum})", "row({#})"]
[splits.train.arrays]
images = { file = "images.csv" }
digits = { file = "digits.csv" }
[splits.train]
table = "train.csv"
)toml";
    }

    Dataset read(const std::string &text, const char *split = "train") {
        const Experiment experiment = read_experiment(text, folder_.path("x.toml"));
        return {experiment, split, store_};
    }
    std::string error(const std::string &text, const char *split = "train") {
        return error_of([&] { read(text, split); });
    }

    TemporaryFolder folder_;
    ArrayStore store_;
};

Numbers rows(const Dataset &dataset, std::size_t example) {
    const auto span = dataset.rows(example);
    return {span.begin(), span.end()};
}

TEST_F(DatasetTest, CellsNameRowsOfArrays) {
    const Dataset dataset = read(addition());
    ASSERT_EQ(dataset.size(), 3u);
    ASSERT_EQ(dataset.inputs().size(), 2u);
    EXPECT_EQ(dataset.inputs()[0].terms, "i1");
    EXPECT_EQ(dataset.inputs()[1].terms, "i2");
    EXPECT_EQ(dataset.arrays().size(), 1u);
    EXPECT_EQ(rows(dataset, 0), (Numbers{0, 1}));
    EXPECT_EQ(rows(dataset, 2), (Numbers{4, 0}));
    std::vector<float> out(2);
    dataset.arrays()[dataset.inputs()[0].array].copy_input(dataset.rows(2)[0], out);
    EXPECT_EQ(out, (std::vector<float>{50.0F, 51.0F}));
}

TEST_F(DatasetTest, EqualObservationsAreOne) {
    const Dataset dataset = read(addition());
    EXPECT_EQ(dataset.observations().texts(),
              (Words{":- not addition(i1,i2,3).", ":- not addition(i1,i2,5)."}));
    EXPECT_EQ(dataset.observations().id(0), dataset.observations().id(2));
    EXPECT_EQ(dataset.observations()[1], ":- not addition(i1,i2,5).");
}

TEST_F(DatasetTest, QueriesAndLabelsBelongToExamples) {
    const Dataset dataset = read(addition());
    ASSERT_EQ(dataset.queries().size(), 2u);
    EXPECT_EQ(dataset.queries()[0][1], "addition(i1,i2,5)");
    EXPECT_EQ(dataset.queries()[1][2], "row(2)");
    ASSERT_EQ(dataset.labels().size(), 2u);
    EXPECT_EQ(dataset.labels()[0].network, "digit");
    EXPECT_EQ(dataset.labels()[0].terms, "i1");
    EXPECT_EQ(dataset.labels()[0].outcomes[2], "5");
    EXPECT_EQ(dataset.labels()[1].outcomes[1], "2");
}

TEST_F(DatasetTest, ASplitWithoutTheArrayOfALabelIsNotLabelled) {
    const Dataset dataset = read(addition() + "[splits.test]\ntable = 'train.csv'\n"
                                              "arrays.images.file = 'images.csv'",
                                 "test");
    ASSERT_EQ(dataset.labels().size(), 1u);
    EXPECT_EQ(dataset.labels()[0].terms, "i2");
}

TEST_F(DatasetTest, SplitsShareArrays) {
    const std::string text = addition() + "[splits.test]\ntable = 'train.csv'\n"
                                          "arrays.images.file = 'images.csv'";
    const Dataset train = read(text);
    const Dataset test = read(text, "test");
    EXPECT_EQ(&train.arrays()[0].array(), &test.arrays()[0].array());
}

TEST_F(DatasetTest, RowsSelectExamplesAndKeepTheirNumbers) {
    const Dataset slice = read(addition() + "rows = '1:'");
    ASSERT_EQ(slice.size(), 2u);
    EXPECT_EQ(slice.row_number(0), 1u);
    EXPECT_EQ(rows(slice, 0), (Numbers{1, 2}));
    EXPECT_EQ(slice.queries()[1][0], "row(1)");
    folder_.write("rows.txt", "2 0\n2\n");
    const Dataset listed = read(addition() + "rows_file = 'rows.txt'");
    ASSERT_EQ(listed.size(), 3u);
    EXPECT_EQ(listed.row_number(0), 2u);
    EXPECT_EQ(listed.row_number(1), 0u);
    EXPECT_EQ(listed.row_number(2), 2u);
}

TEST_F(DatasetTest, ExamplesAreNamedAfterTheLinesOfTheTable) {
    folder_.write("header.csv", "a,b,sum\n\n0,1,3\n\n1,2,5\n");
    std::string text = addition();
    text.erase(text.find("columns"), text.find('\n', text.find("columns")) - text.find("columns"));
    text.replace(text.find("\"train.csv\""), 11, "\"header.csv\"");
    const Dataset dataset = read(text);
    EXPECT_EQ(dataset.size(), 2u);
    EXPECT_EQ(dataset.example_name(0), folder_.path("header.csv") + ":3");
    EXPECT_EQ(dataset.example_name(1), folder_.path("header.csv") + ":5");
}

const char *const without_table = R"toml(program = "p.lp"
[example]
observation = "o({#})."
[example.inputs]
"g,h" = "images[#]"
[splits.train.arrays]
images = { file = "images.csv" }
)toml";

TEST_F(DatasetTest, WithoutATableTheRowsOfArraysAreExamples) {
    const Dataset dataset = read(std::string(without_table) + "[splits.train]\nrows = ':4'");
    EXPECT_EQ(dataset.size(), 4u);
    EXPECT_EQ(dataset.inputs()[0].terms, "g,h");
    EXPECT_EQ(rows(dataset, 3), Numbers{3});
    EXPECT_EQ(dataset.observations()[3], "o(3).");
    EXPECT_EQ(dataset.example_name(3), folder_.path("images.csv") + "[3]");
}

TEST_F(DatasetTest, ObservationsCanComeFromAFile) {
    folder_.write("obs.lp", "% {{...}}\n:- not addition(i1,i2,{sum}).\n");
    std::string text = addition();
    const std::size_t at = text.find("observation");
    text.replace(at, text.find('\n', at) - at, "observation_file = 'obs.lp'");
    EXPECT_EQ(read(text).observations()[0], "% {...}\n:- not addition(i1,i2,3).\n");
    folder_.write("obs.lp", "a.\n:- p({sum).\n");
    EXPECT_EQ(error(text), "template-syntax obs.lp:2:6: a '{' without its '}' (write {{ and }} for "
                           "braces that belong to the text)");
    folder_.write("obs.lp", "p({summ}).");
    EXPECT_EQ(error(text),
              "unknown-name x.toml:5:20: the table 'train.csv' has no column 'summ' (did "
              "you mean 'sum'?)");
}

TEST_F(DatasetTest, TilesAreRowsOfTheirPicture) {
    std::string pgm; // two pictures of 2 x 4 pixels as NPY
    const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2, 4), }";
    std::string padded = header + std::string(118 - header.size() - 1, ' ') + "\n";
    pgm = std::string("\x93NUMPY\x01\x00\x76\x00", 10) + padded;
    for (char i = 0; i < 16; ++i) pgm += i;
    folder_.write("boards.npy", pgm);
    const Dataset dataset = read("program = 'p'\n[example.inputs]\nl = 'boards[#,0]'\n"
                                 "r = 'boards[#,1]'\n[splits.train.arrays]\n"
                                 "boards = {file = 'boards.npy', tiles = [1, 2]}");
    EXPECT_EQ(dataset.size(), 2u);
    EXPECT_EQ(rows(dataset, 1), (Numbers{2, 3}));
    std::vector<float> out(4);
    dataset.arrays()[0].copy_input(3, out);
    EXPECT_EQ(out, (std::vector<float>{10, 11, 14, 15}));
}

TEST_F(DatasetTest, RowsThatDoNotExistAreReportedAtTheCell) {
    folder_.write("train.csv", "0,1,3\n1,5,5\n-1,0,3\n");
    EXPECT_EQ(error(addition()), "data-index train.csv:3:1: there is no row -1 in array 'images', "
                                 "which column 'a' names (its rows are 0 to 4)");
    folder_.write("train.csv", "0,1,3\n1,5,5\n");
    EXPECT_EQ(error(addition()), "data-index train.csv:2:3: there is no row 5 in array 'images', "
                                 "which column 'b' names (its rows are 0 to 4)");
}

TEST_F(DatasetTest, CellsThatAreNotNumbersAreReportedTogether) {
    folder_.write("train.csv", "x,1,3\n1,2,5\n2.5,0,3\n");
    try {
        read(addition());
        FAIL();
    } catch (const InputError &error) {
        ASSERT_EQ(error.diagnostics().size(), 2u);
        EXPECT_EQ(error.diagnostics()[0].code, "table-number");
        EXPECT_EQ(error.diagnostics()[0].message,
                  "expected the number of a row of 'images' in column 'a', found 'x'");
        EXPECT_EQ(error.diagnostics()[0].location.line, 1u);
        EXPECT_EQ(error.diagnostics()[0].source_line, "x,1,3");
        EXPECT_EQ(error.diagnostics()[1].location.line, 3u);
    }
}

TEST_F(DatasetTest, ColumnsMissingFromTheHeaderAreReportedWhereTheyAreUsed) {
    folder_.write("train.csv", "a,b,summ\n0,1,3\n");
    std::string text = addition();
    text.erase(text.find("columns"), text.find('\n', text.find("columns")) - text.find("columns"));
    EXPECT_EQ(error(text),
              "unknown-name x.toml:5:16: the table 'train.csv' has no column 'sum' (did "
              "you mean 'summ'?)");
    folder_.write("train.csv", "x,yy,zzz\n0,1,3\n");
    EXPECT_EQ(error(text),
              "unknown-name x.toml:7:6: the table 'train.csv' has no column 'a' (did you "
              "mean 'x'?)");
}

TEST_F(DatasetTest, ASplitWithoutATableHasNoColumns) {
    EXPECT_EQ(
        error(addition() + "[splits.test]\narrays.images.file = 'images.csv'", "test"),
        "no-examples x.toml:19:1: nothing says which examples the split 'test' has (give it a "
        "table, or an input such as \"images[#]\")");
    std::string text = addition();
    text.replace(text.find("images[a]"), 9, "images[#]");
    EXPECT_EQ(error(text + "[splits.test]\narrays.images.file = 'images.csv'", "test"),
              "unknown-name x.toml:8:6: there is no column 'b': the split 'test' has no table");
}

TEST_F(DatasetTest, RowsOfATableAndOfArraysMustFit) {
    std::string text = addition();
    text.replace(text.find("images[a]"), 9, "images[#]");
    folder_.write("train.csv", "0,1,3\n1,2,5\n4,0,3\n0,0,0\n0,0,0\n0,0,0\n");
    EXPECT_EQ(error(text),
              "data-index train.csv:6:1: there is no row 5 in array 'images' (its rows "
              "are 0 to 4)");
    folder_.write("more.csv", "1\n2\n");
    EXPECT_EQ(error(std::string(without_table) + "more.file = 'more.csv'\n[example.inputs.i]\n"),
              "wrong-type x.toml:9:1: 'example.inputs.i' must be a text, found a table");
    text = without_table;
    text.replace(text.find("\"g,h\""), 5, "i = \"more[#]\"\n\"g,h\"");
    EXPECT_EQ(
        error(text + "more.file = 'more.csv'\n"),
        "data-shape x.toml:6:9: 'images.csv' has 5 rows, but 'more.csv' has 2 (without a table, "
        "row n of each array belongs to example n)");
}

TEST_F(DatasetTest, SelectedRowsMustExist) {
    EXPECT_EQ(error(addition() + "rows = '0:4'"),
              "data-index x.toml:17:1: 'rows' of the split 'train' goes to row 4, but '" +
                  folder_.path("train.csv") + "' has 3");
    EXPECT_EQ(error(addition() + "rows = '3:'"),
              "no-examples x.toml:17:1: the split 'train' has no examples");
    folder_.write("rows.txt", "0\n1 3\nx");
    EXPECT_EQ(error(addition() + "rows_file = 'rows.txt'"),
              "data-index rows.txt:2:3: there is no row 3 in '" + folder_.path("train.csv") +
                  "' (it has 3 rows, counted from 0)");
    folder_.write("rows.txt", "0\nx");
    EXPECT_EQ(error(addition() + "rows_file = 'rows.txt'"),
              "table-number rows.txt:2:1: expected a row number, found 'x'");
}

TEST_F(DatasetTest, MissingFilesAreProblemsOfTheEnvironment) {
    for (const char *file : {"train.csv", "images.csv", "digits.csv"}) {
        std::string text = addition();
        text.replace(text.find(file), std::string_view(file).size(), "none.csv");
        EXPECT_TRUE(error(text).starts_with("environment: ")) << file << ": " << error(text);
    }
}

TEST_F(DatasetTest, AnUnknownSplitIsAMistake) {
    EXPECT_EQ(error(addition(), "test"), "missing-key x.toml: the experiment has no split 'test' "
                                         "(add a table [splits.test]; the experiment has: train)");
}

TEST_F(DatasetTest, ManyExamplesWithFewObservations) {
    std::string table;
    for (int i = 0; i < 30000; ++i) {
        table += std::to_string(i % 5) + "," + std::to_string(i % 3) + "," +
                 std::to_string(i % 19) + "\n";
    }
    folder_.write("train.csv", table);
    const Dataset dataset = read(addition());
    EXPECT_EQ(dataset.size(), 30000u);
    EXPECT_EQ(dataset.observations().texts().size(), 19u);
    EXPECT_EQ(dataset.labels()[0].outcomes.texts().size(), 5u);
    EXPECT_EQ(rows(dataset, 29999), (Numbers{29999 % 5, 29999 % 3}));
}

} // namespace
} // namespace neurasp::data
