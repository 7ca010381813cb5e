// Tables: CSV, TSV and blanks, quotes, headers, and mistakes with their places.
#include "data/table.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(const Table &table) {
    Rows rows(table.rows());
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t column = 0; column < table.columns().size(); ++column) {
            rows[row].emplace_back(table.cell(row, column));
        }
    }
    return rows;
}

std::string error_for(const std::string &text, const TableOptions &options = {},
                      const std::string &name = "a.csv") {
    return error_of([&] { parse_table(text, name, options); });
}

TEST(Table, ReadsCsvWithAHeader) {
    const Table table = parse_table("idx,name\n0,plus\n1,minus\n", "a.csv");
    EXPECT_THAT(table.columns(), ElementsAre("idx", "name"));
    EXPECT_EQ(rows_of(table), (Rows{{"0", "plus"}, {"1", "minus"}}));
    EXPECT_EQ(table.column("name"), 1u);
    EXPECT_EQ(table.line(1), 3u);
}

TEST(Table, TheSeparatorFollowsFromTheName) {
    EXPECT_EQ(rows_of(parse_table("a\tb c\n1\t2 3\n", "a.tsv.gz")), (Rows{{"1", "2 3"}}));
    EXPECT_EQ(rows_of(parse_table("  1 \t 22\n3  4  \n", "pairs.txt")),
              (Rows{{"1", "22"}, {"3", "4"}}));
    TableOptions semicolons;
    semicolons.separator = ';';
    EXPECT_EQ(rows_of(parse_table("a;b\n1,5;2\n", "a.csv", semicolons)), (Rows{{"1,5", "2"}}));
}

TEST(Table, NamesCanBeGiven) {
    TableOptions options;
    options.names = {"split", "label"};
    const Table table = parse_table("train,1\ntest,0\n", "a.csv", options);
    EXPECT_EQ(rows_of(table), (Rows{{"train", "1"}, {"test", "0"}}));
    EXPECT_EQ(table.column("label"), 1u);
    options.header = true;
    EXPECT_EQ(rows_of(parse_table("train,1\ntest,0\n", "a.csv", options)), (Rows{{"test", "0"}}));
}

TEST(Table, AFirstLineOfNumbersIsNotAHeader) {
    const Table table = parse_table("5236 2931 11\n7455 7918 13\n", "pairs.txt");
    EXPECT_THAT(table.columns(), ElementsAre("1", "2", "3"));
    EXPECT_EQ(table.rows(), 2u);
    TableOptions header;
    header.header = true;
    EXPECT_THAT(parse_table("2019 2020\n1 2\n", "a.txt", header).columns(),
                ElementsAre("2019", "2020"));
    TableOptions none;
    none.header = false;
    EXPECT_EQ(parse_table("a b\n", "a.txt", none).rows(), 1u);
}

TEST(Table, QuotedCellsHoldAnything) {
    const Table table = parse_table("a,b\n\"x,\ny\",\"say \"\"hi\"\"\"\n\"\",\"\"\"\"\n", "a.csv");
    EXPECT_EQ(rows_of(table), (Rows{{"x,\ny", "say \"hi\""}, {"", "\""}}));
    EXPECT_EQ(table.line(0), 2u);
    EXPECT_EQ(table.line(1), 4u);
    EXPECT_EQ(table.location(0, 1), (SourceLocation{"a.csv", 3, 4, 3, 12}));
}

TEST(Table, AQuoteWithinACellIsAnOrdinaryCharacter) {
    EXPECT_EQ(rows_of(parse_table("a,b\n5\" disk,x\n", "a.csv")), (Rows{{"5\" disk", "x"}}));
    EXPECT_EQ(rows_of(parse_table("\"a b\n", "a.txt", {{}, {}, false, false, 100})),
              (Rows{{"\"a", "b"}}));
}

TEST(Table, LineEndingsBlankLinesAndByteOrderMarksDoNotMatter) {
    EXPECT_EQ(rows_of(parse_table("\xEF\xBB\xBF"
                                  "a,b\r\n\r\n1,\"2\"\r\n\n,\r\n3,4",
                                  "a.csv")),
              (Rows{{"1", "2"}, {"", ""}, {"3", "4"}}));
    EXPECT_EQ(rows_of(parse_table("a b\n \t \n1 2\r\n", "a.txt")), (Rows{{"1", "2"}}));
    EXPECT_EQ(rows_of(parse_table("a,b\n1,2\r", "a.csv")), (Rows{{"1", "2"}}));
}

TEST(Table, TheLastColumnMayTakeTheRest) {
    TableOptions options;
    options.names = {"removed", "ends", "labels"};
    options.rest_in_last = true;
    const Table table = parse_table("1-2,3-4,5-6,7\n1,2,3\n", "a.csv", options);
    EXPECT_EQ(rows_of(table), (Rows{{"1-2", "3-4", "5-6,7"}, {"1", "2", "3"}}));
    options.names.clear();
    EXPECT_EQ(rows_of(parse_table("a b\n1 2 3 4\n", "a.txt", options)), (Rows{{"1", "2 3 4"}}));
}

TEST(Table, EveryRowHasEveryCell) {
    EXPECT_EQ(error_for("a,b\n1,2\n3\n"),
              "table-row a.csv:3:1: expected 2 cells in this row, found 1");
    EXPECT_EQ(error_for("a,b\n1,2,3\n"),
              "table-row a.csv:2:5: expected 2 cells in this row, found 3");
    EXPECT_EQ(error_for("a,b\n\"x\ny\",2,3\n"),
              "table-row a.csv:3:6: expected 2 cells in this row, found 3");
}

TEST(Table, SurplusCellsAreCountedButNotKept) {
    EXPECT_EQ(error_for("a,b\n" + std::string(99'999, ',') + "\n1,2\n"),
              "table-row a.csv:2:3: expected 2 cells in this row, found 100000");
    EXPECT_EQ(error_for("a,b\n1,2,3,\"x\"\"y\",\"\n\"\n"),
              "table-row a.csv:2:5: expected 2 cells in this row, found 5");
    EXPECT_EQ(error_for(std::string(2'000'000, ',') + "\n"),
              "table-row a.csv:1:1000001: expected at most 1000000 cells in a row, found more");
}

TEST(Table, SeveralWrongRowsAreReportedTogether) {
    std::string text = "a,b\n";
    for (int i = 0; i < 100; ++i) text += "1\n";
    try {
        parse_table(text, "a.csv");
        FAIL();
    } catch (const InputError &error) {
        ASSERT_EQ(error.diagnostics().size(), 20u);
        EXPECT_EQ(error.diagnostics()[19].location.line, 21u);
        EXPECT_EQ(error.diagnostics()[19].source_line, "1");
    }
}

TEST(Table, QuotesMustCloseAtTheEndOfTheCell) {
    EXPECT_THAT(error_for("a,b\n1,\"x\n2,y\n"),
                StartsWith("table-syntax a.csv:2:3: this quote is not"));
    EXPECT_THAT(error_for("a,b\n\"1\n\"x,2\n"),
                StartsWith("table-syntax a.csv:3:2: expected a separator"));
}

TEST(Table, TextsThatAreNotTablesAreRefused) {
    EXPECT_EQ(error_for("\n\n"), "table-syntax a.csv: the table is empty");
    EXPECT_EQ(error_for(std::string("a\0b", 3)),
              "table-syntax a.csv: this is not text: there is a NUL byte at offset 1");
    EXPECT_THAT(error_for("a,b,a\n"),
                StartsWith("table-column a.csv:1:5: two columns have the name 'a'"));
    TableOptions small;
    small.most_bytes = 3;
    EXPECT_THAT(error_for("a,b\n", small), StartsWith("data-too-large a.csv: "));
    TableOptions quote;
    quote.separator = '"';
    EXPECT_THAT(error_for("a,b\n", quote), StartsWith("contract: "));
}

TEST(Table, AMissingColumnIsNamedWithASuggestion) {
    const Table table = parse_table("puzzle,solution\n1,2\n", "a.csv");
    EXPECT_EQ(error_of([&] { static_cast<void>(table.column("soluton")); }),
              "table-column a.csv: the table has no column 'soluton' (did you mean 'solution'?)");
    EXPECT_EQ(
        error_of([&] { static_cast<void>(table.column("split")); }),
        "table-column a.csv: the table has no column 'split' (its columns are: puzzle, solution)");
}

TEST(Table, NumbersAreReadAsAWhole) {
    const Table table =
        parse_table("a,b\n 12 ,+1.5e2\n12x,0x10\n1.5,nan\n,1e999\n1 2,+-1\n", "a.csv");
    EXPECT_EQ(table.integer(0, 0), 12);
    EXPECT_EQ(table.number(0, 1), 150.0);
    EXPECT_EQ(error_of([&] { static_cast<void>(table.integer(1, 0)); }),
              "table-number a.csv:3:1: expected an integer in column 'a', found '12x'");
    EXPECT_EQ(error_of([&] { static_cast<void>(table.integer(2, 0)); }),
              "table-number a.csv:4:1: expected an integer in column 'a', found '1.5'");
    for (std::size_t row = 1; row < 5; ++row) {
        EXPECT_THAT(error_of([&] { static_cast<void>(table.number(row, 1)); }),
                    StartsWith("table-number a.csv:" + std::to_string(row + 2) + ":"));
    }
    EXPECT_THAT(error_of([&] { static_cast<void>(table.number(4, 0)); }), HasSubstr("found '1 2'"));
    EXPECT_THAT(error_of([&] { static_cast<void>(table.cell(5, 0)); }), StartsWith("contract: "));
}

TEST(Table, NumericTablesAreArrays) {
    const Array integers = numeric_array(parse_table("1 2 3\n4 5 6\n", "a.txt"));
    EXPECT_THAT(integers.shape(), ElementsAre(2u, 3u));
    EXPECT_THAT(values<std::int64_t>(integers), ElementsAre(1, 2, 3, 4, 5, 6));
    const std::vector<std::string> wanted{"c", "a"};
    const Array some = numeric_array(parse_table("a,b,c\n1,x,0.5\n2,y,3\n", "a.csv"), wanted);
    EXPECT_THAT(some.shape(), ElementsAre(2u, 2u));
    EXPECT_THAT(values<double>(some), ElementsAre(0.5, 1.0, 3.0, 2.0));
}

TEST(Table, CellsThatAreNotNumbersAreReportedByLine) {
    const Table table = parse_table("a,b\n1,x\n2.5,3\ny,12x\n", "a.csv");
    try {
        numeric_array(table);
        FAIL();
    } catch (const InputError &error) {
        ASSERT_EQ(error.diagnostics().size(), 3u);
        EXPECT_EQ(error.diagnostics()[0].location, (SourceLocation{"a.csv", 2, 3, 2, 4}));
        EXPECT_EQ(error.diagnostics()[2].location, (SourceLocation{"a.csv", 4, 3, 4, 6}));
        EXPECT_EQ(error.diagnostics()[2].source_line, "y,12x");
    }
}

TEST(Table, AMissingFileIsReportedWithTheReason) {
    EXPECT_THAT(error_of([] { read_table("/nowhere/a.csv"); }),
                HasSubstr("cannot read '/nowhere/a.csv': No such file"));
}

} // namespace
} // namespace neurasp::data
