// Reads the header of an IDX file; elements.hpp reads the rest.
#include "data/idx.hpp"

#include "data/data_error.hpp"
#include "data/elements.hpp"

#include <optional>

namespace neurasp::data {

namespace {

std::optional<StoredType> stored_type(std::uint8_t code) {
    switch (code) {
    case 0x08: return StoredType::u8;
    case 0x09: return StoredType::i8;
    case 0x0B: return StoredType::i16;
    case 0x0C: return StoredType::i32;
    case 0x0D: return StoredType::f32;
    case 0x0E: return StoredType::f64;
    default: return std::nullopt;
    }
}

} // namespace

bool is_idx(ByteSpan bytes) {
    return bytes.size() >= 4 && bytes[0] == 0 && bytes[1] == 0 && stored_type(bytes[2]) &&
           bytes[3] > 0;
}

Array parse_idx(ByteSpan bytes, const std::string &name) {
    ByteReader reader(bytes, name, "the IDX header");
    const std::uint8_t first = reader.byte();
    const std::uint8_t second = reader.byte();
    if (first != 0 || second != 0) {
        throw data_error("data-format", name,
                         "this is not an IDX file: it begins with the bytes " +
                             std::to_string(first) + " and " + std::to_string(second) +
                             ", expected 0 and 0");
    }
    const std::uint8_t code = reader.byte();
    const std::optional<StoredType> type = stored_type(code);
    if (!type) {
        throw data_error("data-type", name,
                         "the IDX element type " + std::to_string(code) + " does not exist",
                         "8 is unsigned byte, 9 byte, 11 short, 12 int, 13 float, 14 double");
    }
    Shape shape(reader.byte());
    if (shape.empty()) throw data_error("data-shape", name, "the IDX file has no dimensions");
    for (std::size_t &size : shape) size = reader.big_u32();
    return read_elements(shape, *type, ByteOrder::big, reader.rest(), name);
}

} // namespace neurasp::data
