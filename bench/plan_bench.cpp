// The cost of an observation in training: the time to make its plan (read, ground, compile), and the memory
// that the plan keeps for the rest of the run.
//
//   plan_bench [--optimal] NAME OBSERVATIONS PROGRAM...
//
// OBSERVATIONS is a file with one observation per line, all different. The result is right if each has a
// circuit. Bytes are those allocated by malloc and not freed.
#include "neurasp/training.hpp"

#include <nlohmann/json.hpp>

#include <malloc.h>

#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace neurasp;

std::vector<std::string> read_lines(const std::string &path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    if (lines.empty()) throw std::runtime_error("no observation in '" + path + "'");
    return lines;
}

double allocated_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

int measure(const std::string &name, const std::vector<std::string> &observations,
            const std::vector<std::string> &files, bool optimal) {
    TrainingOptions options;
    options.optimal = optimal;
    TrainingProgram program(Program::from_files(files), options);
    std::vector<Observation> all;
    for (const std::string &text : observations) all.push_back({text, {}});
    program.prepare(all.front()); // does the work that all observations share
    const double bytes_before = allocated_bytes();
    const std::clock_t begin = std::clock(); // processor time
    program.prepare(all);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const double bytes = allocated_bytes() - bytes_before;
    const auto count = static_cast<double>(observations.size() - 1);
    const TrainingStatistics statistics = program.statistics();
    const bool correct =
        statistics.without_circuit == 0 && statistics.observations == observations.size();
    const nlohmann::ordered_json line{{"name", name},
                                      {"plans", statistics.observations},
                                      {"ms_per_plan", seconds * 1e3 / count},
                                      {"bytes_per_plan", bytes / count},
                                      {"largest_circuit_edges", statistics.largest_circuit},
                                      {"correct", correct},
                                      {"detail", ""}};
    std::printf("%s\n", line.dump().c_str());
    return correct ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    const bool optimal = !arguments.empty() && arguments.front() == "--optimal";
    if (optimal) arguments.erase(arguments.begin());
    if (arguments.size() < 3) {
        std::fprintf(stderr, "usage: plan_bench [--optimal] NAME OBSERVATIONS PROGRAM...\n");
        return 2;
    }
    return measure(arguments[0], read_lines(arguments[1]), {arguments.begin() + 2, arguments.end()},
                   optimal);
} catch (const std::exception &error) {
    std::fprintf(stderr, "plan_bench: %s\n", error.what());
    return 2;
}
