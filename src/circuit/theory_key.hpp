// The key under which the circuit of a theory is cached, and the signature of that circuit. Names play no part, so
// that equal questions about different ground terms share a circuit.
#pragma once

#include "circuit/compiler.hpp"
#include "circuit/fingerprint.hpp"

namespace neurasp::circuit {

Fingerprint theory_key(const Theory &theory, Below below);

// The signature of every circuit of the theory.
Signature signature_of(const Theory &theory, Below below);

} // namespace neurasp::circuit
