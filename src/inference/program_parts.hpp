// What a Program consists of.
#pragma once

#include "language/program.hpp"
#include "neurasp/reasoner.hpp"

#include <vector>

namespace neurasp {

struct Program::Parts {
    base::SourceMap sources;
    std::vector<language::SourceUnit> units;
    language::Program program;
    ProgramOptions options;
    std::vector<Diagnostic> diagnostics; // warnings

    language::ReadOptions read_options() const {
        return {options.allow_script, options.allow_include};
    }
};

} // namespace neurasp
