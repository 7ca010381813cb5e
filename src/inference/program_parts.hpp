// The parts of a Program.
#pragma once

#include "language/program.hpp"
#include "neurasp/program.hpp"

#include <vector>

namespace neurasp {

namespace inference {

struct ProgramParts {
    base::SourceMap sources;
    std::vector<language::SourceUnit> units;
    language::Program program;
    ProgramOptions options;
    std::vector<Diagnostic> diagnostics; // warnings

    language::ReadOptions read_options() const {
        return {options.allow_script, options.allow_include};
    }
};

} // namespace inference

struct Program::Parts : inference::ProgramParts {};

} // namespace neurasp
