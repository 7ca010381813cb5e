// Unpacking of gzip files and of the deflated members of ZIP files, by zlib.
#pragma once

#include "data/byte_source.hpp"

namespace neurasp::data {

// One deflated byte unpacks to at most this many bytes.
inline constexpr std::uint64_t most_inflated_per_byte = 1032;

bool is_gzip(ByteSpan bytes);

// Unpacks all members of a gzip file, one after the other.
// Throws: InputError if it is damaged, if something else follows, or if it unpacks to more than `most_bytes`.
Bytes gunzip(ByteSpan packed, const std::string &name, std::uint64_t most_bytes);

// Unpacks a bare deflate stream of known length.
// Throws: InputError if it is damaged or has another length; messages call it `what`.
Bytes inflate_exactly(ByteSpan packed, std::size_t size, const std::string &name,
                      const std::string &what);

} // namespace neurasp::data
