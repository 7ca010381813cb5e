// Standard output and standard error, with colours where they are wanted.
#include "cli/console.hpp"

#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace neurasp::cli {

namespace {

bool wants_color(std::string_view color, bool terminal) {
    if (color != "auto") return color == "always";
    const char *no_color = std::getenv("NO_COLOR");
    const char *kind = std::getenv("TERM");
    const bool dumb = kind != nullptr && std::string_view(kind) == "dumb";
    return terminal && !dumb && (no_color == nullptr || *no_color == '\0');
}

std::string colored(Mark mark, std::string_view text) {
    switch (mark) {
    case Mark::none: break;
    case Mark::strong: return fmt::format("\033[1m{}\033[0m", text);
    case Mark::weak: return fmt::format("\033[2m{}\033[0m", text);
    case Mark::alarm: return fmt::format("\033[33m{}\033[0m", text);
    }
    return std::string(text);
}

} // namespace

Console::Console(std::string_view color)
    : output_is_terminal_(::isatty(STDOUT_FILENO) == 1),
      color_output_(wants_color(color, output_is_terminal_)),
      color_error_(wants_color(color, ::isatty(STDERR_FILENO) == 1)) {}

void Console::write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void Console::flush(bool lazy) {
    constexpr std::chrono::milliseconds patience{50};
    const auto now = std::chrono::steady_clock::now();
    if (lazy && !output_is_terminal_ && now - last_flush_ < patience) return;
    last_flush_ = now;
    if (std::fflush(stdout) != 0) fail();
}

void Console::complain(std::string_view line) {
    flush();
    fmt::print(stderr, "{}\n", line);
}

std::string Console::mark(Mark mark, std::string_view text) const {
    return color_output_ ? colored(mark, text) : std::string(text);
}

std::string Console::mark_error(Mark mark, std::string_view text) const {
    return color_error_ ? colored(mark, text) : std::string(text);
}

void Console::fail() const {
    if (errno == EPIPE) throw OutputClosed();
    throw EnvironmentError(
        fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

} // namespace neurasp::cli
