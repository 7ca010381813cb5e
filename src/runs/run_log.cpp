// Appends whole lines to the log, and cuts a log back to whole lines when a run is resumed.
#include "runs/run_log.hpp"

#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

namespace neurasp::runs {

namespace {

// The end of the last complete line among the first `size` bytes; nullopt after an error.
std::optional<std::uint64_t> end_of_lines(int descriptor, std::uint64_t size) {
    std::array<char, 4096> block{};
    while (size > 0) {
        const std::size_t length = std::min<std::uint64_t>(block.size(), size);
        std::size_t filled = 0;
        while (filled < length) {
            const auto count = ::pread(descriptor, block.data() + filled, length - filled,
                                       static_cast<off_t>(size - length + filled));
            if (count < 0 && errno == EINTR) continue;
            if (count == 0) errno = EIO; // another process has shortened the file
            if (count <= 0) return std::nullopt;
            filled += static_cast<std::size_t>(count);
        }
        const auto newline = std::string_view(block.data(), length).rfind('\n');
        if (newline != std::string_view::npos) return size - length + newline + 1;
        size -= length;
    }
    return 0;
}

} // namespace

RunLog::RunLog(std::filesystem::path file) : file_(std::move(file)) { open(O_TRUNC); }

RunLog::RunLog(std::filesystem::path file, std::uint64_t resume_at) : file_(std::move(file)) {
    open(0);
    try {
        cut(resume_at);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

RunLog::RunLog(RunLog &&other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)),
      position_(other.position_) {}

RunLog &RunLog::operator=(RunLog &&other) noexcept {
    std::swap(file_, other.file_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(position_, other.position_);
    return *this;
}

RunLog::~RunLog() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void RunLog::open(int flags) {
    descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0666);
    if (descriptor_ < 0) fail(errno);
}

void RunLog::cut(std::uint64_t size) {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) fail(errno);
    const auto present = static_cast<std::uint64_t>(status.st_size);
    const auto kept = end_of_lines(descriptor_, std::min(size, present));
    if (!kept) fail(errno);
    position_ = *kept;
    if (position_ < present && ::ftruncate(descriptor_, static_cast<off_t>(position_)) != 0) {
        fail(errno);
    }
}

void RunLog::append(std::string line) {
    line += '\n';
    std::string_view rest = line;
    while (!rest.empty()) {
        const auto count = ::write(descriptor_, rest.data(), rest.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            const int error = count < 0 ? errno : ENOSPC;
            // Remove the incomplete line. If that fails, resuming the run will do it.
            if (::ftruncate(descriptor_, static_cast<off_t>(position_)) != 0) errno = 0;
            fail(error);
        }
        rest.remove_prefix(static_cast<std::size_t>(count));
    }
    position_ += line.size();
}

void RunLog::fail(int error) const {
    throw EnvironmentError(
        fmt::format("cannot write '{}': {}", file_.string(), std::strerror(error)));
}

} // namespace neurasp::runs
