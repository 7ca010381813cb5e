// The output folder of a run. One run at a time writes to it; files that killed runs left half written are
// removed.
#pragma once

#include <filesystem>

namespace neurasp::runs {

class RunFolder {
  public:
    // Creates the folder and locks it until this object or the process ends, however it ends.
    // Throws: EnvironmentError if the folder cannot be created, or if another run has locked it.
    explicit RunFolder(const std::filesystem::path &folder);
    RunFolder(const RunFolder &) = delete;
    RunFolder &operator=(const RunFolder &) = delete;
    ~RunFolder();

  private:
    int descriptor_ = -1; // the locked folder; -1 if the file system has no locks
};

} // namespace neurasp::runs
