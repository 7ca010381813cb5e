// Question::compile in two steps, for callers that compile many questions: the first needs the ground program and
// stays in the calling thread; the second, which searches for a circuit, may run in any thread.
#pragma once

#include "inference/circuit_library.hpp"
#include "neurasp/question.hpp"

namespace neurasp::inference {

struct QuestionDraft {
    std::shared_ptr<const Scope> scope;
    std::shared_ptr<CircuitLibrary> library;
    CompileSettings settings;
    CircuitLimits limits;
    CircuitDraft circuit;
    std::optional<Compilation> failed; // the least cost is not known

    // Whether nothing is left to compile, so that finishing takes next to no time.
    bool complete() const noexcept { return failed || circuit.complete(); }
};

// Finds the least cost if it matters, lists few models, translates the rules.
QuestionDraft draft_question(const Question &question, const CompileSettings &settings,
                             const Limits &limits, base::Budget &budget);
// Compiles. Requires: `budget` was made by the calling thread.
Compilation finish_question(QuestionDraft draft, base::Budget &budget);

} // namespace neurasp::inference
