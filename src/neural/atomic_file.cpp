#include "neural/atomic_file.hpp"

#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace neurasp::neural {

namespace fs = std::filesystem;

namespace {

// A file that is being written.
class Descriptor {
  public:
    explicit Descriptor(const char *path, int flags)
        : number_(::open(path, flags | O_CLOEXEC, 0666)) {}
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }

    bool is_open() const { return number_ >= 0; }
    bool sync() const { return ::fsync(number_) == 0; }
    bool write(std::string_view bytes) const {
        while (!bytes.empty()) {
            const auto written = ::write(number_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
        return true;
    }

  private:
    int number_;
};

bool write_and_sync(const fs::path &file, std::string_view bytes) {
    const Descriptor out(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    return out.is_open() && out.write(bytes) && out.sync();
}

} // namespace

void write_file(const fs::path &file, std::string_view bytes) {
    fs::path temporary = file;
    temporary += fmt::format(".{}.tmp", ::getpid());
    const auto fail = [&] {
        const std::string why = std::strerror(errno);
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw EnvironmentError(fmt::format("cannot write '{}': {}", file.string(), why));
    };
    if (!write_and_sync(temporary, bytes)) fail();
    if (::rename(temporary.c_str(), file.c_str()) != 0) fail();
    // The new name is in the folder; some file systems cannot sync folders, and then the name is as safe
    // as it gets.
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const Descriptor directory(folder.c_str(), O_RDONLY | O_DIRECTORY);
    if (directory.is_open()) static_cast<void>(directory.sync());
}

} // namespace neurasp::neural
