// Reads whole text files.
#include "base/text_file.hpp"

#include "neurasp/diagnostic.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

namespace neurasp::base {

namespace {

struct CloseFile {
    void operator()(std::FILE *file) const { std::fclose(file); }
};

[[noreturn]] void refuse_file(const std::string &name, int cause) {
    throw EnvironmentError("cannot read '" + name + "': " + std::strerror(cause));
}

} // namespace

std::string read_text(std::FILE &file, const std::string &name) {
    std::string text;
    std::array<char, 65536> buffer{};
    while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), &file)) {
        text.append(buffer.data(), size);
        const bool binary = std::memchr(buffer.data(), '\0', size) != nullptr;
        if (binary || text.size() > std::numeric_limits<std::uint32_t>::max()) break;
    }
    if (std::ferror(&file) != 0) refuse_file(name, errno); // a folder can be opened, but not read
    return text;
}

std::string read_text_file(const std::string &path) {
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
    if (!file) refuse_file(path, errno);
    return read_text(*file, path);
}

std::optional<std::string> find_text_file(const std::string &path) {
    try {
        return read_text_file(path);
    } catch (const EnvironmentError &) {
        return std::nullopt;
    }
}

} // namespace neurasp::base
