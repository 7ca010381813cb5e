// The exit codes of the command (docs/cli.md lists them for users).
#pragma once

namespace neurasp::cli {

enum class ExitCode : int {
    fine = 0,
    internal = 1,
    usage = 2,
    input = 3,
    environment = 4,
    no_answer = 5, // a limit was reached before there was any answer
    interrupted = 130,
};

} // namespace neurasp::cli
