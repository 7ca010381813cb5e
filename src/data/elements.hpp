// Numbers as binary files store them, converted to the element types of arrays, after a check that the file
// holds exactly what its header announces. Nothing is allocated before that check.
#pragma once

#include "data/array.hpp"
#include "data/byte_source.hpp"

namespace neurasp::data {

enum class StoredType { u8, i8, u16, i16, u32, i32, i64, f32, f64 };
enum class ByteOrder { little, big };

std::size_t size_of(StoredType type);

// The array in `body`, in C order. Small integers become int32, uint32 becomes int64; other types stay.
// Throws: InputError if a dimension other than the first is 0, or if `body` is shorter or longer than the shape
// demands.
Array read_elements(const Shape &shape, StoredType type, ByteOrder order, ByteSpan body,
                    const std::string &name);

} // namespace neurasp::data
