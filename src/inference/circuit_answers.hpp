// Answers from compiled circuits: what enumeration sums model by model is one pass over a circuit here. Each
// function tries; where a circuit is missing, the caller (policy.cpp) decides what to do instead.
#pragma once

#include "inference/engine.hpp"

namespace neurasp::inference {

// What compiling one circuit may take.
struct CircuitTurn {
    base::Share share;
    circuit::CompilerLimits limits;
};

// An answer, or the circuit that there is none of.
template <class Answer> struct Attempt {
    std::optional<Answer> answer;
    std::shared_ptr<const CircuitEntry> missing;
};

std::shared_ptr<const CircuitEntry> compile(const Task &task, const Request &request,
                                            const CircuitTurn &turn);

Attempt<ProbabilityAnswer> probability_by_circuit(const Task &task, const CircuitTurn &turn);
Attempt<MassAnswer> mass_by_circuit(const Task &task, const CircuitTurn &turn);
Attempt<MarginalsAnswer> marginals_by_circuit(const Task &task, const CircuitTurn &turn);
Attempt<GradientAnswer> gradient_by_circuit(const Task &task, GradientConvention convention,
                                            const CircuitTurn &turn);
Attempt<ModelsAnswer> best_by_circuit(const Task &task, std::uint64_t count, bool ties,
                                      const CircuitTurn &turn);
Attempt<ModelsAnswer> sample_by_circuit(const Task &task, std::uint64_t count,
                                        const CircuitTurn &turn);

// The answer came from this circuit.
void finish(HowAnswered &how, const base::Budget &budget, const CircuitEntry &entry);

} // namespace neurasp::inference
