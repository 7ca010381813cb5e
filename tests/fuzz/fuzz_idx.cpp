// Any input, plain or compressed with gzip, is either a valid IDX array or an InputError.
#include "data/idx.hpp"
#include "data/inflate.hpp"
#include "fuzz_array.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace neurasp::data;
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;
    const ByteSpan bytes(data, size);
    try_to_read([&] {
        return is_gzip(bytes) ? parse_idx(gunzip(bytes, "fuzz", most_bytes), "fuzz")
                              : parse_idx(bytes, "fuzz");
    });
    return 0;
}
