// Derivations, as a part of explanations.
#pragma once

#include "neurasp/derivation.hpp"
#include "protocol/json.hpp"

namespace neurasp::protocol {

Json to_json(const Derivation &derivation);

} // namespace neurasp::protocol
