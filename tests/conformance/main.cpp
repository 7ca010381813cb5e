// Runs a folder of conformance cases through the public API: conformance FOLDER [--engine NAME]
// [FILTER]. Every engine of engine_names() answers every case; FILTER is a part of the path.
#include "checker.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace {

using namespace neurasp::conformance;

struct Arguments {
    std::filesystem::path folder;
    std::string engine;
    std::string filter;
};

std::optional<Arguments> parse(const std::vector<std::string> &words) {
    Arguments result;
    std::vector<std::string> positional;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == "--engine" && i + 1 < words.size())
            result.engine = words[++i];
        else if (words[i].starts_with("-"))
            return std::nullopt;
        else
            positional.push_back(words[i]);
    }
    if (positional.empty() || positional.size() > 2) return std::nullopt;
    result.folder = positional[0];
    if (positional.size() == 2) result.filter = positional[1];
    return result;
}

std::vector<std::filesystem::path> find_cases(const Arguments &arguments) {
    std::vector<std::filesystem::path> paths;
    for (const auto &entry : std::filesystem::recursive_directory_iterator(arguments.folder))
        if (entry.is_regular_file() && entry.path().extension() == ".test" &&
            entry.path().string().find(arguments.filter) != std::string::npos)
            paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

// True if the case passes with every engine.
bool run(const std::filesystem::path &path, const std::vector<std::string> &engines) {
    std::vector<std::string> failures;
    try {
        const Case test = read_case(path);
        for (const std::string &engine : engines) {
            const std::vector<std::string> found = run_case(test, engine);
            failures.insert(failures.end(), found.begin(), found.end());
        }
    } catch (const CaseError &error) {
        failures.push_back(std::string(error.what()) + " (mistake in the test file)");
    }
    for (const std::string &failure : failures) std::cout << failure << '\n';
    return failures.empty();
}

} // namespace

int main(int count, char **words) {
    const std::optional<Arguments> arguments = parse({words + 1, words + count});
    if (!arguments) {
        std::cerr << "usage: conformance FOLDER [--engine NAME] [FILTER]\n";
        return 2;
    }
    try {
        const std::vector<std::string> engines = arguments->engine.empty()
                                                     ? neurasp::engine_names()
                                                     : std::vector<std::string>{arguments->engine};
        std::size_t passed = 0;
        std::size_t failed = 0;
        for (const std::filesystem::path &path : find_cases(*arguments))
            ++(run(path, engines) ? passed : failed);
        std::cout << passed << " passed, " << failed << " failed\n";
        return failed == 0 && passed > 0 ? 0 : 1;
    } catch (const std::exception &error) {
        std::cerr << "conformance: " << error.what() << '\n';
        return 1;
    }
}
