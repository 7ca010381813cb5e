// measured_process SECONDS FILE COMMAND [ARGUMENT...]: runs the command and writes to FILE, as JSON, the
// processor time that it took, its peak memory and its exit status (null if it was stopped because it took
// more than SECONDS of processor time).
//
// This is a separate program because Linux counts the memory of a parent process as memory of the child until the
// child has started its own program; this parent is small.
#include <nlohmann/json.hpp>

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace {

void limit_processor_time(rlim_t seconds) {
    const rlimit limit{seconds, seconds};
    ::setrlimit(RLIMIT_CPU, &limit); // the command inherits it
}

double milliseconds(const timeval &time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

pid_t start(char **command) {
    pid_t pid = 0;
    if (::posix_spawnp(&pid, command[0], nullptr, nullptr, command, environ) != 0) return -1;
    return pid;
}

} // namespace

int main(int argc, char **argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: measured_process SECONDS FILE COMMAND [ARGUMENT...]\n");
        return 2;
    }
    limit_processor_time(static_cast<rlim_t>(std::atoi(argv[1])));
    const pid_t child = start(argv + 3);
    if (child < 0) {
        std::fprintf(stderr, "measured_process: cannot run '%s'\n", argv[3]);
        return 4;
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    nlohmann::ordered_json line{{"ms", milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)},
                                {"megabytes", static_cast<double>(usage.ru_maxrss) / 1024.0},
                                {"status", nullptr}};
    const bool stopped = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (!stopped) line["status"] = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    std::ofstream(argv[2]) << line.dump() << '\n';
    return 0;
}
