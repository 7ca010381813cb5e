// Answers from compiled circuits: one pass over a circuit replaces the sum over all models. If there is no
// circuit, the caller (policy.cpp) decides what to do instead.
#pragma once

#include "inference/engine.hpp"

namespace neurasp::inference {

// The limits of one attempt to compile.
struct CircuitTurn {
    base::Share share;
    circuit::CompilerLimits limits;
};

// An answer, or the entry that says why there is no circuit.
template <class Answer> struct Attempt {
    std::optional<Answer> answer;
    std::shared_ptr<const CircuitEntry> missing;
};

// The request for a circuit of which only sums are wanted.
Request request_for_sums(const Task &task);

std::shared_ptr<const CircuitEntry> compile(const Task &task, const Request &request,
                                            const CircuitTurn &turn);

// P(O), by one pass over its circuit.
ScaledReal value_of(const CircuitEntry &entry, const Weights &weights);

using Condition = std::vector<std::vector<Literal>>; // alternatives, each a conjunction
// P(condition and O) for each condition, from as few circuits as can be found with about as much work as one for each
// would take. `main` is the circuit of O.
Attempt<std::vector<ScaledReal>> joint_by_circuit(const Task &task, const CircuitEntry &main,
                                                  std::span<const Condition> conditions,
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

// Records that the answer came from this circuit.
void finish(HowAnswered &how, const base::Budget &budget, const CircuitEntry &entry);

} // namespace neurasp::inference
