// Reproducible networks: everything that Torch draws (initial weights, dropout) depends on one seed.
#pragma once

#include <cstdint>

namespace neurasp::neural {

// Seeds Torch's generator and makes Torch use only algorithms that compute the same bits every time. The same
// seed, program and number of threads on the same machine then lead to the same weights.
void seed_everything(std::uint64_t seed);

} // namespace neurasp::neural
