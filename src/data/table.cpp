// Cells of a table, their places, and numbers from them.
#include "data/table.hpp"

#include "base/source.hpp"
#include "base/suggest.hpp"
#include "data/data_error.hpp"
#include "data/text_reading.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace neurasp::data {

namespace {

// Removes surrounding blanks and a plus sign, which std::from_chars does not accept.
std::string_view bare_number(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    text = text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    return text;
}

template <class Number> std::optional<Number> parse(std::string_view text) {
    text = bare_number(text);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string shown(std::string_view cell) {
    constexpr std::size_t longest = 40;
    return "'" + std::string(cell.substr(0, longest)) + (cell.size() > longest ? "...'" : "'");
}

Diagnostic no_number(const Table &table, std::size_t row, std::size_t column, const char *kind) {
    return table.diagnose(row, column, "table-number",
                          "expected " + std::string(kind) + " in column '" +
                              table.columns()[column] + "', found " +
                              shown(table.cell(row, column)));
}

std::vector<std::size_t> chosen_columns(const Table &table, std::span<const std::string> names) {
    std::vector<std::size_t> chosen;
    for (const std::string &name : names) chosen.push_back(table.column(name));
    for (std::size_t i = 0; names.empty() && i < table.columns().size(); ++i) chosen.push_back(i);
    return chosen;
}

template <class Number, class Convert>
std::optional<std::vector<Number>> convert(const Table &table, std::span<const std::size_t> columns,
                                           Convert number) {
    std::vector<Number> values;
    values.reserve(table.rows() * columns.size());
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (const std::size_t column : columns) {
            const std::optional<Number> value = number(row, column);
            if (!value) return std::nullopt;
            values.push_back(*value);
        }
    }
    return values;
}

} // namespace

std::size_t Table::column(std::string_view name) const {
    const auto found = std::find(columns_.begin(), columns_.end(), name);
    if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
    std::string hint;
    if (const auto near = base::closest_name(name, columns_)) {
        hint = "did you mean '" + *near + "'?";
    } else {
        for (std::size_t i = 0; i < std::min<std::size_t>(columns_.size(), 20); ++i) {
            hint += (i == 0 ? "its columns are: " : ", ") + columns_[i];
        }
    }
    throw data_error("table-column", name_, "the table has no column " + shown(name), hint);
}

const Table::Cell &Table::find(std::size_t row, std::size_t column) const {
    if (row >= rows() || column >= columns_.size()) {
        throw ContractError("Table: there is no cell " + std::to_string(row) + ", " +
                            std::to_string(column));
    }
    return cells_[row * columns_.size() + column];
}

std::string_view Table::content(const Cell &cell) const {
    return std::string_view(cell.unquoted ? unquoted_ : text_).substr(cell.begin, cell.length);
}

std::string_view Table::cell(std::size_t row, std::size_t column) const {
    return content(find(row, column));
}

std::string_view Table::line_at(const Cell &cell) const {
    const std::string_view text = text_;
    const std::size_t before =
        cell.at == 0 ? std::string_view::npos : text.rfind('\n', cell.at - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    std::string_view line = text.substr(begin, text.find('\n', cell.at) - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

SourceLocation Table::location(std::size_t row, std::size_t column) const {
    const Cell &cell = find(row, column);
    const Cell &first = find(row, 0);
    // A row spans several lines if a cell before this one holds newlines.
    const auto between = std::string_view(text_).substr(first.at, cell.at - first.at);
    const auto newlines = std::count(between.begin(), between.end(), '\n');
    const std::uint32_t line = lines_[row] + static_cast<std::uint32_t>(newlines);
    const auto at = static_cast<std::uint32_t>(text_.data() + cell.at - line_at(cell).data() + 1);
    return {name_, line, at, line, at + std::max<std::uint32_t>(cell.length, 1)};
}

Diagnostic Table::diagnose(std::size_t row, std::size_t column, std::string code,
                           std::string message, std::string hint) const {
    constexpr std::size_t longest_line = 200;
    Diagnostic diagnostic{
        Severity::error, std::move(code), std::move(message), location(row, column), {},
        std::move(hint)};
    if (diagnostic.location.column < longest_line) {
        diagnostic.source_line = line_at(find(row, column)).substr(0, longest_line);
    }
    return diagnostic;
}

std::int64_t Table::integer(std::size_t row, std::size_t column) const {
    const std::optional<std::int64_t> value = parse_integer(cell(row, column));
    if (!value) throw InputError(no_number(*this, row, column, "an integer"));
    return *value;
}

double Table::number(std::size_t row, std::size_t column) const {
    const std::optional<double> value = parse_number(cell(row, column));
    if (!value) throw InputError(no_number(*this, row, column, "a number"));
    return *value;
}

std::optional<double> parse_number(std::string_view text) {
    const std::optional<double> value = parse<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
    return parse<std::int64_t>(text);
}

Array numeric_array(const Table &table, std::span<const std::string> columns) {
    const std::vector<std::size_t> chosen = chosen_columns(table, columns);
    Shape shape{table.rows(), chosen.size()};
    const auto integer = [&](std::size_t row, std::size_t column) {
        return parse_integer(table.cell(row, column));
    };
    if (auto values = convert<std::int64_t>(table, chosen, integer)) {
        return {std::move(shape), std::move(*values), table.name()};
    }
    base::DiagnosticSink errors;
    const auto number = [&](std::size_t row, std::size_t column) -> std::optional<double> {
        const std::optional<double> value = parse_number(table.cell(row, column));
        if (value) return value;
        errors.add(no_number(table, row, column, "a number"));
        return errors.error_count() < most_errors ? std::optional(0.0) : std::nullopt;
    };
    auto values = convert<double>(table, chosen, number);
    errors.throw_if_errors();
    return {std::move(shape), std::move(*values), table.name()};
}

} // namespace neurasp::data
