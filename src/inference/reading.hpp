// Observations and queries, read on top of a program.
#pragma once

#include "inference/grounding.hpp"
#include "inference/program_parts.hpp"

#include <memory>
#include <vector>

namespace neurasp::inference {

struct Reading {
    base::SourceMap sources; // the program's, and those of the units
    std::vector<language::SourceUnit> units;
    language::Program delta;
    std::vector<Diagnostic> warnings; // of the program, then of the units
};

// Throws: InputError.
Reading read_on_top(const ProgramParts &parts, base::SourceMap sources,
                    std::vector<language::SourceUnit> units);

// Grounds the program together with the units. `reading` gives its sources away. Throws: InputError, LimitError.
std::shared_ptr<Grounding> ground_whole(const ProgramParts &parts, Reading &reading,
                                        const Limits &limits);

} // namespace neurasp::inference
