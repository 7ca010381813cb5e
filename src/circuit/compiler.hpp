// From a theory to a circuit: an exhaustive search that decides random variables, or whatever they define, in a fixed
// order, splits the rest into components and caches the node of each component.
//
// If outcomes do not determine the model, the search has two levels: when a component has no random variable left,
// its models are counted with and without the evidence, by deciding open variables. The branch gets the ratio as a
// constant or, if models are wanted, 1 / Num and a circuit over the open variables.
#pragma once

#include "base/budget.hpp"
#include "circuit/circuit.hpp"
#include "circuit/theory.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neurasp::circuit {

struct CompilerLimits {
    std::uint64_t nodes = 10'000'000;
    std::uint64_t bytes = 2'000'000'000;
    // Of all attempts until one succeeds. Steps are counted, so the same theory always takes the same number of them.
    std::uint64_t steps = ~std::uint64_t{0};
};

enum class
    Below { // the part of the circuit below the random variables, if the program is undetermined
        ratios, // the share of models that satisfy the evidence
        models, // 1 / Num, and the models themselves
    };

struct CompilerStatistics {
    std::uint64_t decisions = 0;
    // Variables that were looked at after decisions, and clauses that were ordered: about proportional to the time.
    std::uint64_t steps = 0;
    std::uint64_t conflicts = 0;
    std::uint64_t cache_lookups = 0;
    std::uint64_t cache_hits = 0;
    double seconds_order = 0.0;
    double seconds_search = 0.0;
};

struct CompilerResult {
    std::optional<Circuit> circuit; // nothing if a limit ended the work
    std::string limit;              // the limit that was reached
    CompilerStatistics statistics;
};

// Parts of the method that can be fixed or left out. Every combination gives a right circuit; only size and time differ. For
// tests, which try all of them, and for measurements.
struct CompilerSwitches {
    enum class Orders : std::uint8_t {
        automatic,   // as compiler.cpp explains
        lines,       // over random variables
        elimination, // over all variables; lines where the theory is not fit for it
        node_lines,  // likewise
        cycles,      // over the atoms of positive cycles; lines where there are none
        near_target, // likewise, but first what is next to the demand
        near_source, // likewise, but first what is next to what is derived
    };
    Orders orders = Orders::automatic;
    bool find_tables = true;
    bool follow_trail = true; // keep components along the trail; only lines can do without
    std::uint64_t most_cached = ~std::uint64_t{0}; // components; otherwise as many as memory allows
    std::size_t most_learned = 20'000;             // clauses; then half of them are dropped
    bool judge_supports = true; // leave out supports of positive cycles that make no difference
};

struct NamedSwitches {
    const char *name;
    CompilerSwitches switches;
};
std::span<const NamedSwitches> all_compiler_switches();

// The random variables of the circuit are the theory's choices; its free atoms are the theory's open_atoms.
CompilerResult compile(const Theory &theory, Below below, const CompilerLimits &limits,
                       base::Budget &budget, const CompilerSwitches &switches = {});

// Sequences in which the choices of a theory may be decided, best first, for other ways to make a circuit. Each has
// all choices.
std::vector<std::vector<std::uint32_t>> decision_sequences(const Theory &theory,
                                                           base::Budget &budget);

} // namespace neurasp::circuit
