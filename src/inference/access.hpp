// How the library's own layers get at the insides of public objects.
#pragma once

#include "inference/circuit_library.hpp"
#include "inference/program_parts.hpp"
#include "inference/scope.hpp"
#include "neurasp/reasoner.hpp"

#include <memory>
#include <vector>

namespace neurasp {

namespace inference {

struct QuestionState {
    std::shared_ptr<const Scope> scope;
    std::shared_ptr<CircuitLibrary> library;
    std::vector<Diagnostic> warnings; // of reading the program, observations and queries
    Remarks remarks;                  // on program, observations and queries
    std::vector<Predicate> brought;   // by the observation
};

struct CompiledState {
    std::shared_ptr<const Grounding> grounding;
    std::shared_ptr<const CircuitEntry> entry;
    std::shared_ptr<const circuit::Circuit> circuit; // the entry's, or its smooth form
    std::vector<CircuitVariable> variables;
};

} // namespace inference

struct Question::State : inference::QuestionState {};
struct CompiledQuestion::State : inference::CompiledState {};

namespace internal {

struct Access {
    static const inference::ProgramParts &parts(const Program &program) { return *program.parts_; }
    static const inference::QuestionState &state(const Question &question) {
        return *question.state_;
    }
    static Question question(inference::QuestionState state) {
        return Question(std::make_shared<const Question::State>(Question::State{std::move(state)}));
    }
    static CompiledQuestion compiled(inference::CompiledState state) {
        return CompiledQuestion(std::make_shared<const CompiledQuestion::State>(
            CompiledQuestion::State{std::move(state)}));
    }
    // The circuit behind a compiled question.
    static const std::shared_ptr<const circuit::Circuit> &
    circuit(const CompiledQuestion &question) {
        return question.state_->circuit;
    }
};

} // namespace internal

} // namespace neurasp
