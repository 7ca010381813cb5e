// Elements of binary files: the check of the announced size, then the conversion, element by element.
#include "data/elements.hpp"

#include "base/counted.hpp"
#include "data/data_error.hpp"

#include <bit>
#include <limits>
#include <optional>
#include <type_traits>

namespace neurasp::data {

namespace {

template <std::size_t Size>
using Unsigned = std::conditional_t<
    Size == 1, std::uint8_t,
    std::conditional_t<Size == 2, std::uint16_t,
                       std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

template <class Stored> Stored load(const std::uint8_t *bytes, ByteOrder order) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(Stored); ++i) {
        bits = bits << 8 | bytes[order == ByteOrder::big ? i : sizeof(Stored) - 1 - i];
    }
    return std::bit_cast<Stored>(static_cast<Unsigned<sizeof(Stored)>>(bits));
}

template <class Stored, class Element> Elements load_all(ByteSpan body, ByteOrder order) {
    std::vector<Element> values(body.size() / sizeof(Stored));
    for (std::size_t i = 0; i < values.size(); ++i) {
        // The plus promotes int8_t, a character type, to int.
        values[i] = +load<Stored>(body.data() + i * sizeof(Stored), order);
    }
    return values;
}

Elements load_elements(StoredType type, ByteOrder order, ByteSpan body) {
    switch (type) {
    case StoredType::u8: break;
    case StoredType::i8: return load_all<std::int8_t, std::int32_t>(body, order);
    case StoredType::u16: return load_all<std::uint16_t, std::int32_t>(body, order);
    case StoredType::i16: return load_all<std::int16_t, std::int32_t>(body, order);
    case StoredType::u32: return load_all<std::uint32_t, std::int64_t>(body, order);
    case StoredType::i32: return load_all<std::int32_t, std::int32_t>(body, order);
    case StoredType::i64: return load_all<std::int64_t, std::int64_t>(body, order);
    case StoredType::f32: return load_all<float, float>(body, order);
    case StoredType::f64: return load_all<double, double>(body, order);
    }
    return std::vector<std::uint8_t>(body.begin(), body.end());
}

// The number of bytes that the shape demands, or the largest number if that overflows.
std::size_t demanded_bytes(const Shape &shape, std::size_t element_size) {
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
    const std::size_t count = checked_product(shape).value_or(most);
    return count > most / element_size ? most : count * element_size;
}

// Rows need elements. If there are no rows, the file's size does not bound the shape, so a limit does.
void check_shape(const Shape &shape, const std::string &name) {
    constexpr std::size_t most_elements = std::size_t{1} << 26;
    const std::optional<std::size_t> row = checked_product(std::span(shape).subspan(1));
    if (row == 0u) {
        throw data_error("data-shape", name,
                         "the shape " + shape_text(shape) + " has rows without elements");
    }
    if (shape.front() == 0 && (!row || *row > most_elements)) {
        throw data_error("data-shape", name,
                         "the shape " + shape_text(shape) + " has huge rows, but no row");
    }
}

void check_size(const Shape &shape, std::size_t element_size, ByteSpan body,
                const std::string &name) {
    const std::size_t demanded = demanded_bytes(shape, element_size);
    if (demanded == body.size()) return;
    const std::string announced = "the header announces " + shape_text(shape) + " elements of " +
                                  base::counted(element_size, "byte") + ", but " +
                                  base::counted(body.size(), "byte") +
                                  (body.size() == 1 ? " follows it" : " follow it");
    if (demanded > body.size()) {
        throw data_error("data-truncated", name, announced, "is the file complete?");
    }
    throw data_error("data-trailing", name,
                     announced + ", " + std::to_string(body.size() - demanded) + " too many");
}

} // namespace

std::size_t size_of(StoredType type) {
    switch (type) {
    case StoredType::u8:
    case StoredType::i8: return 1;
    case StoredType::u16:
    case StoredType::i16: return 2;
    case StoredType::u32:
    case StoredType::i32:
    case StoredType::f32: return 4;
    case StoredType::i64:
    case StoredType::f64: break;
    }
    return 8;
}

Array read_elements(const Shape &shape, StoredType type, ByteOrder order, ByteSpan body,
                    const std::string &name) {
    check_shape(shape, name);
    check_size(shape, size_of(type), body, name);
    return {shape, load_elements(type, order, body), name};
}

} // namespace neurasp::data
