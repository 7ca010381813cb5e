// Reading files as bytes, and numbers from bytes.
#include "data/byte_source.hpp"

#include "base/counted.hpp"
#include "data/data_error.hpp"
#include "data/inflate.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace neurasp::data {

namespace {

struct CloseFile {
    void operator()(std::FILE *file) const { std::fclose(file); }
};

[[noreturn]] void fail_to_read(const std::string &path, int error) {
    throw EnvironmentError("cannot read '" + path + "': " + std::strerror(error));
}

// Grows chunk by chunk, so that pipes and devices, whose size is unknown, can be read too.
Bytes read_plain(const std::string &path, std::uint64_t most_bytes) {
    constexpr std::size_t chunk = std::size_t{1} << 20;
    if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
        fail_to_read(path, EISDIR);
    }
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
    if (!file) fail_to_read(path, errno);
    Bytes bytes;
    std::error_code no_size;
    const std::uintmax_t size = std::filesystem::file_size(path, no_size);
    if (!no_size) bytes.reserve(std::min<std::uintmax_t>(size, most_bytes) + 1);
    for (std::size_t size_before = 0;;) {
        bytes.resize(std::max(std::min(size_before + chunk, bytes.capacity()), size_before + 1));
        const std::size_t room = bytes.size() - size_before;
        const std::size_t count = std::fread(bytes.data() + size_before, 1, room, file.get());
        size_before += count;
        if (size_before > most_bytes) {
            throw data_error("data-too-large", path,
                             "the file has more than " + std::to_string(most_bytes) + " bytes");
        }
        if (count == room) continue;
        if (std::ferror(file.get()) != 0) fail_to_read(path, errno);
        bytes.resize(size_before);
        return bytes;
    }
}

} // namespace

Bytes read_bytes(const std::string &path, std::uint64_t most_bytes) {
    Bytes bytes = read_plain(path, most_bytes);
    return is_gzip(bytes) ? gunzip(bytes, path, most_bytes) : bytes;
}

std::string_view without_gz(std::string_view path) {
    if (path.ends_with(".gz")) path.remove_suffix(3);
    return path;
}

std::string extension_of(std::string_view path) {
    std::string extension = std::filesystem::path(without_gz(path)).extension().string();
    if (!extension.empty()) extension.erase(0, 1);
    for (char &c : extension) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return extension;
}

std::string_view as_text(ByteSpan bytes) {
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

bool starts_with(ByteSpan bytes, std::string_view magic) {
    return as_text(bytes).starts_with(magic);
}

ByteSpan ByteReader::take(std::size_t count) {
    if (count > bytes_.size() - at_) {
        throw data_error("data-truncated", name_,
                         "the file ends within " + part_ + ": expected " +
                             base::counted(count, "byte") + " at offset " + std::to_string(at_) +
                             ", found " + std::to_string(bytes_.size() - at_),
                         "is the file complete?");
    }
    const ByteSpan taken = bytes_.subspan(at_, count);
    at_ += count;
    return taken;
}

std::uint32_t ByteReader::big_u32() {
    std::uint32_t value = 0;
    for (const std::uint8_t byte : take(4)) value = value << 8 | byte;
    return value;
}

std::uint64_t ByteReader::little(std::size_t count) {
    const ByteSpan bytes = take(count);
    std::uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8 | bytes[i];
    return value;
}

} // namespace neurasp::data
