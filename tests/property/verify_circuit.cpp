// The compiled question: its invariants, P(O) and gradients in batches, plain and smooth.
#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

namespace neurasp::property {

namespace {

// Sums and products of a few hundred floats, each rounded to 6e-8.
constexpr long double float_tolerance = 1e-4L;
// Gradients are sums of terms of the size of `scale`, see verify_numbers.cpp.
constexpr long double double_tolerance = 1e-9L;

// The oracle's answers for one table of outputs whose rows sum to 1.
struct Example {
    oracle::Probabilities probabilities;
    long double probability = 0.0L;
    std::optional<oracle::Probabilities> gradient;
    std::optional<oracle::Probabilities> scale;
};

// `Real` is the type to which the evaluator rounds each number.
template <class Real>
Example make_example(const Trial &trial, oracle::Probabilities probabilities, bool optimal) {
    Example example;
    for (std::vector<long double> &row : probabilities) {
        long double sum = 0.0L;
        for (const long double value : row) sum += value;
        for (long double &value : row) value = static_cast<Real>(value / sum);
    }
    example.probability = trial.truth.probability(probabilities, optimal);
    example.gradient = trial.truth.gradient(probabilities, oracle::Convention::plain, optimal);
    example.scale = trial.truth.gradient_scale(probabilities, optimal);
    example.probabilities = std::move(probabilities);
    return example;
}

// The trial's number of a circuit's variable.
std::size_t number_of(const Trial &trial, const CircuitVariable &variable) {
    for (std::size_t v = 0; v < trial.variables.size(); ++v)
        if (trial.variables[v].atoms == variable.atoms) return v;
    throw std::logic_error("the circuit has a variable " + variable.name + " of its own");
}

// Whether the gradient of a variable is as expected; up to a constant if the circuit is not smooth.
template <class Real>
void compare_row(Problems &problems, const std::string &what, const Example &example, std::size_t v,
                 const std::vector<long double> &found, bool smooth) {
    constexpr long double tolerance = sizeof(Real) == 4 ? float_tolerance : double_tolerance;
    const std::vector<long double> &expected = (*example.gradient)[v];
    const long double scale = (*example.scale)[v][0];
    if (scale > std::numeric_limits<Real>::max() / 100) return;
    const long double shift = smooth ? 0.0L : found[0] - expected[0];
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!(std::fabs(found[i] - shift - expected[i]) <= tolerance * scale))
            problems.push_back(what + ": gradient of outcome " + std::to_string(i) +
                               " of variable " + std::to_string(v) + ": expected " +
                               std::to_string(expected[i]) + ", got " +
                               std::to_string(found[i] - shift));
}

template <class Real>
void compare_log(Problems &problems, const std::string &what, long double expected, Real found) {
    constexpr long double tolerance = sizeof(Real) == 4 ? float_tolerance : relative_tolerance;
    if (expected == 0.0L) {
        if (!(std::isinf(found) && found < 0)) problems.push_back(what + ": log P(O) is not -inf");
        return;
    }
    const long double log = std::log(expected);
    if (!(std::fabs(log - static_cast<long double>(found)) <= tolerance * (1 + std::fabs(log))))
        problems.push_back(what + ": log P(O) expected " + std::to_string(log) + ", got " +
                           std::to_string(found));
}

// Evaluates all examples as one batch and compares.
template <class Real>
void compare_batch(Problems &problems, const std::string &what, const Trial &trial,
                   const CompiledQuestion &question, std::span<const Example> examples,
                   bool smooth) {
    const std::size_t batch = examples.size();
    std::vector<Real> weights(question.input_count() * batch);
    std::vector<Real> gradient(weights.size());
    std::vector<Real> log_probability(batch);
    for (const CircuitVariable &variable : question.variables()) {
        const std::size_t v = number_of(trial, variable);
        for (std::size_t o = 0; o < variable.atoms.size(); ++o)
            for (std::size_t k = 0; k < batch; ++k)
                weights[(variable.first_input + o) * batch + k] =
                    static_cast<Real>(examples[k].probabilities[v][o]);
    }
    CircuitEvaluator<Real>(question).run(weights, batch, log_probability, gradient);
    for (std::size_t k = 0; k < batch; ++k) {
        const Example &example = examples[k];
        compare_log(problems, what, example.probability, log_probability[k]);
        std::set<std::size_t> seen;
        for (const CircuitVariable &variable : question.variables()) {
            const std::size_t v = number_of(trial, variable);
            seen.insert(v);
            std::vector<long double> found;
            for (std::size_t o = 0; o < variable.atoms.size(); ++o)
                found.push_back(gradient[(variable.first_input + o) * batch + k]);
            if (example.gradient) compare_row<Real>(problems, what, example, v, found, smooth);
        }
        for (std::size_t v = 0; v < trial.variables.size() && example.gradient; ++v)
            if (!seen.contains(v))
                compare_row<Real>(problems, what + " (left out)", example, v,
                                  std::vector<long double>(trial.variables[v].atoms.size()), false);
    }
}

// The number of total choices over the circuit's variables that satisfy the observation.
void compare_count(Problems &problems, const Trial &trial, const CompiledQuestion &question,
                   bool optimal) {
    const std::optional<std::string> found = question.choice_count();
    if (!found) return;
    std::set<oracle::Choice> choices;
    for (const oracle::Model *model : trial.truth.counted(optimal)) choices.insert(model->choice);
    std::size_t others = 1;
    for (const VariableSpec &variable : trial.variables) others *= variable.atoms.size();
    for (const CircuitVariable &variable : question.variables()) others /= variable.atoms.size();
    if (*found != std::to_string(choices.size() / others))
        problems.push_back("choice_count: expected " + std::to_string(choices.size() / others) +
                           ", got " + *found);
}

bool has_head_cycle(const std::string &note) {
    return note == "a disjunction whose atoms depend on each other";
}

template <class Real>
std::vector<Example> make_examples(const Trial &trial, bool optimal, std::size_t batch) {
    std::vector<Example> examples;
    Dice dice(trial.program.seed);
    examples.push_back(make_example<Real>(trial, trial.probabilities, optimal));
    while (examples.size() < batch)
        examples.push_back(
            make_example<Real>(trial, make_probabilities(trial.variables, dice), optimal));
    return examples;
}

// Externals as inputs: false as in the program, then all true as if they were facts.
void compare_external_inputs(Problems &problems, const Question &question, const Trial &trial) {
    CompileSettings settings;
    settings.external_inputs = true;
    const Compilation compiled = question.compile(settings);
    if (!compiled.circuit) return;
    compiled.circuit->verify();
    const Example example = make_example<double>(trial, trial.probabilities, false);
    std::vector<double> weights =
        compiled.circuit->weights(network_outputs(trial.variables, example.probabilities));
    std::vector<double> log(1);
    CircuitEvaluator<double> evaluator(*compiled.circuit);
    evaluator.run(weights, 1, log, {});
    compare_log(problems, "externals as inputs", example.probability, log[0]);
    oracle::Input input = oracle_input(trial.program, trial.observation);
    for (const CircuitVariable &variable : compiled.circuit->variables()) {
        if (!variable.external) continue;
        weights[variable.first_input] = 1.0;
        weights[variable.first_input + 1] = 0.0;
        input.rules += variable.atoms[0] + ".\n";
    }
    evaluator.run(weights, 1, log, {});
    compare_log(problems, "externals that are true",
                oracle::Oracle(input).probability(example.probabilities, false), log[0]);
}

void compare_circuits(Problems &problems, const Question &question, const Trial &trial,
                      bool optimal) {
    const std::vector<Example> examples = make_examples<double>(trial, optimal, 5);
    const std::vector<Example> floats = make_examples<float>(trial, optimal, 2);
    for (const bool smooth : {false, true}) {
        const std::string what = smooth ? "smooth circuit" : "circuit";
        CompileSettings settings;
        settings.optimal = optimal;
        settings.smooth = smooth;
        const Compilation compiled = question.compile(settings);
        if (!compiled.circuit) {
            if (!has_head_cycle(compiled.note)) problems.push_back("no circuit: " + compiled.note);
            return;
        }
        const CompiledQuestion &circuit = *compiled.circuit;
        circuit.verify();
        compare_batch<double>(problems, what, trial, circuit, std::span(examples).first(1), smooth);
        compare_batch<double>(problems, what + ", batch", trial, circuit, examples, smooth);
        compare_batch<float>(problems, what + ", float", trial, circuit, floats, smooth);
        if (smooth) compare_count(problems, trial, circuit, optimal);
    }
}

} // namespace

Problems verify_circuit(const Question &question, const Trial &trial, bool optimal) {
    Problems problems;
    try {
        compare_circuits(problems, question, trial, optimal);
        if (!optimal && neurasp_text(trial.program).find("#external") != std::string::npos)
            compare_external_inputs(problems, question, trial);
    } catch (const std::exception &error) {
        problems.push_back(std::string("exception: ") + error.what());
    }
    return problems;
}

} // namespace neurasp::property
