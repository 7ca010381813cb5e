// print_workload NAME DIRECTORY [SEED]: writes NAME.lp (the program), NAME.obs.lp (the observation), NAME.json
// (network outputs), NAME.clingo.lp (all of it for clingo) and NAME.expected.json (P(O), and whether only the
// least-cost models count), and prints the command that asks for P(O).
// Without arguments: lists the names.
#include "workloads.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>

namespace {

void write(const std::string &path, const std::string &text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) throw std::runtime_error("cannot write '" + path + "'");
}

void print(const std::string &name, const std::string &directory, std::uint64_t seed) {
    const auto workload = neurasp::bench::make_workload(name);
    const auto outputs = workload.draw(seed);
    const std::string path = directory + "/" + name;
    write(path + ".lp", workload.program);
    write(path + ".obs.lp", workload.observation);
    write(path + ".json", neurasp::bench::to_json(outputs));
    write(path + ".clingo.lp", neurasp::bench::plain_clingo(workload));
    const nlohmann::ordered_json expected{{"probability", workload.probability(outputs)},
                                          {"optimal", workload.optimal}};
    write(path + ".expected.json", expected.dump() + "\n");
    std::printf("neurasp prob %s.lp --observe-file %s.obs.lp -p %s.json%s  # P(O) = %.17g%s\n",
                path.c_str(), path.c_str(), path.c_str(), workload.optimal ? " --optimal" : "",
                workload.probability(outputs),
                workload.enumerable ? "" : ", too many models to list");
}

} // namespace

int main(int argc, char **argv) try {
    if (argc == 1) {
        for (const auto &name : neurasp::bench::workload_names()) std::printf("%s\n", name.c_str());
        return 0;
    }
    if (argc > 4 || argc == 2) {
        std::fprintf(stderr, "usage: print_workload [NAME DIRECTORY [SEED]]\n");
        return 2;
    }
    print(argv[1], argv[2], argc == 4 ? std::stoull(argv[3]) : 1);
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "print_workload: %s\n", error.what());
    return 2;
}
