// Random programs for the compiler: small Bayesian networks with rules around them.
#pragma once

#include "base/random_stream.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace neurasp::circuit::test {

struct RandomText {
    std::string program;
    std::vector<std::vector<std::string>> variables; // names of outcomes
    std::vector<std::string> atoms; // that may be observed, if the grounder keeps them
};

// Tables of two to five values whose parents are random variables or other tables; rows without an outcome, or with one
// that others share; noisy ors, negation, aggregates and constraints. Some have positive cycles or free choices as well. At most
// about 3000 total choices.
RandomText random_tables(std::uint64_t seed);

} // namespace neurasp::circuit::test
