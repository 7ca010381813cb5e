// How near evaluation comes to the bandwidth of memory.
//
//   bandwidth_bench NAME...
//
// For each workload, the bytes that the loops of evaluation read and write for one example, values and derivatives in
// float, and the time for it, with 256 examples and with one. Beside it, in the same run, what a triad (a = b + s * c over
// three arrays) moves in the same time if its arrays are as large as all that the evaluation works on, so that they are in the
// same caches, and if they are in main memory. Exits with 1 if a result is wrong or a workload is not compiled.
//
// Bytes. A term of a sum is two numbers and its two indices, a sum is written once, and weights and derivatives of outcomes
// are copied. What a cache saves counts as moved, for the evaluation as for the triad.
#include "circuit_check.hpp"
#include "support.hpp"
#include "workloads.hpp"

#include "circuit/layers.hpp"
#include "inference/access.hpp"

#include <neurasp/neurasp.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>

namespace {

using namespace neurasp;
using Json = nlohmann::ordered_json;

constexpr std::size_t in_block = 32;                        // floats side by side
constexpr std::size_t memory_bytes = std::size_t{1} << 28U; // more than any cache holds
constexpr double seconds_of_round = 0.02;
constexpr int rounds = 5;

// Compiled for the same registers as the loops of evaluation.
#if defined(__x86_64__)
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
void triad(float *a, const float *b, const float *c, float s, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) a[i] = b[i] + s * c[i];
}

// Seconds of one call: the median of several rounds.
double seconds_of(const std::function<void()> &work) {
    int runs = 1;
    const auto repeat = [&] {
        for (int i = 0; i < runs; ++i) work();
    };
    while (bench::median_seconds(1, repeat) < seconds_of_round) runs *= 2;
    return bench::median_seconds(rounds, repeat) / runs;
}

// Bytes per second of a triad over arrays of so many bytes in total.
double triad_bandwidth(std::size_t bytes) {
    const std::size_t count = std::max<std::size_t>(bytes / (3 * sizeof(float)), 64);
    std::vector<float> a(count, 1.0F);
    std::vector<float> b(count, 2.0F);
    std::vector<float> c(count, 3.0F);
    const double seconds = seconds_of([&] { triad(a.data(), b.data(), c.data(), 0.5F, count); });
    if (a.front() != 3.5F) throw std::runtime_error("the triad is wrong");
    return static_cast<double>(3 * count * sizeof(float)) / seconds;
}

struct Traffic {
    std::size_t moved = 0;  // by `width` examples side by side
    std::size_t buffer = 0; // what is worked on
};

Traffic traffic_of(const circuit::Layers &layers, std::size_t width) {
    const std::size_t row = width * sizeof(float);
    Traffic result;
    for (const circuit::LayeredSums *sums : {&layers.values(), &layers.derivatives()}) {
        const std::size_t indices = sums->terms.size() * sizeof(circuit::SlotPair);
        result.moved += indices + 2 * sums->terms.size() * row + sums->row_count() * row;
        result.buffer += indices;
    }
    result.moved += 4 * layers.used_inputs().size() * row; // weights in, derivatives out
    result.buffer += (layers.value_count() + layers.derivative_count()) * row;
    return result;
}

double evaluation_seconds(const CompiledQuestion &circuit,
                          const std::vector<std::vector<double>> &examples) {
    CircuitEvaluator<float> evaluator(circuit);
    bench::Batch<float> batch(examples);
    return seconds_of([&] { batch.run(evaluator); });
}

Json measure(const std::string &name, double memory_bandwidth) {
    constexpr std::size_t batch_size = 256;
    constexpr double giga = 1e9;
    const bench::Workload workload = bench::make_workload(name);
    Reasoner reasoner(Program::from_text(workload.program));
    CompileSettings settings;
    settings.optimal = workload.optimal;
    const Compilation compilation = reasoner.ask(workload.observation).compile(settings);
    Json line{{"name", name}, {"correct", false}, {"detail", compilation.note}};
    if (!compilation.circuit) return line;
    const CompiledQuestion &circuit = *compilation.circuit;
    const std::string mistake = bench::find_mistake(workload, circuit).value_or("");
    line["correct"] = mistake.empty();
    line["detail"] = mistake;
    line["edges"] = circuit.statistics().edges;
    line["memory_gb_s"] = memory_bandwidth / giga;
    std::vector<std::vector<double>> examples;
    for (std::uint64_t seed = 1; seed <= batch_size; ++seed) {
        examples.push_back(circuit.weights(workload.draw(seed)));
    }
    const circuit::Layers layers(circuit::StraightLine(*internal::Access::circuit(circuit)));
    for (const std::size_t batch : {batch_size, std::size_t{1}}) {
        const std::size_t width = batch == 1 ? 1 : in_block;
        const Traffic traffic = traffic_of(layers, width);
        const double seconds = evaluation_seconds(
            circuit, {examples.begin(), examples.begin() + std::ptrdiff_t(batch)});
        const double moved = static_cast<double>(traffic.moved * (batch / width)) / seconds;
        const double reached = triad_bandwidth(traffic.buffer);
        const std::string prefix = "batch" + std::to_string(batch) + "_";
        line[prefix + "us"] = seconds * 1e6 / static_cast<double>(batch);
        line[prefix + "bytes"] = static_cast<double>(traffic.moved) / static_cast<double>(width);
        line[prefix + "buffer_bytes"] = traffic.buffer;
        line[prefix + "gb_s"] = moved / giga;
        line[prefix + "triad_gb_s"] = reached / giga;
        line[prefix + "share"] = moved / reached;
    }
    return line;
}

} // namespace

int main(int argc, char **argv) try {
    const double memory_bandwidth = triad_bandwidth(memory_bytes);
    bool correct = true;
    for (int i = 1; i < argc; ++i) {
        const Json line = measure(argv[i], memory_bandwidth);
        std::printf("%s\n", line.dump().c_str());
        std::fflush(stdout);
        correct = correct && line["correct"].get<bool>();
    }
    return correct ? 0 : 1;
} catch (const std::exception &error) {
    std::fprintf(stderr, "bandwidth_bench: %s\n", error.what());
    return 2;
}
