// Reports errors and warnings on standard error, for people or as JSON.
#include "cli/errors.hpp"

#include "cli/offered_options.hpp"
#include "cli/option_spelling.hpp"
#include "protocol/diagnostics.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <new>
#include <string>

namespace neurasp::cli {

namespace {

std::string_view kind_of(ExitCode code) {
    switch (code) {
    case ExitCode::fine: return "fine";
    case ExitCode::internal: break;
    case ExitCode::usage: return "usage";
    case ExitCode::input: return "input";
    case ExitCode::environment: return "environment";
    case ExitCode::no_answer: return "limit";
    case ExitCode::interrupted: return "interrupted";
    }
    return "internal";
}

std::string error_line(ExitCode code, std::span<const Diagnostic> diagnostics) {
    return protocol::error_line(kind_of(code), static_cast<int>(code), diagnostics);
}

// A message without a place. Only JSON has the code; for people it would repeat the message.
Diagnostic without_place(bool json, ExitCode code, std::string_view message, std::string_view hint,
                         std::string_view option = {}) {
    Diagnostic diagnostic;
    diagnostic.message = message;
    diagnostic.hint = hint;
    diagnostic.option = option;
    if (json) diagnostic.code = kind_of(code);
    return diagnostic;
}

// The line of a file that a diagnostic points at, for diagnostics that have only the place. Empty if there is
// no such line, if it is too long to be read, or if the file is too large to be read twice.
std::string line_of_file(const SourceLocation &at) {
    constexpr std::size_t longest = 1000;
    constexpr std::uintmax_t largest_file = 50'000'000;
    std::error_code unknown;
    if (at.line == 0 || !std::filesystem::is_regular_file(at.file, unknown) ||
        std::filesystem::file_size(at.file, unknown) > largest_file)
        return {};
    std::ifstream file(at.file);
    std::string line;
    for (std::uint32_t i = 0; i < at.line; ++i) {
        if (!std::getline(file, line)) return {};
    }
    return line.size() > longest ? std::string() : line;
}

void print_for_people(Console &console, std::span<const Diagnostic> diagnostics) {
    for (Diagnostic diagnostic : diagnostics) {
        if (diagnostic.source_line.empty()) {
            diagnostic.source_line = line_of_file(diagnostic.location);
        }
        if (!diagnostic.option.empty() && !is_offered(diagnostic.option)) {
            diagnostic.option.clear();
        }
        console.complain(render(diagnostic, console.colors_errors(), spell_option));
    }
}

} // namespace

void report_diagnostics(Console &console, bool json, ExitCode code,
                        std::span<const Diagnostic> diagnostics) {
    if (!json) return print_for_people(console, diagnostics);
    console.complain(error_line(code, diagnostics));
}

void report_message(Console &console, bool json, ExitCode code, std::string_view message,
                    std::string_view hint, std::string_view option) {
    const Diagnostic diagnostic = without_place(json, code, message, hint, option);
    report_diagnostics(console, json, code, {&diagnostic, 1});
}

std::string message_text(bool json, ExitCode code, std::string_view message,
                         std::string_view hint) {
    const Diagnostic diagnostic = without_place(json, code, message, hint);
    return (json ? error_line(code, {&diagnostic, 1}) : render(diagnostic)) + "\n";
}

void report_warnings(Console &console, bool json, std::span<const Diagnostic> diagnostics) {
    if (diagnostics.empty()) return;
    if (!json) return print_for_people(console, diagnostics);
    console.complain(protocol::warnings_line(diagnostics));
}

ExitCode report_current_exception(Console &console, bool json) {
    try {
        throw;
    } catch (const OutputClosed &) {
        return ExitCode::fine;
    } catch (const InputError &error) {
        report_diagnostics(console, json, ExitCode::input, error.diagnostics());
        return ExitCode::input;
    } catch (const UsageError &error) {
        report_message(console, json, ExitCode::usage, error.what(), error.hint());
        return ExitCode::usage;
    } catch (const LimitError &error) {
        const ExitCode code = error.interrupted() ? ExitCode::interrupted : ExitCode::no_answer;
        report_message(console, json, code, error.what(), error.hint(), error.option());
        return code;
    } catch (const EnvironmentError &error) {
        report_message(console, json, ExitCode::environment, error.what(), error.hint(),
                       error.option());
        return ExitCode::environment;
    } catch (const std::bad_alloc &) {
        report_message(console, json, ExitCode::environment, "out of memory");
        return ExitCode::environment;
    } catch (const std::exception &error) {
        report_message(console, json, ExitCode::internal,
                       fmt::format("internal error: {}; please report this", error.what()));
        return ExitCode::internal;
    }
}

} // namespace neurasp::cli
