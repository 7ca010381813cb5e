// Circuits for questions: made when first needed, kept with the world, and shared between questions whose
// theories are the same up to the names of their variables.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit_cache.hpp"
#include "circuit/compiler.hpp"
#include "circuit/translation.hpp"
#include "inference/weights.hpp"
#include "inference/world.hpp"
#include "neurasp/circuit.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace neurasp::inference {

// What a circuit is to be about.
struct CircuitRequest {
    std::vector<Literal> evidence;
    std::vector<std::vector<Literal>> alternatives; // one of them holds, if there are any
    std::vector<std::vector<std::int64_t>> cost;    // at most one: the greatest cost by priority
    bool models = false;          // with the models below each total choice, over all variables
    bool external_inputs = false; // externals are variables of the circuit

    friend auto operator<=>(const CircuitRequest &, const CircuitRequest &) = default;
};

struct CompiledProblem {
    std::shared_ptr<const circuit::Circuit> circuit; // nothing if there is none
    std::string obstacle;                            // then: why
    bool is_limit = false;                           // it was a limit; with more there may be one
    double seconds_granted = 0.0;                    // what was tried
    std::uint64_t nodes_granted = 0;
    // The world's variable behind each random variable of the circuit; further ones are inputs.
    std::vector<std::size_t> variables;
    std::vector<AtomId> inputs;
    // Behind each free atom of the circuit; nothing where the translation made it (it follows from the
    // others then).
    std::vector<std::optional<AtomId>> open_atoms;
    bool determined = true; // the outcomes determine the model
    CircuitStatistics statistics;

    // The same function over all its variables on every branch; made once.
    const std::shared_ptr<const circuit::Circuit> &smooth() const;

  private:
    mutable std::shared_ptr<const circuit::Circuit> smooth_;
};

struct CircuitLimits {
    circuit::CompilerLimits compiler;
    std::string cache_folder;
};

// One per world. Failures are kept, too: what took too long once is not tried at every question.
class Compilations {
  public:
    // `cache`: circuits by theory, shared by the worlds of one reasoner.
    explicit Compilations(std::shared_ptr<circuit::CircuitCache> cache)
        : cache_(std::move(cache)) {}

    // Compiles, or returns what was compiled before. Never nothing.
    std::shared_ptr<const CompiledProblem> get(World &world, const CircuitRequest &request,
                                               const CircuitLimits &limits, base::Budget &budget);

  private:
    // A circuit from the list of models, if there are few.
    static bool list_models(CompiledProblem &problem, World &world, const CircuitRequest &request,
                            const base::Budget &budget);
    void compile(CompiledProblem &problem, const World &world, const CircuitRequest &request,
                 const CircuitLimits &limits, base::Budget &budget);
    void find_circuit(CompiledProblem &problem, const circuit::Theory &theory,
                      const CircuitRequest &request, const CircuitLimits &limits,
                      base::Budget &budget);

    std::shared_ptr<circuit::CircuitCache> cache_;
    std::map<CircuitRequest, std::shared_ptr<const CompiledProblem>> known_;
};

// The weights of a circuit's random inputs, in their order: scaled so that each variable's sum is 1.
std::vector<ScaledReal> normalised_weights(const CompiledProblem &problem, const Weights &weights);
// As they are; for smooth circuits.
std::vector<ScaledReal> plain_weights(const CompiledProblem &problem, const Weights &weights);

} // namespace neurasp::inference
