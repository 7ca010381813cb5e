// NumPy's NPZ files: ZIP archives of NPY files, stored or deflated.
#pragma once

#include "data/array.hpp"
#include "data/byte_source.hpp"

namespace neurasp::data {

bool is_npz(ByteSpan bytes);

// The names of the arrays as `numpy.load` shows them (without ".npy"), in the order of the archive.
// Throws: InputError if the bytes are not a ZIP archive.
std::vector<std::string> npz_members(ByteSpan bytes, const std::string &name);

// The array `member`, or, if that is empty, the only one.
// Throws: InputError if it is not there or cannot be read.
Array parse_npz(ByteSpan bytes, const std::string &name, const std::string &member = {},
                std::uint64_t most_bytes = default_most_bytes);

} // namespace neurasp::data
