// Unpacking with zlib, bounded by what the input can hold.
//
// A bare deflate stream (a ZIP member) has an announced size. It is allocated at once, but only if that many
// bytes can come from the packed ones at all: deflate expands by a factor of at most 1032. A gzip file has no
// trustworthy size, so its buffer grows by half at a time up to the caller's limit. A gzip file may consist of
// several members in a row (RFC 1952); zeros after the last are padding, which some tools leave.
#include "data/inflate.hpp"

#include "base/counted.hpp"
#include "data/data_error.hpp"

#include <algorithm>
#include <limits>
#include <new>

#include <zlib.h>

namespace neurasp::data {

namespace {

constexpr int gzip_window = 16 + MAX_WBITS;
constexpr int bare_window = -MAX_WBITS;

// Hides that zlib counts in 32 bits and wants pointers that are not const.
class Inflater {
  public:
    Inflater(ByteSpan input, int window) : input_(input) {
        if (inflateInit2(&stream_, window) != Z_OK) throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater &) = delete;
    Inflater &operator=(const Inflater &) = delete;

    // Unpacks until `out` is full or the stream ends or fails; returns the number of bytes written.
    std::size_t fill(std::span<std::uint8_t> out) {
        std::size_t written = 0;
        while (written < out.size() && status_ == Z_OK) written += step(out.subspan(written));
        return written;
    }
    void next_member() {
        inflateReset(&stream_);
        status_ = Z_OK;
    }
    bool at_end() const noexcept { return status_ == Z_STREAM_END; }
    bool ran_dry() const noexcept { return status_ == Z_BUF_ERROR; }
    bool failed() const noexcept { return !at_end() && !ran_dry() && status_ != Z_OK; }
    ByteSpan rest() const { return input_; }
    // Whether the stream ends here. zlib reports the end only when asked for a byte more than there is.
    bool finish() {
        std::uint8_t extra = 0;
        return fill({&extra, 1}) == 0;
    }

  private:
    std::size_t step(std::span<std::uint8_t> out) {
        constexpr std::size_t most = std::numeric_limits<uInt>::max();
        const auto in_size = static_cast<uInt>(std::min(input_.size(), most));
        const auto out_size = static_cast<uInt>(std::min(out.size(), most));
        stream_.next_in = const_cast<Bytef *>(input_.data()); // zlib only reads it
        stream_.avail_in = in_size;
        stream_.next_out = out.data();
        stream_.avail_out = out_size;
        status_ = inflate(&stream_, Z_NO_FLUSH);
        if (status_ == Z_MEM_ERROR) throw std::bad_alloc();
        input_ = input_.subspan(in_size - stream_.avail_in);
        return out_size - stream_.avail_out;
    }

    ByteSpan input_;
    z_stream stream_{};
    int status_ = Z_OK;
};

[[noreturn]] void fail(const Inflater &inflater, const std::string &name, const std::string &what) {
    if (inflater.ran_dry()) {
        throw data_error("data-truncated", name, what + " ends within its packed data",
                         "is the file complete?");
    }
    throw data_error("data-format", name, what + " is damaged: it cannot be unpacked",
                     "copy or download it again");
}

bool all_zero(ByteSpan bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

} // namespace

bool is_gzip(ByteSpan bytes) { return starts_with(bytes, "\x1f\x8b"); }

Bytes gunzip(ByteSpan packed, const std::string &name, std::uint64_t most_bytes) {
    constexpr std::size_t first_room = std::size_t{1} << 16;
    const std::string what = "the gzip file";
    Inflater inflater(packed, gzip_window);
    Bytes bytes;
    std::size_t size = 0;
    while (true) {
        if (size == bytes.size()) bytes.resize(std::max(first_room, size + size / 2));
        size += inflater.fill(std::span(bytes).subspan(size));
        if (size > most_bytes) {
            throw data_error("data-too-large", name,
                             "unpacked, the file has more than " + std::to_string(most_bytes) +
                                 " bytes");
        }
        if (inflater.ran_dry() || inflater.failed()) fail(inflater, name, what);
        if (!inflater.at_end()) continue;
        if (all_zero(inflater.rest())) break;
        if (!is_gzip(inflater.rest())) {
            throw data_error("data-trailing", name,
                             "the packed data is followed by bytes that are not gzip, at offset " +
                                 std::to_string(packed.size() - inflater.rest().size()));
        }
        inflater.next_member();
    }
    bytes.resize(size);
    bytes.shrink_to_fit();
    return bytes;
}

Bytes inflate_exactly(ByteSpan packed, std::size_t size, const std::string &name,
                      const std::string &what) {
    if (size / most_inflated_per_byte > packed.size()) {
        throw data_error("data-format", name,
                         what + " is damaged: " + base::counted(packed.size(), "packed byte") +
                             " cannot hold " + std::to_string(size));
    }
    Bytes bytes(size);
    Inflater inflater(packed, bare_window);
    const std::size_t written = inflater.fill(bytes);
    const bool ends = inflater.at_end() || (written == size && inflater.finish());
    if (inflater.ran_dry() || inflater.failed()) fail(inflater, name, what);
    if (written != size || !ends) {
        throw data_error("data-format", name,
                         what + " is damaged: its size is not the announced " +
                             base::counted(size, "byte"));
    }
    return bytes;
}

} // namespace neurasp::data
