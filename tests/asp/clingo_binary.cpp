// Runs the clingo binary through a shell.
#include "clingo_binary.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <unistd.h>

namespace neurasp::asp::test {

namespace {

std::string output_of(const std::string &command) {
    struct Close {
        void operator()(std::FILE *pipe) const { ::pclose(pipe); }
    };
    const std::unique_ptr<std::FILE, Close> pipe(::popen(command.c_str(), "r"));
    if (!pipe) throw std::runtime_error("cannot run: " + command);
    std::string text;
    std::array<char, 4096> buffer{};
    while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
        text.append(buffer.data(), size);
    }
    return text;
}

} // namespace

bool has_clingo_binary() {
    static const bool found = output_of("clingo --version 2>/dev/null").starts_with("clingo");
    return found;
}

std::string run_clingo(const std::string &program, const std::string &arguments) {
    static unsigned files = 0;
    const auto path = std::filesystem::temp_directory_path() /
                      ("neurasp-" + std::to_string(::getpid()) + "-" + std::to_string(++files));
    std::ofstream(path) << program;
    const std::string text = output_of("clingo " + path.string() + " " + arguments + " 2>&1");
    std::filesystem::remove(path);
    return text;
}

std::uint64_t count_models(const std::string &program, bool aspif) {
    const std::string text = run_clingo(program, std::string("--quiet --opt-mode=ignore -n 0") +
                                                     (aspif ? " --mode=clasp" : ""));
    const std::size_t at = text.find("Models       : ");
    if (at == std::string::npos) throw std::runtime_error("clingo says:\n" + text);
    return std::strtoull(text.c_str() + at + 15, nullptr, 10);
}

} // namespace neurasp::asp::test
