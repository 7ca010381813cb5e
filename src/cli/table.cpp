// Columns of text.
#include "cli/table.hpp"

#include <algorithm>

namespace neurasp::cli {

std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
    }));
}

std::string pad(std::string_view text, std::size_t columns) {
    std::string padded(text);
    padded.append(columns - std::min(columns, width(text)), ' ');
    return padded;
}

std::string align(const std::vector<Row> &rows, std::size_t indent) {
    std::vector<std::size_t> widths;
    for (const Row &row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string text;
    for (const Row &row : rows) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i) line += pad(row[i], widths[i]) + "  ";
        line.erase(line.find_last_not_of(' ') + 1);
        text += (text.empty() ? "" : "\n") + line;
    }
    return text;
}

} // namespace neurasp::cli
