// Random programs with positive cycles that are linked to each other.
#pragma once

#include "random_tables.hpp"

namespace neurasp::circuit::test {

RandomText random_cycles(std::uint64_t seed);

} // namespace neurasp::circuit::test
