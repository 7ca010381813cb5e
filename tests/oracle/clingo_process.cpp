// Runs the clingo binary as a process and reads the models that it prints as JSON.
#include "clingo_process.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <set>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace neurasp::oracle {

namespace {

class Pipe {
  public:
    Pipe() {
        if (::pipe(ends_.data()) != 0)
            throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
    }
    ~Pipe() {
        close_read();
        close_write();
    }
    Pipe(const Pipe &) = delete;
    Pipe &operator=(const Pipe &) = delete;

    int read_end() const { return ends_[0]; }
    int write_end() const { return ends_[1]; }
    void close_read() { close(0); }
    void close_write() { close(1); }

  private:
    void close(std::size_t end) {
        if (ends_[end] >= 0) ::close(ends_[end]);
        ends_[end] = -1;
    }
    std::array<int, 2> ends_{-1, -1};
};

struct Output {
    int exit_code = 0;
    std::string text;
    std::string errors;
};

pid_t spawn_clingo(const Pipe &in, const Pipe &out, const Pipe &err) {
    // --eq=0: when clasp 3.3.5 merges equivalent atoms, it loses models of some disjunctive programs and takes
    // unfounded sets of others for models.
    std::array<std::string, 8> words = {
        "clingo", "-", "-n", "0", "--outf=2", "--warn=none", "--opt-mode=enum", "--eq=0"};
    std::vector<char *> arguments;
    for (std::string &word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.read_end(), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out.write_end(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err.write_end(), STDERR_FILENO);
    for (const Pipe *pipe : {&in, &out, &err}) {
        posix_spawn_file_actions_addclose(&actions, pipe->read_end());
        posix_spawn_file_actions_addclose(&actions, pipe->write_end());
    }
    pid_t child = 0;
    const int failed = posix_spawnp(&child, "clingo", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        throw std::runtime_error(std::string("clingo cannot be started: ") + std::strerror(failed));
    return child;
}

// Appends the bytes that are ready; returns false at the end of the file.
bool drain(int descriptor, std::string &text) {
    std::array<char, 65536> buffer{};
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count <= 0) return false;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
}

Output run_clingo(const std::string &program) {
    Pipe in;
    Pipe out;
    Pipe err;
    const pid_t child = spawn_clingo(in, out, err);
    in.close_read();
    out.close_write();
    err.close_write();
    // clingo reads all of its input before it prints, so this cannot deadlock. If it dies early, writing must not
    // kill us.
    const auto old_handler = std::signal(SIGPIPE, SIG_IGN);
    for (std::size_t written = 0; written < program.size();) {
        const ssize_t count =
            ::write(in.write_end(), program.data() + written, program.size() - written);
        if (count <= 0) break;
        written += static_cast<std::size_t>(count);
    }
    in.close_write();
    std::signal(SIGPIPE, old_handler);
    Output output;
    std::array<pollfd, 2> open = {pollfd{out.read_end(), POLLIN, 0},
                                  pollfd{err.read_end(), POLLIN, 0}};
    while (open[0].fd >= 0 || open[1].fd >= 0) {
        ::poll(open.data(), open.size(), -1);
        if (open[0].fd >= 0 && open[0].revents != 0 && !drain(open[0].fd, output.text))
            open[0].fd = -1;
        if (open[1].fd >= 0 && open[1].revents != 0 && !drain(open[1].fd, output.errors))
            open[1].fd = -1;
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return output;
}

} // namespace

std::vector<ClingoModel> stable_models(const std::string &program) {
    const Output output = run_clingo(program);
    // 10 is satisfiable, 20 exhausted, 30 both; everything else is an error.
    if (output.exit_code != 10 && output.exit_code != 20 && output.exit_code != 30)
        throw std::runtime_error("clingo failed (exit code " + std::to_string(output.exit_code) +
                                 "): " + output.errors + "\nprogram:\n" + program);
    std::vector<ClingoModel> models;
    std::set<std::vector<std::string>> seen;
    const nlohmann::json result = nlohmann::json::parse(output.text);
    for (const nlohmann::json &call : result.at("Call")) {
        if (!call.contains("Witnesses")) continue;
        for (const nlohmann::json &witness : call.at("Witnesses")) {
            ClingoModel model;
            model.atoms = witness.at("Value").get<std::vector<std::string>>();
            std::sort(model.atoms.begin(), model.atoms.end());
            if (witness.contains("Costs"))
                model.cost = witness.at("Costs").get<std::vector<std::int64_t>>();
            // clasp 3.3.5 finds models of some disjunctive programs twice.
            if (seen.insert(model.atoms).second) models.push_back(std::move(model));
        }
    }
    return models;
}

} // namespace neurasp::oracle
