// Seeds Torch and restricts it to deterministic algorithms. Where it has none, it warns instead of failing.
#include "neural/random.hpp"

#include <torch/types.h>

namespace neurasp::neural {

void seed_everything(std::uint64_t seed) {
    torch::manual_seed(seed);
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
}

} // namespace neurasp::neural
