// Free choices as fair coins, so that outcomes and coins determine the model. coins.cpp says when that is right.
#pragma once

#include "asp/ground_program.hpp"

#include <optional>
#include <vector>

namespace neurasp::circuit {

struct CoinProgram {
    asp::GroundProgram rules; // without choices; atoms keep their ids, new atoms follow
    std::vector<asp::AtomId>
        coins; // atoms that no rule defines: true with probability 1/2, independently
};

// The rules with coins instead of choices; nothing if there are no choices, or if coins do not give the same probabilities.
// Requires: `rules` come from normalise().
std::optional<CoinProgram> with_coins(const asp::GroundProgram &rules);

} // namespace neurasp::circuit
