// The log of a training run: a file with one JSON object a line, for scripts that follow or compare runs.
// The key "event" says what a line holds: start, batch, epoch, evaluation, warning or end. Numbers that are
// not finite are null. A line reaches the file at once and as a whole, so a reader never waits for it and a
// killed process leaves at most one line unfinished, which the next run removes.
#pragma once

#include "runs/history.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>

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

    // `time` is written as given (ISO 8601). A run that is resumed starts with the epochs of its history.
    void start(const RunSummary &run, std::string_view time);
    void batch(const LossPoint &point);
    void epoch(const EpochRecord &record); // without its evaluations: each has a line of its own
    // After `epoch` epochs, or after `batch` batches in all, within the epoch that is the next.
    void evaluation(std::size_t epoch, std::uint64_t batch, const Evaluation &evaluation);
    void warning(std::string_view code, std::string_view message);
    void end(const RunSummary &run, std::string_view time);

  private:
    void open(int flags);
    void cut(std::uint64_t size);
    void write_line(std::string line);
    [[noreturn]] void fail(int error) const;

    std::filesystem::path file_;
    int descriptor_ = -1;
    std::uint64_t position_ = 0;
};

} // namespace neurasp::runs
