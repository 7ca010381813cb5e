// Starts processes, feeds them, and collects their output.
#include "cli/process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <pty.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace neurasp::test {

namespace {

[[noreturn]] void execute(const Words &words, const Words &environment) {
    for (const std::string &setting : environment) ::putenv(const_cast<char *>(setting.c_str()));
    std::vector<char *> arguments;
    for (const std::string &word : words) arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
}

std::array<int, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2");
    return ends;
}

// Appends the bytes available; false at the end.
bool read_some(int descriptor, std::string &text) {
    std::array<char, 4096> buffer{};
    const auto size = ::read(descriptor, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) return true;
    if (size <= 0) return false; // a pseudo terminal ends with EIO
    text.append(buffer.data(), static_cast<std::size_t>(size));
    return true;
}

void wait_for(int pid, Result &result) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
}

Words full_command(const Words &arguments) {
    Words words = {command_path()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

} // namespace

std::string command_path() {
    if (const char *path = std::getenv("NEURASP_CLI")) return path;
#ifdef NEURASP_CLI
    return NEURASP_CLI;
#else
    throw std::runtime_error("set NEURASP_CLI to the path of the neurasp command");
#endif
}

Process::Process(const Words &words, const std::string &input, const Words &environment) {
    std::signal(SIGPIPE, SIG_IGN);
    const auto in = make_pipe(), out = make_pipe(), err = make_pipe();
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error("fork");
    if (pid_ == 0) {
        std::signal(SIGPIPE, SIG_DFL);
        ::dup2(in[0], STDIN_FILENO);
        ::dup2(out[1], STDOUT_FILENO);
        ::dup2(err[1], STDERR_FILENO);
        execute(words, environment);
    }
    ::close(in[0]);
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
    // The inputs of these tests fit in a pipe.
    if (::write(in[1], input.data(), input.size()) < 0 && errno != EPIPE) {
        throw std::runtime_error("write");
    }
    ::close(in[1]);
}

Process::~Process() {
    if (!finished_) {
        send(SIGKILL);
        finish();
    }
}

std::string Process::first_line() {
    while (read_.find('\n') == std::string::npos && read_some(out_, read_)) {
    }
    return read_.substr(0, read_.find('\n'));
}

void Process::send(int signal) { ::kill(pid_, signal); }

void Process::close_output() {
    ::close(out_);
    out_ = -1;
}

Result Process::finish() {
    finished_ = true;
    Result result;
    result.out = std::move(read_);
    std::array<pollfd, 2> open{pollfd{out_, POLLIN, 0}, pollfd{err_, POLLIN, 0}};
    while (open[0].fd >= 0 || open[1].fd >= 0) {
        if (::poll(open.data(), open.size(), -1) < 0) continue;
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (open[i].fd < 0 || open[i].revents == 0) continue;
            if (read_some(open[i].fd, i == 0 ? result.out : result.err)) continue;
            ::close(open[i].fd);
            open[i].fd = -1;
        }
    }
    wait_for(pid_, result);
    return result;
}

Result neurasp(const Words &arguments, const std::string &input, const Words &environment) {
    return Process(full_command(arguments), input, environment).finish();
}

Result neurasp_on_terminal(const Words &arguments, const Words &environment) {
    int terminal = -1;
    const Words words = full_command(arguments);
    const int pid = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (pid < 0) throw std::runtime_error("forkpty");
    if (pid == 0) execute(words, environment);
    Result result;
    while (read_some(terminal, result.out)) {
    }
    ::close(terminal);
    wait_for(pid, result);
    return result;
}

Folder::Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "neurasp-cli-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = pattern;
}

Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string Folder::file(const std::string &name, const std::string &text) const {
    const std::string where = path(name);
    std::filesystem::create_directories(std::filesystem::path(where).parent_path());
    std::ofstream(where, std::ios::binary) << text;
    return where;
}

} // namespace neurasp::test
