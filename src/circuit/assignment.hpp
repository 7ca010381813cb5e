// An outcome for each variable of a circuit.
#pragma once

#include "base/scaled_real.hpp"

#include <cstdint>
#include <vector>

namespace neurasp::circuit {

struct Assignment {
    base::ScaledReal value; // the weights of its outcomes and the constants on its way, multiplied
    std::vector<std::uint32_t> outcomes; // by variable
};

} // namespace neurasp::circuit
