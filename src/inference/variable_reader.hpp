// Makes random variables of the helper atoms of the ground program (language/program.hpp), with the checks that
// only grounding makes possible.
#pragma once

#include "inference/random_variable.hpp"
#include "language/program.hpp"

namespace neurasp::inference {

// Reads the random variables off `ground`, which was grounded from `program`'s lowered text. Mistakes
// go to `diagnostics`: undecided bodies, invalid numbers of events, equal outcomes, conflicting instances,
// variables that share an atom.
std::vector<RandomVariable> read_variables(const language::Program &program,
                                           const base::SourceMap &sources,
                                           const asp::GroundProgram &ground,
                                           base::DiagnosticSink &diagnostics);

} // namespace neurasp::inference
