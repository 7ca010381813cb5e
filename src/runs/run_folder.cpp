// Creates and locks the output folder of a run. The lock (flock) belongs to the process, so it ends with it.
#include "runs/run_folder.hpp"

#include "base/atomic_file.hpp"
#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

namespace neurasp::runs {

RunFolder::RunFolder(const std::filesystem::path &folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        throw EnvironmentError(fmt::format("cannot create the output folder '{}': {}",
                                           folder.string(), error.message()));
    }
    descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0) return;
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
        base::remove_temporary_files(folder);
        return;
    }
    const bool taken = errno == EWOULDBLOCK;
    ::close(descriptor_);
    descriptor_ = -1;
    if (taken) {
        throw EnvironmentError(fmt::format("another run is writing to the output folder '{}'; "
                                           "wait until it ends, or set another output",
                                           folder.string()));
    }
}

RunFolder::~RunFolder() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

} // namespace neurasp::runs
