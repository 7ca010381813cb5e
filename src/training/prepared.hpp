// An observation made ready for training steps: its circuit, and where each of the circuit's numbers comes
// from. There may be very many of them, so they keep little. None changes once it is made, so any number of
// threads may use it.
#pragma once

#include "circuit/batch_program.hpp"
#include "training/vocabulary.hpp"

#include <optional>
#include <vector>

namespace neurasp::training {

// Where the outcomes of one variable of the circuit come from, and where their derivatives go.
struct NumberSource {
    enum class Kind { output, learnable_rule, fixed };
    Kind kind = Kind::fixed;
    std::size_t first_input = 0; // row of the circuit's inputs
    std::size_t outcomes = 0;
    std::size_t call = 0;      // output: which call of the observation,
    std::size_t event = 0;     //   and which event of it
    std::size_t first = 0;     // learnable rule: place of its first number
    std::vector<double> fixed; // fixed: the numbers
};

struct Prepared {
    PreparedObservation facts;         // what its users may know
    std::vector<NumberSource> sources; // of the circuit's inputs, in the order of its variables
    std::optional<circuit::BatchProgram> program; // if there is a circuit
    // Where the circuit is not all that is needed: without one, and to draw total choices. Both keep a whole
    // ground program in memory.
    std::optional<Question> question;
    std::optional<CompiledQuestion> compiled;

    std::size_t input_count() const { return program->circuit()->random_input_count(); }
    // The place of a call; calls.size(): it has no such call.
    std::size_t find_call(std::size_t network, const std::string &terms) const;
};

// What is known of an observation before it is put together.
struct Parts {
    Question question;
    std::vector<RandomVariableInfo> variables;
    std::optional<Compilation> compilation;       // nothing: only its calls are wanted
    std::optional<circuit::BatchProgram> program; // if there is a circuit
};

// Throws: InputError if a learnable rule of the variables is not one of the program's.
void refuse_learnable(const Vocabulary &vocabulary,
                      const std::vector<RandomVariableInfo> &variables);

// `keeps_circuit`: total choices will be drawn from it.
Prepared put_together(Parts parts, const Vocabulary &vocabulary, bool keeps_circuit);

} // namespace neurasp::training
