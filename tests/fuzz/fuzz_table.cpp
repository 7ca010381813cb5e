// Any input, with any separator, is either a table whose cells all lie in the text and have a place in it, or
// an InputError. The first byte chooses the options.
#include "data/table.hpp"
#include "fuzz_array.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace {

using namespace neurasp::data;

TableOptions options_from(std::uint8_t choice) {
    constexpr char separators[] = {',', '\t', separated_by_blanks, ';'};
    TableOptions options;
    options.separator = separators[choice % 4];
    if ((choice & 4) != 0) options.names = {"a", "b"};
    if ((choice & 8) != 0) options.header = (choice & 16) != 0;
    options.rest_in_last = (choice & 32) != 0;
    return options;
}

void check(const Table &table, std::string_view text) {
    const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        require(table.line(row) >= 1 && table.line(row) <= lines);
        require(row == 0 || table.line(row) > table.line(row - 1));
        for (std::size_t column = 0; column < table.columns().size(); ++column) {
            require(table.cell(row, column).size() <= text.size());
            const neurasp::SourceLocation place = table.location(row, column);
            require(place.line >= table.line(row) && place.line <= lines);
            require(place.column >= 1 && place.column <= text.size() + 1);
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char *>(data) + 1, size - 1);
    try_to_read([&] {
        const Table table = parse_table(text, "fuzz", options_from(data[0]));
        check(table, text);
        return numeric_array(table);
    });
    return 0;
}
