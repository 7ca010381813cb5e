// Circuits for requests: made when first needed, kept as long as their grounding lives, and shared between
// requests whose theories are the same up to the names of their variables.
//
// A circuit is made in two steps. `draft` needs the ground program: it looks for a known circuit, lists the
// models if there are few, and otherwise translates the rules into a theory, which is a value. `finish` compiles
// this theory and needs nothing else, so any thread can do it.
//
// Invariant: a circuit that is found by a key has the signature of the theory that was looked up.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit_cache.hpp"
#include "circuit/compiler.hpp"
#include "circuit/translation.hpp"
#include "inference/request.hpp"
#include "inference/weights.hpp"
#include "neurasp/circuit.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace neurasp::inference {

// The circuit of a request, or why there is none.
struct CircuitEntry {
    std::shared_ptr<const circuit::Circuit> circuit; // null if there is none
    std::string obstacle;                            // why there is none
    bool is_limit = false;        // the reason is a limit; with more there may be a circuit
    bool out_of_time = false;     // the limit was time
    double seconds_granted = 0.0; // the limits of the attempt
    circuit::CompilerLimits granted;
    // For each random variable of the circuit, the grounding's variable; after these come the inputs.
    std::vector<std::size_t> variables;
    std::vector<AtomId> inputs;
    // For each free atom of the circuit, the grounding's atom; nothing for atoms that the translation made, which
    // follow from the others.
    std::vector<std::optional<AtomId>> open_atoms;
    // For each shown condition of the request, the number of its variable among the circuit's last ones, whose first
    // outcome is that it holds; `nothing` if it always holds.
    std::vector<std::uint32_t> shown;
    bool determined = true; // the outcomes determine the model
    CircuitStatistics statistics;

    // The circuit in smooth form: every branch mentions all variables.
    const std::shared_ptr<const circuit::Circuit> &smooth() const;

  private:
    Lazy<std::shared_ptr<const circuit::Circuit>> smooth_;
};

struct CircuitLimits {
    circuit::CompilerLimits compiler;
    std::string folder; // where circuits are kept; empty: nowhere
};

// A circuit that is not compiled yet.
struct CircuitDraft {
    using Key = std::pair<std::uint64_t, Request>; // grounding, request

    bool complete() const noexcept { return !theory; }

    std::shared_ptr<const Grounding> owner;
    Key key;
    std::shared_ptr<CircuitEntry> entry;
    std::optional<circuit::Theory> theory; // nothing if the entry is complete
};

// Owned by the reasoner and shared by its questions; any number of threads may use it. Failures are kept as well
// and tried again only with more time, nodes or memory.
class CircuitLibrary {
  public:
    // Compiles, or returns the entry that was made before. Never null.
    std::shared_ptr<const CircuitEntry> get(const std::shared_ptr<const Grounding> &grounding,
                                            const Request &request, const CircuitLimits &limits,
                                            base::Budget &budget);

    CircuitDraft draft(const std::shared_ptr<const Grounding> &grounding, const Request &request,
                       const CircuitLimits &limits, base::Budget &budget);
    // The same for a caller that has a way of its own from the request to a theory: `start` fills in the entry, and returns a
    // theory unless the entry is complete.
    using Start = std::function<std::optional<circuit::Theory>(CircuitEntry &)>;
    CircuitDraft draft(const std::shared_ptr<const Grounding> &grounding, const Request &request,
                       const CircuitLimits &limits, const base::Budget &budget, const Start &start);
    std::shared_ptr<const CircuitEntry> finish(CircuitDraft draft, const CircuitLimits &limits,
                                               base::Budget &budget);
    // The circuit of a theory that belongs to no request: only `circuit`, `statistics` and why there is none.
    std::shared_ptr<const CircuitEntry> compile(const circuit::Theory &theory,
                                                const CircuitLimits &limits, base::Budget &budget);
    // Forgets failures, so that they are tried again.
    void forget_failures();

    // Drops what belongs to groundings that are gone.
    void forget_the_dead();

  private:
    static constexpr std::size_t cache_bytes = 512U << 20U;
    static constexpr std::size_t first_look = 64;

    struct Known {
        std::weak_ptr<const Grounding> owner;
        std::shared_ptr<CircuitEntry> entry;
    };
    std::shared_ptr<CircuitEntry> find(const CircuitDraft::Key &key, const CircuitLimits &limits,
                                       const base::Budget &budget) const;
    void keep(const CircuitDraft &draft);
    void drop_the_dead(); // with the lock held
    void find_circuit(CircuitEntry &entry, const circuit::Theory &theory, circuit::Below below,
                      const CircuitLimits &limits, base::Budget &budget);

    circuit::CircuitCache cache_{cache_bytes};
    mutable std::mutex mutex_; // guards the members below
    std::map<CircuitDraft::Key, Known> known_;
    std::size_t next_look_ =
        first_look; // the size at which to drop entries of groundings that are gone
};

// The first steps of an entry. Makes a circuit of the list of models if there are few (few_models.hpp).
bool list_into(CircuitEntry &entry, const Grounding &grounding, const SearchProblem &problem,
               const SearchRequest &request, const base::Budget &budget);
// Translates the rules into a theory, and records what its variables stand for. `variables` and `atoms` are those of the
// grounding, by variable and atom of the input; if empty, they are the same.
std::optional<circuit::Theory> translate_into(CircuitEntry &entry,
                                              const circuit::TranslationInput &input,
                                              std::span<const std::size_t> variables,
                                              std::span<const AtomId> atoms);

// The weights of a circuit's random inputs, in their order, scaled so that those of each variable sum to 1.
std::vector<ScaledReal> normalised_weights(const CircuitEntry &entry, const Weights &weights);
// The same weights without scaling, for smooth circuits.
std::vector<ScaledReal> plain_weights(const CircuitEntry &entry, const Weights &weights);

} // namespace neurasp::inference
