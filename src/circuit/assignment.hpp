// One outcome for each variable of a circuit.
#pragma once

#include "base/scaled_real.hpp"

#include <cstdint>
#include <vector>

namespace neurasp::circuit {

struct Assignment {
    base::ScaledReal value; // the product of the weights of its outcomes and the constants involved
    std::vector<std::uint32_t> outcomes; // by variable
};

} // namespace neurasp::circuit
