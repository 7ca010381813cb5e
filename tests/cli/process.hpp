// Runs the command under test and keeps its output.
#pragma once

#include "support/source_folder.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace neurasp::test {

struct Result {
    int exit_code = -1; // -1 if a signal ended the process
    int signal = 0;
    std::string out;
    std::string err;

    // Whether a signal came before there was anything to answer: it killed the process or ended the grounding.
    bool ended_too_early() const {
        return signal != 0 || err.find("interrupted while grounding") != std::string::npos;
    }
    nlohmann::json json() const { return nlohmann::json::parse(out); }
    nlohmann::json error_json() const { return nlohmann::json::parse(err); }
};

using Words = std::vector<std::string>;

constexpr double rounding = 1e-12; // tolerance for sums of a few products of doubles

std::string command_path();

// A process with its three standard streams as pipes; standard error and output are read by `finish`.
class Process {
  public:
    // `environment` holds "NAME=value"; the rest is inherited.
    explicit Process(const Words &words, const std::string &input = {},
                     const Words &environment = {});
    ~Process();
    Process(const Process &) = delete;
    Process &operator=(const Process &) = delete;

    // Waits until standard output has a line, and returns it.
    std::string first_line();
    void send(int signal);
    void close_output();
    Result finish();

  private:
    int pid_ = -1;
    int out_ = -1;
    int err_ = -1;
    bool finished_ = false;
    std::string read_;
};

// Runs neurasp with the given arguments.
Result neurasp(const Words &arguments, const std::string &input = {},
               const Words &environment = {});
// The same on a pseudo terminal for standard output and error; all output is in `out`.
Result neurasp_on_terminal(const Words &arguments, const Words &environment = {});

// A temporary folder that is removed at the end.
class Folder {
  public:
    Folder();
    ~Folder();
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;

    // Writes a file and returns its path.
    std::string file(const std::string &name, const std::string &text) const;
    std::string path(const std::string &name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

} // namespace neurasp::test
