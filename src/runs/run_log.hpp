// The log of a training run: a file of lines, each an event as protocol/run_events.hpp writes it. A line is
// written at once and in one piece, so readers see it immediately, and a killed process leaves at most one line
// unfinished, which the next run removes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace neurasp::runs {

class RunLog {
  public:
    // Starts a new log; an old one of that name is overwritten.
    // Throws: EnvironmentError if the file cannot be written, as all functions here do.
    explicit RunLog(std::filesystem::path file);

    // Continues a log. Everything after its first `resume_at` bytes (the `position` stored in a checkpoint)
    // is cut off, and so is an unfinished line. A file that is missing or shorter is continued as it is.
    RunLog(std::filesystem::path file, std::uint64_t resume_at);

    RunLog(RunLog &&other) noexcept;
    RunLog &operator=(RunLog &&other) noexcept;
    RunLog(const RunLog &) = delete;
    RunLog &operator=(const RunLog &) = delete;
    ~RunLog();

    // The size of the log in bytes; always the end of a line.
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
