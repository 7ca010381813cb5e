// The cost of an observation in training: the time to make its plan (read, ground, compile), and the memory
// that the plan keeps for the rest of the run.
//
//   plan_bench [--optimal] [--alone | --no-family] NAME OBSERVATIONS PROGRAM...
//
// OBSERVATIONS is a file with one observation per line. Bytes are those allocated by malloc and not freed. With --alone, each
// observation is prepared on its own, and with --no-family, they share a grounding only; otherwise those of one kind may share
// a circuit. The result is right if each has a
// circuit and if log P(O) of some of them, for random outputs, is that of the observation prepared on its own.
#include "neurasp/training.hpp"

#include <nlohmann/json.hpp>

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <random>
#include <set>
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

// log P(O) of observations, for outputs that depend on the calls only.
std::vector<double> log_probabilities(TrainingProgram &program,
                                      const std::vector<Observation> &all) {
    const auto ids = program.prepare(all);
    std::vector<double> logs(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const PreparedObservation &facts = program.at(ids[i]);
        std::vector<std::vector<double>> numbers(program.networks().size());
        std::vector<std::uint32_t> rows;
        for (const NetworkCall &call : facts.calls) {
            const NetworkShape &shape = program.networks()[call.network];
            std::vector<double> &known = numbers[call.network];
            rows.push_back(static_cast<std::uint32_t>(known.size() / shape.size()));
            std::mt19937_64 random(std::hash<std::string>()(call.terms));
            for (std::size_t e = 0; e < shape.events; ++e) {
                std::vector<double> row;
                double sum = 0.0;
                for (std::size_t o = 0; o < shape.outcomes; ++o) {
                    sum += row.emplace_back(1.0 + static_cast<double>(random() % 1000) / 100.0);
                }
                for (const double x : row) known.push_back(x / sum);
            }
        }
        TrainingBatch<double> batch;
        for (std::size_t m = 0; m < numbers.size(); ++m) {
            batch.outputs.push_back(
                Rows<const double>::contiguous(numbers[m], program.networks()[m]));
        }
        const BatchExample example{ids[i], rows};
        batch.examples = {&example, 1};
        program.run(batch, {{&logs[i], 1}, {}, {}, {}});
    }
    return logs;
}

// Whether some of the observations have the same log P(O) on their own.
bool agrees(TrainingProgram &program, const std::vector<std::string> &files,
            TrainingOptions options, const std::vector<Observation> &all) {
    constexpr std::size_t compared = 20;
    constexpr double rounding = 1e-10;
    std::vector<Observation> some;
    for (std::size_t i = 0; i < all.size(); i += std::max<std::size_t>(1, all.size() / compared)) {
        some.push_back(all[i]);
    }
    options.families = FamilyUse::never;
    TrainingProgram alone(Program::from_files(files), options);
    const std::vector<double> found = log_probabilities(program, some);
    const std::vector<double> expected = log_probabilities(alone, some);
    for (std::size_t i = 0; i < some.size(); ++i) {
        if (found[i] != expected[i] && !(std::abs(found[i] - expected[i]) < rounding)) return false;
    }
    return true;
}

int measure(const std::string &name, const std::vector<std::string> &observations,
            const std::vector<std::string> &files, const TrainingOptions &options) {
    TrainingProgram program(Program::from_files(files), options);
    std::vector<Observation> all;
    for (const std::string &text : observations) all.push_back({text, {}});
    program.prepare(all.front()); // does the work that all observations share
    const double bytes_before = allocated_bytes();
    const std::clock_t begin = std::clock(); // processor time
    program.prepare(all);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const double bytes = allocated_bytes() - bytes_before;
    const TrainingStatistics statistics = program.statistics();
    const std::set<std::string> distinct(observations.begin(), observations.end());
    const auto count = static_cast<double>(distinct.size());
    const bool complete =
        statistics.without_circuit == 0 && statistics.observations == distinct.size();
    const bool equal = agrees(program, files, options, all);
    const bool correct = complete && equal;
    const nlohmann::ordered_json line{{"name", name},
                                      {"plans", statistics.observations},
                                      {"examples", observations.size()},
                                      {"seconds", seconds},
                                      {"ms_per_plan", seconds * 1e3 / count},
                                      {"bytes_per_plan", bytes / count},
                                      {"families", statistics.families},
                                      {"in_families", statistics.in_families},
                                      {"grounded_together", statistics.grounded_together},
                                      {"largest_circuit_edges", statistics.largest_circuit},
                                      {"correct", correct},
                                      {"detail", !complete ? "an observation has no circuit"
                                                 : equal   ? ""
                                                           : "P(O) differs"}};
    std::printf("%s\n", line.dump().c_str());
    return correct ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) try {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    TrainingOptions options;
    for (; !arguments.empty() && arguments.front().starts_with("--");
         arguments.erase(arguments.begin())) {
        if (arguments.front() == "--optimal") options.optimal = true;
        if (arguments.front() == "--alone") options.families = FamilyUse::never;
        if (arguments.front() == "--no-family") options.families = FamilyUse::only_grounding;
    }
    if (arguments.size() < 3) {
        std::fprintf(
            stderr,
            "usage: plan_bench [--optimal] [--alone | --no-family] NAME OBSERVATIONS PROGRAM...\n");
        return 2;
    }
    return measure(arguments[0], read_lines(arguments[1]), {arguments.begin() + 2, arguments.end()},
                   options);
} catch (const std::exception &error) {
    std::fprintf(stderr, "plan_bench: %s\n", error.what());
    return 2;
}
