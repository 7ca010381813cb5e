// Standard output and standard error as the subcommands see them.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

namespace neurasp::cli {

// The reader of standard output is gone (`neurasp models ... | head -1`): the command ends quietly, without an error.
class OutputClosed : public std::runtime_error {
  public:
    OutputClosed() : std::runtime_error("standard output was closed") {}
};

enum class Mark { none, strong, weak, alarm };

class Console {
  public:
    // `color` is auto, always or never.
    explicit Console(std::string_view color);

    // Writes to standard output (buffered). Throws: OutputClosed, EnvironmentError.
    void write(std::string_view text);
    // Flushes standard output; if `lazy`, only if the last flush was a while ago.
    void flush(bool lazy = false);
    // Writes a line to standard error, after what was written to standard output.
    void complain(std::string_view line);

    bool output_is_terminal() const { return output_is_terminal_; }
    bool colors_errors() const { return color_error_; }
    // The text with colour around it if standard output (or standard error) shows colours.
    std::string mark(Mark mark, std::string_view text) const;
    std::string mark_error(Mark mark, std::string_view text) const;

  private:
    [[noreturn]] void fail() const;

    bool output_is_terminal_ = false;
    bool color_output_ = false;
    bool color_error_ = false;
    std::chrono::steady_clock::time_point last_flush_{};
};

} // namespace neurasp::cli
