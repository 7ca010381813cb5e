// An observation prepared for training: its circuit, and where each input of the circuit comes from. There may be very
// many of them, so each keeps little. They never change, so any number of threads may use them.
#pragma once

#include "circuit/batch_program.hpp"
#include "training/vocabulary.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace neurasp::training {

// Where the outcomes of one variable of the circuit come from, and where their derivatives go.
struct NumberSource {
    enum class Kind {
        output,
        learnable_rule,
        fixed,
        given, // a slot of a family (family.hpp): 1 for the outcome that the observation has, 0 for all others
    };
    Kind kind = Kind::fixed;
    std::size_t first_input = 0; // first row among the circuit's inputs
    std::size_t outcomes = 0;
    std::size_t call = 0;      // for `output`: index of the call; for `given`: index of the slot
    std::size_t event = 0;     // for `output`: index of the event
    std::size_t first = 0;     // for `learnable_rule`: index of its first number
    std::vector<double> fixed; // for `fixed`: the numbers
};

struct Prepared {
    PreparedObservation facts;         // the public part
    std::vector<NumberSource> sources; // of the circuit's inputs, in the order of its variables
    std::optional<circuit::BatchProgram> program; // if there is a circuit
    // Kept only if they are needed, because both keep a whole ground program in memory: the question if there is no
    // circuit, the compiled question to draw total choices.
    std::optional<Question> question;
    std::optional<CompiledQuestion> compiled;

    std::size_t input_count() const { return program->circuit()->random_input_count(); }
    // The index of a call; calls.size() if there is no such call.
    std::size_t find_call(std::size_t network, const std::string &terms) const;
};

// The parts that a prepared observation is made from.
struct Parts {
    std::optional<Question> question; // always there; it has no default
    std::shared_ptr<const std::vector<RandomVariableInfo>> variables;
    std::optional<Compilation> compilation;       // nothing if only its calls are wanted
    std::optional<circuit::BatchProgram> program; // if there is a circuit
};

// Throws: InputError if a variable belongs to a learnable rule that is not in the program.
void refuse_learnable(const Vocabulary &vocabulary,
                      const std::vector<RandomVariableInfo> &variables);

// An observation with a circuit over these random variables; the circuit itself is still missing.
Prepared with_inputs(const std::vector<CircuitVariable> &inputs,
                     const std::vector<RandomVariableInfo> &variables,
                     const Vocabulary &vocabulary);

// `keeps_circuit`: keep the compiled question, because total choices will be drawn from it.
Prepared put_together(Parts parts, const Vocabulary &vocabulary, bool keeps_circuit);

} // namespace neurasp::training
