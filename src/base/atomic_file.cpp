// Replaces files atomically: write beside the target, sync, rename, sync the folder.
#include "base/atomic_file.hpp"

#include "neurasp/diagnostic.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

namespace neurasp::base {

namespace fs = std::filesystem;

namespace {

// A temporary file is called "<name of the file>.neurasp-<process id>.tmp".
constexpr std::string_view before_number = ".neurasp-";
constexpr std::string_view after_number = ".tmp";

bool is_temporary(std::string_view name) {
    const auto at = name.rfind(before_number);
    if (at == std::string_view::npos || !name.ends_with(after_number)) return false;
    name.remove_prefix(at + before_number.size());
    name.remove_suffix(std::min(name.size(), after_number.size()));
    return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

// An open file descriptor; closed when this is destroyed.
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

bool write_to_device(const fs::path &device, std::string_view bytes) {
    const Descriptor out(device.c_str(), O_WRONLY);
    return out.is_open() && out.write(bytes);
}

bool replace(const fs::path &file, std::string_view bytes) {
    fs::path temporary = file;
    temporary += std::string(before_number) + std::to_string(::getpid());
    temporary += after_number;
    if (!write_and_sync(temporary, bytes) || ::rename(temporary.c_str(), file.c_str()) != 0) {
        const int reason = errno;
        ::unlink(temporary.c_str());
        errno = reason;
        return false;
    }
    // The rename is a change of the folder, so the folder is synced too. Some file systems cannot do that;
    // then this is as safe as it gets.
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const Descriptor directory(folder.c_str(), O_RDONLY | O_DIRECTORY);
    if (directory.is_open()) static_cast<void>(directory.sync());
    return true;
}

} // namespace

void write_file(const fs::path &file, std::string_view bytes) {
    std::error_code unknown;
    const bool is_device = fs::is_other(file, unknown);
    const fs::path target = fs::is_symlink(file, unknown) ? fs::canonical(file, unknown) : file;
    const bool written =
        is_device ? write_to_device(file, bytes) : replace(target.empty() ? file : target, bytes);
    if (written) return;
    const std::string why = std::strerror(errno);
    throw EnvironmentError("cannot write '" + file.string() + "': " + why);
}

void remove_temporary_files(const fs::path &folder) {
    std::error_code error;
    std::vector<fs::path> left;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (is_temporary(entry->path().filename().string())) left.push_back(entry->path());
    }
    for (const fs::path &file : left) fs::remove(file, error);
}

} // namespace neurasp::base
