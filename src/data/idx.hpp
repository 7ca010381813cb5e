// The IDX format of MNIST: two zero bytes, a type, the number of dimensions, the dimensions, the elements.
// All numbers are big-endian.
#pragma once

#include "data/array.hpp"
#include "data/byte_source.hpp"

namespace neurasp::data {

bool is_idx(ByteSpan bytes);

// Throws: InputError if the bytes are not exactly one IDX file.
Array parse_idx(ByteSpan bytes, const std::string &name);

} // namespace neurasp::data
