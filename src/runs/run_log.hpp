// The log of a training run: a file of lines, each an event as protocol/run_events.hpp writes it. A line
// reaches the file at once and as a whole, so a reader never waits for it and a killed process leaves at most
// one line unfinished, which the next run removes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace neurasp::runs {

class RunLog {
  public:
    // A new log; an old one of that name is gone.
    // Throws: EnvironmentError if the file cannot be written, as all functions here do.
    explicit RunLog(std::filesystem::path file);

    // Continues a log: what stands after its first `resume_at` bytes (the `position` that a checkpoint
    // remembers) is cut off, and so is a line that is not finished. A file that is missing or shorter is
    // continued as it is.
    RunLog(std::filesystem::path file, std::uint64_t resume_at);

    RunLog(RunLog &&other) noexcept;
    RunLog &operator=(RunLog &&other) noexcept;
    RunLog(const RunLog &) = delete;
    RunLog &operator=(const RunLog &) = delete;
    ~RunLog();

    // How many bytes the log has; always the end of a line.
    std::uint64_t position() const noexcept { return position_; }

    // Writes a line. Requires: `line` has no newline.
    void append(std::string line);

  private:
    void open(int flags);
    void cut(std::uint64_t size);
    [[noreturn]] void fail(int error) const;

    std::filesystem::path file_;
    int descriptor_ = -1;
    std::uint64_t position_ = 0;
};

} // namespace neurasp::runs
