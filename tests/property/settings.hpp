// How many random programs are tried and from which seed: NEURASP_PROPERTY_PROGRAMS (default 200) and
// NEURASP_PROPERTY_SEED (default 1). Half of the programs have the seeds from there on, the others the same plus
// `first_cycle_seed` and `first_table_seed` in turn; from a larger seed on all are about cycles, or tables.
#pragma once

#include "random_program.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace neurasp::property {

inline std::uint64_t environment_number(const char *name, std::uint64_t fallback) {
    const char *text = std::getenv(name);
    return text == nullptr ? fallback : std::stoull(text);
}

// Programs that failed once; they always run first. Add the seed together with the fix. (If the
// generator changes, a seed stands for another program; write a conformance test to keep one.)
inline const std::vector<std::uint64_t> &kept_seeds() {
    static const std::vector<std::uint64_t> seeds = {
        28,     // a clause that the cost bound added outside of the search crashed clasp
        43,     // ... or stayed for later searches, which then lost models
        59,     // a wrong witness of incoherence: the marker atom was an outcome
        271,    // ... and a coherent program called incoherent
        42,     // gringo's translation of a recursive aggregate taken for a rule of the user
        86,     // ... and of one that holds a conjunction
        40335,  // a search that polled the budget of the previous one while rules were loaded
        40767,  // a query that nothing satisfies, read as true
        500251, // a priority that has no elements in only one of the two groundings
        507050, // clasp takes a positive cycle for founded after merging equivalent atoms
    };
    return seeds;
}

// The kept seeds, then one in `share` of the configured number.
inline std::vector<std::uint64_t> seeds_to_try(std::uint64_t share = 1) {
    std::vector<std::uint64_t> seeds = kept_seeds();
    const std::uint64_t first = environment_number("NEURASP_PROPERTY_SEED", 1);
    const std::uint64_t count = environment_number("NEURASP_PROPERTY_PROGRAMS", 200);
    for (std::uint64_t i = 0; i < (count + share - 1) / share; ++i) {
        std::uint64_t seed = first + i;
        if (first < first_cycle_seed) {
            seed = first + i / 2;
            if (i % 4 == 1) seed += first_cycle_seed;
            if (i % 4 == 3) seed += first_table_seed;
        }
        if (std::find(seeds.begin(), seeds.end(), seed) == seeds.end()) seeds.push_back(seed);
    }
    return seeds;
}

} // namespace neurasp::property
