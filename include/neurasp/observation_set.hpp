// A set of observations that are independent of each other, such as the examples of a data set, and the
// probability of all of them (specification 2.3).
#pragma once

#include "neurasp/answers.hpp"
#include "neurasp/network_outputs.hpp"
#include "neurasp/question.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp {

// One observation of a set.
struct ObservedExample {
    Observation observation;
    std::string name;       // for people; may be empty
    NetworkOutputs outputs; // its own; others that its question needs are common to the set
};

// Reads a set: one observation a line, where empty lines and those that begin with % are left out; or, if the
// text begins with [, JSON: a list of texts or of objects {"observation": "...", "name": "...",
// "values": ["..."], "outputs": {...}}, of which only the first member is needed. `file` is what diagnostics
// show. Throws: InputError with the place of the mistake; also if there is no observation.
std::vector<ObservedExample> read_observation_set(std::string_view text,
                                                  const std::string &file = "<observations>");

// P({O1..Ok}), the product of the terms P(O1) .. P(Ok), also where it underflows: `log` is the sum of their
// logarithms. Where a term is not exact, neither is the product, unless another one is 0. 1 for no term.
Probability product(std::span<const Probability> terms);

} // namespace neurasp
