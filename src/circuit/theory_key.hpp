// A fingerprint of a theory for caches of circuits, and the form that a circuit of it has. Names play no part, so that questions about other
// ground terms find the circuit of an equal one.
#pragma once

#include "circuit/compiler.hpp"
#include "circuit/fingerprint.hpp"

namespace neurasp::circuit {

Fingerprint theory_key(const Theory &theory, Below below);

// What every circuit of the theory has.
Signature signature_of(const Theory &theory, Below below);

} // namespace neurasp::circuit
