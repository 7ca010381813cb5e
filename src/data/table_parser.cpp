// Text -> Table, one record at a time, after RFC 4180: a quote opens only at the beginning of a cell, "" inside
// quotes is a quote, and quotes may hold separators and newlines. Unlike there, cells may also be separated by
// any number of blanks (then quotes have no meaning), blank lines are skipped, and the last column may take the
// rest of the line.
//
// Cells are not copied: a cell is a range of the text, with 32-bit offsets (so a text has less than 4 GiB). Only
// cells that contain "" are rewritten, into a second text. The places of all cells therefore cost nothing extra,
// and lines are counted again only for a message.
//
// Invariants: every row that is kept has one cell for each column; `line_` is the line of `at_`. A row with
// another number of cells is an error; its surplus cells are counted, not kept, so that a line of a gigabyte of
// commas does not become a billion cells. Cost: linear in the text.
#include "base/source.hpp"
#include "data/data_error.hpp"
#include "data/table.hpp"
#include "data/text_reading.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace neurasp::data {

class TableParser {
  public:
    TableParser(std::string text, const std::string &name, const TableOptions &options);
    Table parse();

  private:
    using Cell = Table::Cell;

    bool next_record();
    void read_cells();
    void limit_record();
    void read_plain_cell(std::size_t end_of_line);
    void read_quoted_cell();
    void read_rest(std::size_t end_of_line);
    void add_cell(std::size_t at, std::size_t begin, std::size_t end);
    void name_columns();
    void check_names();
    void keep_record();

    bool by_blanks() const { return separator_ == separated_by_blanks; }
    std::size_t skip_blanks(std::size_t at) const;
    std::size_t line_end(std::size_t at) const;
    bool ends_line(std::size_t at) const;
    std::uint32_t line_of(const Cell &cell) const;
    std::string_view text() const { return table_.text_; }
    Diagnostic at_offset(std::size_t offset, std::uint32_t line, std::string code,
                         std::string message, std::string hint) const;

    const TableOptions &options_;
    char separator_;
    Table table_;
    std::vector<Cell> record_;
    std::size_t surplus_ = 0;       // cells of the record that are not in record_
    std::uint32_t record_line_ = 0; // where the record begins
    std::uint32_t line_ = 1;        // the line of at_
    std::size_t at_ = 0;
    base::DiagnosticSink errors_;
};

namespace {

char default_separator(std::string_view name) {
    const std::string extension = extension_of(name);
    if (extension == "csv") return ',';
    return extension == "tsv" ? '\t' : separated_by_blanks;
}

std::string cells_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " cell" : " cells");
}

} // namespace

TableParser::TableParser(std::string text, const std::string &name, const TableOptions &options)
    : options_(options), separator_(options.separator.value_or(default_separator(name))) {
    if (separator_ == '\n' || separator_ == '\r' || separator_ == '"') {
        throw ContractError("TableOptions: this separator would not separate");
    }
    table_.name_ = name;
    table_.text_ = std::move(text);
    if (this->text().starts_with(byte_order_mark)) at_ = byte_order_mark.size();
}

Table TableParser::parse() {
    if (const std::size_t nul = text().find('\0'); nul != std::string_view::npos) {
        throw data_error("table-syntax", table_.name_,
                         "this is not text: there is a NUL byte at offset " + std::to_string(nul));
    }
    if (!next_record()) throw data_error("table-syntax", table_.name_, "the table is empty");
    name_columns();
    do keep_record();
    while (errors_.error_count() < most_errors && next_record());
    errors_.throw_if_errors();
    return std::move(table_);
}

// Reads the cells of the next line that is not blank into record_; false at the end.
bool TableParser::next_record() {
    while (at_ < text().size()) {
        const std::size_t end = line_end(at_);
        const std::size_t begin = by_blanks() ? skip_blanks(at_) : at_;
        if (begin < end) break;
        at_ = std::min(text().find('\n', at_), text().size() - 1) + 1;
        ++line_;
    }
    if (at_ >= text().size()) return false;
    record_line_ = line_;
    read_cells();
    return true;
}

// Reads cells up to the end of the line and moves to the beginning of the next.
void TableParser::read_cells() {
    const std::size_t columns = table_.columns_.size();
    std::size_t end = line_end(at_);
    record_.clear();
    surplus_ = 0;
    while (true) {
        if (by_blanks()) at_ = skip_blanks(at_);
        if (by_blanks() && at_ >= end) break;
        if (options_.rest_in_last && columns > 0 && record_.size() + 1 == columns) {
            read_rest(end);
        } else if (!by_blanks() && at_ < end && text()[at_] == '"') {
            read_quoted_cell();
            if (at_ > end) end = line_end(at_); // there were newlines in the quotes
        } else {
            read_plain_cell(end);
        }
        limit_record();
        if (by_blanks()) continue;
        if (at_ >= end) break;
        ++at_; // the separator
    }
    at_ = std::min(text().find('\n', at_), text().size() - 1) + 1;
    ++line_;
}

// Of the cells beyond the last column, keeps one, for its place, and counts the others.
void TableParser::limit_record() {
    constexpr std::size_t most_columns = 1'000'000;
    const std::size_t columns = table_.columns_.size();
    if (columns == 0 && record_.size() > most_columns) {
        throw InputError(at_offset(
            record_.back().at, line_of(record_.back()), "table-row",
            "expected at most " + cells_text(most_columns) + " in a row, found more", ""));
    }
    if (columns == 0 || record_.size() <= columns + 1) return;
    record_.pop_back();
    ++surplus_;
}

void TableParser::read_plain_cell(std::size_t end_of_line) {
    const std::string_view rest = text().substr(at_, end_of_line - at_);
    const std::size_t length = by_blanks() ? rest.find_first_of(" \t") : rest.find(separator_);
    const std::size_t end = at_ + std::min(length, rest.size());
    add_cell(at_, at_, end);
    at_ = end;
}

void TableParser::read_rest(std::size_t end_of_line) {
    add_cell(at_, at_, end_of_line);
    at_ = end_of_line;
}

void TableParser::read_quoted_cell() {
    const std::size_t open = at_;
    const std::uint32_t open_line = line_;
    std::string content;
    bool doubled = false;
    for (std::size_t from = open + 1;; doubled = true) {
        const std::size_t close = text().find('"', from);
        if (close == std::string_view::npos) {
            throw InputError(at_offset(open, open_line, "table-syntax", "this quote is not closed",
                                       "a quote inside a quoted cell is written twice"));
        }
        content += text().substr(from, close - from);
        at_ = close + 1;
        if (at_ >= text().size() || text()[at_] != '"') break;
        content += '"';
        from = at_ + 1;
    }
    line_ += static_cast<std::uint32_t>(std::count(content.begin(), content.end(), '\n'));
    if (!ends_line(at_) && text()[at_] != separator_) {
        throw InputError(at_offset(at_, line_, "table-syntax",
                                   "expected a separator or the end of the line after the quote",
                                   "a quote inside a quoted cell is written twice"));
    }
    add_cell(open, open + 1, at_ - 1);
    if (!doubled) return;
    record_.back().begin = static_cast<std::uint32_t>(table_.unquoted_.size());
    record_.back().length = static_cast<std::uint32_t>(content.size());
    record_.back().unquoted = true;
    table_.unquoted_ += content;
}

void TableParser::add_cell(std::size_t at, std::size_t begin, std::size_t end) {
    record_.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(begin),
                       static_cast<std::uint32_t>(end - begin), false});
}

// Decides whether the first record is a header; a header is not kept as a row.
void TableParser::name_columns() {
    const auto is_number = [&](const Cell &cell) {
        return parse_number(table_.content(cell)).has_value();
    };
    const bool header = options_.header.value_or(
        options_.names.empty() && !std::all_of(record_.begin(), record_.end(), is_number));
    table_.columns_ = options_.names;
    if (options_.names.empty()) {
        for (std::size_t i = 0; i < record_.size(); ++i) {
            table_.columns_.push_back(header ? std::string(table_.content(record_[i]))
                                             : std::to_string(i + 1));
        }
        check_names();
    } else if (options_.rest_in_last && !header) {
        // Only now is it known which column is the last, so the line is read again.
        at_ = record_.front().at;
        line_ = record_line_;
        table_.unquoted_.clear();
        read_cells();
    }
    if (header) record_.clear();
}

void TableParser::check_names() {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < table_.columns_.size(); ++i) {
        const std::string &name = table_.columns_[i];
        if (name.empty() || seen.insert(name).second) continue;
        throw InputError(at_offset(record_[i].at, line_of(record_[i]), "table-column",
                                   "two columns have the name '" + name.substr(0, 40) + "'",
                                   "if this line is not a header, set 'header' to false"));
    }
}

void TableParser::keep_record() {
    if (record_.empty()) return; // it was the header
    const std::size_t expected = table_.columns_.size();
    if (record_.size() != expected) {
        const Cell &place = record_[std::min(record_.size() - 1, expected)];
        errors_.add(at_offset(place.at, line_of(place), "table-row",
                              "expected " + cells_text(expected) + " in this row, found " +
                                  std::to_string(record_.size() + surplus_),
                              ""));
        return;
    }
    table_.cells_.insert(table_.cells_.end(), record_.begin(), record_.end());
    table_.lines_.push_back(record_line_);
}

std::size_t TableParser::skip_blanks(std::size_t at) const {
    return std::min(text().find_first_not_of(" \t", at), text().size());
}

// Where the line of `at` ends, before its "\n" or "\r\n".
std::size_t TableParser::line_end(std::size_t at) const {
    const std::size_t newline = std::min(text().find('\n', at), text().size());
    return newline > at && text()[newline - 1] == '\r' ? newline - 1 : newline;
}

bool TableParser::ends_line(std::size_t at) const {
    const std::string_view next = text().substr(at, 2);
    return next.empty() || next == "\r" || next == "\r\n" || next.starts_with('\n');
}

std::uint32_t TableParser::line_of(const Cell &cell) const {
    const auto before = text().substr(record_.front().at, cell.at - record_.front().at);
    return record_line_ +
           static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
}

Diagnostic TableParser::at_offset(std::size_t offset, std::uint32_t line, std::string code,
                                  std::string message, std::string hint) const {
    const std::size_t before = offset == 0 ? std::string::npos : text().rfind('\n', offset - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const auto column = static_cast<std::uint32_t>(offset - begin + 1);
    constexpr std::size_t longest_line = 200;
    std::string shown;
    if (column < longest_line) {
        const std::size_t length = std::max(line_end(begin), begin) - begin;
        shown = text().substr(begin, std::min(length, longest_line));
    }
    return {Severity::error,    std::move(code),
            std::move(message), {table_.name_, line, column, line, column + 1},
            std::move(shown),   std::move(hint)};
}

Table parse_table(std::string text, const std::string &name, const TableOptions &options) {
    if (text.size() > std::min<std::uint64_t>(options.most_bytes, 0xFFFFFFFF)) {
        throw data_error("data-too-large", name,
                         "the table has more than " + std::to_string(options.most_bytes) +
                             " bytes");
    }
    return TableParser(std::move(text), name, options).parse();
}

Table read_table(const std::string &path, const TableOptions &options) {
    return parse_table(std::string(as_text(read_bytes(path, options.most_bytes))), path, options);
}

} // namespace neurasp::data
