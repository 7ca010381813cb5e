// Mistakes in the descriptions of networks that can be found before a network is made.
#pragma once

#include "data/experiment.hpp"

namespace neurasp::data {

// Looks at presets, kinds of layers and their numbers; whether layers fit their inputs shows when they are made.
// Throws: InputError with all mistakes.
void check_networks(const Experiment &experiment);

} // namespace neurasp::data
