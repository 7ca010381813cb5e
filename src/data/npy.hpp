// NumPy's NPY files, versions 1 to 3: a magic, a header that is a Python dictionary in text, the elements.
#pragma once

#include "data/array.hpp"
#include "data/byte_source.hpp"

namespace neurasp::data {

bool is_npy(ByteSpan bytes);

// The array, in C order whatever its order in the file; a bare number becomes one row.
// Throws: InputError if the bytes are not exactly one NPY file, or if the elements are not numbers.
Array parse_npy(ByteSpan bytes, const std::string &name);

} // namespace neurasp::data
