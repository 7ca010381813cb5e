// Any input is either an NPY array or an NPZ archive of valid arrays, or an InputError.
#include "data/npy.hpp"
#include "data/npz.hpp"
#include "fuzz_array.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using namespace neurasp::data;

void read_archive(ByteSpan bytes) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20;
    constexpr std::size_t most_members = 10;
    try_to_read([&] { return parse_npz(bytes, "fuzz", "", most_bytes); });
    try {
        std::size_t count = 0;
        for (const std::string &member : npz_members(bytes, "fuzz")) {
            if (++count > most_members) return;
            try_to_read([&] { return parse_npz(bytes, "fuzz", member, most_bytes); });
        }
    } catch (const neurasp::InputError &error) {
        check(error);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const ByteSpan bytes(data, size);
    try_to_read([&] { return parse_npy(bytes, "fuzz"); });
    if (!is_npy(bytes)) read_archive(bytes);
    return 0;
}
