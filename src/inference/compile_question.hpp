// Question::compile in two steps, for those who compile many questions: the first needs the ground program and
// stays in the calling thread, the second is the search for a circuit and may be done by any thread.
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

    // Nothing is left to compile: finishing takes next to no time.
    bool complete() const noexcept { return failed || circuit.complete(); }
};

// Finds the least cost if it matters, lists few models, translates the rules.
QuestionDraft draft_question(const Question &question, const CompileSettings &settings,
                             const Limits &limits, base::Budget &budget);
// The rest; `budget` was made by this thread.
Compilation finish_question(QuestionDraft draft, base::Budget &budget);

} // namespace neurasp::inference
