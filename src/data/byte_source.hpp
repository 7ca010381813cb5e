// Bytes of data files: reading them, plain or packed with gzip, and taking numbers from them without running
// past their end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::data {

using Bytes = std::vector<std::uint8_t>;
using ByteSpan = std::span<const std::uint8_t>;

// The largest size of a file, unpacked. Without a limit, a small packed file could fill the memory.
inline constexpr std::uint64_t default_most_bytes = std::uint64_t{4} << 30;

// The content of a file, unpacked if it is packed with gzip (whatever the file's name).
// Throws: EnvironmentError if it cannot be read, InputError if the packed data is damaged or if there are more
// than `most_bytes`.
Bytes read_bytes(const std::string &path, std::uint64_t most_bytes = default_most_bytes);

// The name without ".gz"; then its ending after the last dot in lower case ("" if there is none).
std::string_view without_gz(std::string_view path);
std::string extension_of(std::string_view path);

std::string_view as_text(ByteSpan bytes);
bool starts_with(ByteSpan bytes, std::string_view magic);

// Reads one value after another. `name` and `part` ("the header") appear in the error if the bytes run out.
// Throws: InputError (data-truncated) from every function that finds too few bytes.
class ByteReader {
  public:
    ByteReader(ByteSpan bytes, const std::string &name, std::string part)
        : bytes_(bytes), name_(name), part_(std::move(part)) {}

    std::uint8_t byte() { return take(1)[0]; }
    std::uint16_t little_u16() { return static_cast<std::uint16_t>(little(2)); }
    std::uint32_t little_u32() { return static_cast<std::uint32_t>(little(4)); }
    std::uint64_t little_u64() { return little(8); }
    std::uint32_t big_u32();
    ByteSpan take(std::size_t count);
    ByteSpan rest() const { return bytes_.subspan(at_); }
    std::size_t position() const noexcept { return at_; }

  private:
    std::uint64_t little(std::size_t count);

    ByteSpan bytes_;
    const std::string &name_;
    std::string part_;
    std::size_t at_ = 0;
};

} // namespace neurasp::data
