// Diagnostics: what the library says about mistakes in programs, data and network outputs, and the
// exceptions that carry them. The table in CONTRIBUTING.md ("Errors") says which kind is used when.
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

// A range in a text the user wrote; lines and columns count from 1, columns in bytes; the end is
// exclusive. `line == 0` means that the whole file (or no file at all, if `file` is empty) is meant.
struct SourceLocation {
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t end_line = 0;
    std::uint32_t end_column = 0;

    friend bool operator==(const SourceLocation &, const SourceLocation &) = default;
};

// One finding. `code` is a stable kebab-case name ("duplicate-outcome") that scripts and tests can
// rely on; `message` says what was expected and what was found; `hint` (may be empty) what to do. If an
// option of the caller would help, `option` is its identifier ("allow_script") and `option_value` what it
// takes, such as the name of a network; a front end spells it as its users do.
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

// How users of a front end write an option, given its identifier and its value (may be empty).
using OptionSpelling =
    std::function<std::string(const std::string &option, const std::string &value)>;

// "file:2:5: error: ... [code]", then the source line with a caret range, then the hint, with the option
// behind it in parentheses: as `spell` spells it, else its identifier and value.
// With `color`, ANSI colours are added.
std::string render(const Diagnostic &diagnostic, bool color = false,
                   const OptionSpelling &spell = {});

// A mistake in a program, a data file or a network output. Always holds at least one error.
class InputError : public std::runtime_error {
  public:
    explicit InputError(std::vector<Diagnostic> diagnostics);
    explicit InputError(Diagnostic diagnostic);
    const std::vector<Diagnostic> &diagnostics() const noexcept { return diagnostics_; }

  private:
    std::vector<Diagnostic> diagnostics_;
};

// A file, library or module that is missing or unfit.
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

// A limit was reached, or the caller wished to stop, before there was anything to answer with.
class LimitError : public std::runtime_error {
  public:
    LimitError(const std::string &message, std::string hint, bool interrupted,
               std::string option = {})
        : std::runtime_error(message), hint_(std::move(hint)), option_(std::move(option)),
          interrupted_(interrupted) {}
    const std::string &hint() const noexcept { return hint_; }     // what to do; may be empty
    const std::string &option() const noexcept { return option_; } // as in Diagnostic
    bool interrupted() const noexcept { return interrupted_; }     // it was the caller's wish

  private:
    std::string hint_;
    std::string option_;
    bool interrupted_;
};

// Misuse of this API; the message names the call.
class ContractError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

} // namespace neurasp
