// Compiling questions to circuits and evaluating them, forward and backward, compared with enumeration of the
// same question in the same run.
//
//   circuit_bench [--enumerate SECONDS] [NAME...]
//
// measures the workloads named, by default all, and exits with 1 if a result is wrong or a workload is not
// compiled. Enumeration is cut off after SECONDS (default: 5); 0 leaves it out.
//
// Times are processor times. Grounding and compiling are done cold, several times while they are fast;
// evaluation repeats until 20 ms have passed, and the median of five such rounds counts.
#include "circuit_check.hpp"
#include "support.hpp"
#include "workloads.hpp"

#include <neurasp/neurasp.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <optional>

namespace {

using namespace neurasp;
using Json = nlohmann::ordered_json;

constexpr double compile_limit = 120.0; // seconds
constexpr double default_enumerate_limit = 5.0;
constexpr double clingo_limit =
    1.0; // the clingo binary runs only if enumeration takes less than that
constexpr std::size_t batch_size = 256;

double seconds(const std::function<void()> &work) { return bench::median_seconds(1, work); }

struct Compiled {
    std::vector<double> ground;
    std::vector<double> compile;
    std::optional<Reasoner> reasoner;
    std::optional<Question> question;
    std::optional<CompiledQuestion> circuit;
    std::string note;
};

// Grounds and compiles several times, each time from the text.
Compiled compile(const bench::Workload &workload) {
    Compiled result;
    CompileSettings settings;
    settings.optimal = workload.optimal;
    Limits limits;
    limits.seconds = compile_limit;
    double total = 0.0;
    while (result.compile.empty() || (total < 0.3 && result.compile.size() < 5)) {
        result.ground.push_back(seconds([&] {
            result.reasoner.emplace(Program::from_text(workload.program));
            result.question = result.reasoner->ask(workload.observation);
        }));
        const double time = seconds([&] {
            Compilation compilation = result.question->compile(settings, limits);
            result.circuit = std::move(compilation.circuit);
            result.note = std::move(compilation.note);
        });
        const bool reused = result.circuit && result.circuit->statistics().reused;
        if (reused && !result.compile.empty()) break;
        result.compile.push_back(time);
        total += result.ground.back() + time;
    }
    return result;
}

// Forward and backward, microseconds per example.
template <class Real>
double evaluate(const CompiledQuestion &circuit, const std::vector<std::vector<double>> &examples) {
    CircuitEvaluator<Real> evaluator(circuit);
    bench::Batch<Real> batch(examples);
    int runs = 1;
    const auto repeat = [&] {
        for (int i = 0; i < runs; ++i) batch.run(evaluator);
    };
    while (seconds(repeat) < 0.02) runs *= 2;
    return bench::median_seconds(5, repeat) * 1e6 / static_cast<double>(runs) /
           static_cast<double>(examples.size());
}

void add_statistics(Json &line, const CircuitStatistics &statistics) {
    line["random_variables"] = statistics.random_variables;
    line["variables"] = statistics.variables;
    line["clauses"] = statistics.clauses;
    line["nodes"] = statistics.nodes;
    line["edges"] = statistics.edges;
    line["decisions"] = statistics.decisions;
    line["translate_ms"] = statistics.seconds_translate * 1e3;
    line["order_ms"] = statistics.seconds_order * 1e3;
    line["search_ms"] = statistics.seconds_search * 1e3;
}

void add_evaluation(Json &line, const bench::Workload &workload, const CompiledQuestion &circuit) {
    std::vector<std::vector<double>> examples;
    for (std::uint64_t seed = 1; seed <= batch_size; ++seed) {
        examples.push_back(circuit.weights(workload.draw(seed)));
    }
    line["batch1_us"] = evaluate<double>(circuit, {examples.front()});
    line["batch256_us"] = evaluate<double>(circuit, examples);
    line["batch256_float_us"] = evaluate<float>(circuit, examples);
}

std::vector<std::string> clingo_arguments(const bench::Workload &workload) {
    std::vector<std::string> arguments{"-n", "0", "-q"};
    if (workload.optimal) arguments.emplace_back("--opt-mode=optN");
    return arguments;
}

// P(O) by enumeration and, if that is fast, by the clingo binary. Returns the mistake found, if any.
std::string add_enumeration(Json &line, const bench::Workload &workload, const Question &question,
                            double limit) {
    Settings settings;
    settings.engine = "enumerate";
    settings.optimal = workload.optimal;
    Limits limits;
    limits.seconds = limit;
    const NetworkOutputs outputs = workload.draw(1);
    ProbabilityAnswer answer;
    const double time = seconds([&] { answer = question.probability(outputs, settings, limits); });
    line["enumerate_ms"] = nullptr;
    line["models"] = answer.how.models_seen;
    line["clingo_ms"] = nullptr;
    if (!answer.how.exact) return {};
    line["enumerate_ms"] = time * 1e3;
    if (time < clingo_limit) {
        const auto run =
            bench::run_clingo(bench::plain_clingo(workload), clingo_arguments(workload));
        line["clingo_ms"] = run.seconds * 1e3;
    }
    const double expected = std::log(workload.probability(outputs));
    if (bench::same_log(answer.probability.log, expected)) return {};
    return "log P(O) by enumeration is " + std::to_string(answer.probability.log) + ", expected " +
           std::to_string(expected);
}

void print(const Json &line) {
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
}

struct Measurement {
    Json line;
    bool compiled = false;
    bool correct = false;
};

Measurement measure(const std::string &name, double enumerate_limit) {
    const bench::Workload workload = bench::make_workload(name);
    Measurement result;
    Json &line = result.line;
    Compiled compiled = compile(workload);
    result.compiled = compiled.circuit.has_value();
    line["name"] = name;
    line["ground_ms"] = bench::median(compiled.ground) * 1e3;
    line["compile_ms"] = nullptr;
    std::string wrong;
    if (result.compiled) {
        line["compile_ms"] = bench::median(compiled.compile) * 1e3;
        add_statistics(line, compiled.circuit->statistics());
        add_evaluation(line, workload, *compiled.circuit);
        wrong = bench::find_mistake(workload, *compiled.circuit).value_or("");
    }
    line["enumerate_ms"] = nullptr;
    if (enumerate_limit > 0.0) {
        const std::string mistake =
            add_enumeration(line, workload, *compiled.question, enumerate_limit);
        if (wrong.empty()) wrong = mistake;
    }
    result.correct = wrong.empty();
    line["correct"] = result.correct;
    line["detail"] = result.compiled ? wrong : "not compiled: " + compiled.note;
    return result;
}

int run(const std::vector<std::string> &names, double enumerate_limit) {
    bool correct = true;
    for (const std::string &name : names) {
        const Measurement result = measure(name, enumerate_limit);
        print(result.line);
        correct = correct && result.correct && result.compiled;
    }
    return correct ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) try {
    std::vector<std::string> names(argv + 1, argv + argc);
    double enumerate_limit = default_enumerate_limit;
    if (names.size() >= 2 && names.front() == "--enumerate") {
        enumerate_limit = std::stod(names[1]);
        names.erase(names.begin(), names.begin() + 2);
    }
    if (names.empty()) names = bench::workload_names();
    return run(names, enumerate_limit);
} catch (const std::exception &error) {
    std::fprintf(stderr, "circuit_bench: %s\n", error.what());
    return 2;
}
