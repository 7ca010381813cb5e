// The output folder of a run: one run at a time writes there, and what killed ones left half written is gone.
#pragma once

#include <filesystem>

namespace neurasp::runs {

class RunFolder {
  public:
    // Makes the folder and takes it, until the end of this object or of the process, however it ends.
    // Throws: EnvironmentError if the folder cannot be made, or if another run has it.
    explicit RunFolder(const std::filesystem::path &folder);
    RunFolder(const RunFolder &) = delete;
    RunFolder &operator=(const RunFolder &) = delete;
    ~RunFolder();

  private:
    int descriptor_ = -1; // the folder, locked; -1 where the file system has no locks
};

} // namespace neurasp::runs
