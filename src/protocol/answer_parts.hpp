// The members that several answers share.
#pragma once

#include "neurasp/answers.hpp"
#include "protocol/json.hpp"

#include <vector>

namespace neurasp::protocol {

Json numbers(const std::vector<double> &values);
// {"lower", "upper"}.
Json bounds(const Probability &probability);
// The value as member `key`, and the bounds as member `bounds_key` if it is not exact.
void add_probability(Json &object, const char *key, const char *bounds_key,
                     const Probability &probability);
// "mass": null if it is not known; with "mass_bounds" if it is only known to lie in an interval.
void add_mass(Json &object, const Probability *mass);
// "exact", "engine", and "note" if there is one.
void add_how(Json &object, const HowAnswered &how);

} // namespace neurasp::protocol
