// Reports of errors and warnings: on standard error, for people or as one line of JSON.
#pragma once

#include "cli/console.hpp"
#include "cli/exit_codes.hpp"
#include "neurasp/diagnostic.hpp"

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace neurasp::cli {

// A mistake in the command line.
class UsageError : public std::runtime_error {
  public:
    explicit UsageError(const std::string &message, std::string hint = {})
        : std::runtime_error(message), hint_(std::move(hint)) {}
    const std::string &hint() const noexcept { return hint_; }

  private:
    std::string hint_;
};

// {"error": {"kind", "exit_code", "diagnostics"}}, or the diagnostics as people read them.
void report_diagnostics(Console &console, bool json, ExitCode code,
                        std::span<const Diagnostic> diagnostics);
// The same with one diagnostic that has no place; `option` is an identifier.
void report_message(Console &console, bool json, ExitCode code, std::string_view message,
                    std::string_view hint = {}, std::string_view option = {});

// The text that report_message writes, with a newline.
std::string message_text(bool json, ExitCode code, std::string_view message,
                         std::string_view hint = {});

// {"diagnostics": [...]}, or the diagnostics as people read them: warnings, after which the command continues.
void report_warnings(Console &console, bool json, std::span<const Diagnostic> diagnostics);

// Reports the exception that is being handled. Requires: called from a catch block.
ExitCode report_current_exception(Console &console, bool json);

} // namespace neurasp::cli
