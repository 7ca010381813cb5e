// Reads texts for the tests of the language layer; see reading.hpp.
#include "reading.hpp"

#include <algorithm>

namespace neurasp::language::test {

std::string Reading::findings() const {
    std::string result;
    for (const Diagnostic &diagnostic : diagnostics.all()) {
        if (!result.empty()) result += "; ";
        result += std::to_string(diagnostic.location.line) + ":" +
                  std::to_string(diagnostic.location.column) + " " + diagnostic.code;
    }
    return result;
}

std::string Reading::origin_of(std::string_view part) const {
    const std::string &text = lowered();
    const std::size_t at = text.find(part);
    if (at == std::string::npos) return "<not in the lowered text>";
    const auto place = [&](std::size_t offset) {
        const std::size_t start = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
        const auto lines = std::count(text.begin(), text.begin() + static_cast<long>(offset), '\n');
        const std::size_t column = start == std::string::npos ? offset : offset - start - 1;
        return std::pair{static_cast<std::uint32_t>(lines + 1),
                         static_cast<std::uint32_t>(column + 1)};
    };
    const auto [line, column] = place(at);
    const auto [end_line, end_column] = place(at + part.size());
    return std::string(sources.text(program.lowered.origin(line, column, end_line, end_column)));
}

Reading read_texts(const std::vector<Text> &texts, const ReadOptions &options) {
    Reading reading;
    std::vector<SourceUnit> units;
    for (const Text &text : texts) {
        units.push_back({reading.sources.add("text.lp", text.text), text.role, text.number});
    }
    reading.program = read(reading.sources, units, options, nullptr, reading.diagnostics);
    return reading;
}

Reading read_program(const std::string &text, const ReadOptions &options) {
    return read_texts({{Role::program, text, 0}}, options);
}

Reading read_observation(const std::string &text, std::uint32_t number) {
    return read_texts({{Role::observation, text, number}});
}

Reading read_query(const std::string &text, std::uint32_t number) {
    return read_texts({{Role::query, text, number}});
}

Reading read_on_top(const std::string &base, Text text) {
    Reading reading = read_program(base);
    const SourceUnit unit{reading.sources.add("top.lp", text.text), text.role, text.number};
    const Program below = std::move(reading.program);
    reading.program = read(reading.sources, {&unit, 1}, {}, &below, reading.diagnostics);
    return reading;
}

std::string mistakes(const std::string &program) { return read_program(program).findings(); }

std::string first_hint(const std::string &program) {
    const Reading reading = read_program(program);
    return reading.diagnostics.all().empty() ? "" : reading.diagnostics.all().front().hint;
}

} // namespace neurasp::language::test
