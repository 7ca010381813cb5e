// Diagnostics about mistakes in programs, data and network outputs, and the exceptions that carry them. The table
// under "Errors" in CONTRIBUTING.md says when each exception is used.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace neurasp {

enum class Severity { error, warning, info };

std::string_view to_string(Severity severity);

// A range in a text that the user wrote. Lines and columns count from 1, columns in bytes; the end is
// exclusive. If `line` is 0, the location is the whole file, or nowhere if `file` is empty.
struct SourceLocation {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t end_line = 0;
    std::uint32_t end_column = 0;

    friend bool operator==(const SourceLocation &, const SourceLocation &) = default;
};

// One diagnostic. `code` is a stable kebab-case name ("duplicate-outcome") that scripts and tests can rely on;
// `message` says what was expected and what was found; `hint` (may be empty) says what to do. If an option would
// help, `option` is its identifier ("allow_script") and `option_value` its value, such as the name of a network;
// each front end spells options its own way.
struct Diagnostic {
    Severity severity = Severity::error;
    std::string code;
    std::string message;
    SourceLocation location;
    std::string source_line; // the line of `location`, without its newline; for the caret display
    std::string hint;
    std::uint32_t source_line_start = 0; // bytes of a very long line that `source_line` leaves out
    std::string option = {};
    std::string option_value = {};
};

// Spells an option as the users of a front end write it, given its identifier and its value (may be empty).
using OptionSpelling =
    std::function<std::string(const std::string &option, const std::string &value)>;

// "file:2:5: error: ... [code]", then the source line with carets, then the hint followed by the option in
// parentheses: as `spell` spells it, or its identifier and value. With `color`, ANSI colours are added.
std::string render(const Diagnostic &diagnostic, bool color = false,
                   const OptionSpelling &spell = {});

// A mistake in a program, a data file or a network output. Has at least one diagnostic of severity error.
class InputError : public std::runtime_error {
  public:
    explicit InputError(std::vector<Diagnostic> diagnostics);
    explicit InputError(Diagnostic diagnostic);
    const std::vector<Diagnostic> &diagnostics() const noexcept { return diagnostics_; }

  private:
    std::vector<Diagnostic> diagnostics_;
};

// A file, library or module is missing or cannot be used.
class EnvironmentError : public std::runtime_error {
  public:
    explicit EnvironmentError(const std::string &message, std::string hint = {},
                              std::string option = {})
        : std::runtime_error(message), hint_(std::move(hint)), option_(std::move(option)) {}
    const std::string &hint() const noexcept { return hint_; }     // what to do; may be empty
    const std::string &option() const noexcept { return option_; } // as in Diagnostic

  private:
    std::string hint_;
    std::string option_;
};

// A limit was reached, or the caller asked to stop, before there was any answer.
class LimitError : public std::runtime_error {
  public:
    LimitError(const std::string &message, std::string hint, bool interrupted,
               std::string option = {})
        : std::runtime_error(message), hint_(std::move(hint)), option_(std::move(option)),
          interrupted_(interrupted) {}
    const std::string &hint() const noexcept { return hint_; }     // what to do; may be empty
    const std::string &option() const noexcept { return option_; } // as in Diagnostic
    bool interrupted() const noexcept { return interrupted_; }     // the caller asked to stop

  private:
    std::string hint_;
    std::string option_;
    bool interrupted_;
};

// A call that this interface does not allow; the message names it.
class ContractError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

} // namespace neurasp
