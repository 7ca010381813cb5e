// Tables of text: CSV, TSV and words separated by blanks. Cells stay text, with their places, until a caller
// asks for numbers, so that every mistake is reported with the user's line and column.
#pragma once

#include "data/array.hpp"
#include "data/byte_source.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::data {

inline constexpr char separated_by_blanks = ' ';

struct TableOptions {
    // The character between two cells; `separated_by_blanks` means any number of blanks and tabs.
    // Unset: ',' for *.csv, '\t' for *.tsv, blanks for other names (a final ".gz" is ignored).
    std::optional<char> separator;
    // Names of the columns; empty: from the header, or "1", "2", ... if there is none.
    std::vector<std::string> names;
    // Whether the first line is a header. Unset: it is if no names are given and one of its cells is not a
    // number.
    std::optional<bool> header;
    // Whether the last column takes the rest of a line, separators included.
    bool rest_in_last = false;
    std::uint64_t most_bytes = std::uint64_t{1} << 30;
};

// Invariant: every row has exactly one cell for each column.
class Table {
  public:
    const std::string &name() const noexcept { return name_; }
    const std::vector<std::string> &columns() const noexcept { return columns_; }
    std::size_t rows() const noexcept { return lines_.size(); }

    // The index of the column with this name. Throws: InputError, with a similar name as a hint.
    std::size_t column(std::string_view name) const;

    // Rows and columns count from 0. Throws: ContractError if there is no such cell.
    std::string_view cell(std::size_t row, std::size_t column) const;
    // The line (from 1) that a row begins on.
    std::uint32_t line(std::size_t row) const { return lines_.at(row); }
    SourceLocation location(std::size_t row, std::size_t column) const;
    // A diagnostic at a cell, for callers that find something wrong with its content.
    Diagnostic diagnose(std::size_t row, std::size_t column, std::string code, std::string message,
                        std::string hint = {}) const;

    // Throws: InputError at the cell if it is not an integer (a number).
    std::int64_t integer(std::size_t row, std::size_t column) const;
    double number(std::size_t row, std::size_t column) const;

  private:
    friend class TableParser;
    struct Cell {
        std::uint32_t at = 0;    // where it begins in the text, including its quote
        std::uint32_t begin = 0; // where its content begins, in text_ or (if unquoted) in unquoted_
        std::uint32_t length = 0; // of its content
        bool unquoted = false;
    };
    const Cell &find(std::size_t row, std::size_t column) const;
    std::string_view content(const Cell &cell) const;
    std::string_view line_at(const Cell &cell) const;

    std::string name_;
    std::string text_;
    std::string unquoted_; // contents of cells that contain "", with one quote for each
    std::vector<std::string> columns_;
    std::vector<Cell> cells_; // row by row
    std::vector<std::uint32_t> lines_;
};

// Throws: EnvironmentError if the file cannot be read, InputError if it is not a table.
Table read_table(const std::string &path, const TableOptions &options = {});
Table parse_table(std::string text, const std::string &name, const TableOptions &options = {});

// The text as a number, without blanks around it; nullopt if it is not one or not finite.
std::optional<double> parse_number(std::string_view text);
std::optional<std::int64_t> parse_integer(std::string_view text);

// The table, or the columns of these names in this order, as rows x columns numbers: integers if all are,
// otherwise doubles. Throws: InputError with the places of cells that are not numbers.
Array numeric_array(const Table &table, std::span<const std::string> columns = {});

} // namespace neurasp::data
