// Reproducible networks: everything that Torch draws (initial weights, dropout) follows from one seed.
#pragma once

#include <cstdint>

namespace neurasp::neural {

// Seeds Torch's generator and makes it use only algorithms that give the same bits every time. The same
// seed, program and number of threads on the same machine then give the same weights.
void seed_everything(std::uint64_t seed);

} // namespace neurasp::neural
