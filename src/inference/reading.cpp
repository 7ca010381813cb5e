// Reads texts on top of a program, and grounds both together.
#include "inference/reading.hpp"

namespace neurasp::inference {

Reading read_on_top(const ProgramParts &parts, base::SourceMap sources,
                    std::vector<language::SourceUnit> units) {
    Reading reading{std::move(sources), std::move(units), {}, parts.diagnostics};
    base::DiagnosticSink diagnostics;
    reading.delta = language::read(reading.sources, reading.units, parts.read_options(),
                                   &parts.program, diagnostics);
    diagnostics.throw_if_errors();
    const auto &found = diagnostics.all();
    reading.warnings.insert(reading.warnings.end(), found.begin(), found.end());
    return reading;
}

std::shared_ptr<Grounding> ground_whole(const ProgramParts &parts, Reading &reading,
                                        const Limits &limits) {
    std::vector<language::SourceUnit> all = parts.units;
    all.insert(all.end(), reading.units.begin(), reading.units.end());
    base::DiagnosticSink again;
    language::Program whole =
        language::read(reading.sources, all, parts.read_options(), nullptr, again);
    again.throw_if_errors();
    return std::make_shared<Grounding>(std::move(reading.sources), std::move(whole),
                                       parts.options.constants, limits, reading.warnings);
}

} // namespace neurasp::inference
