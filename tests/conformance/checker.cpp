// Runs the steps of a case and compares numbers within the tolerance.
#include "checker.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

namespace neurasp::conformance {

namespace {

// Probabilities are sums and products of doubles, a few hundred at most, some through logarithms of
// size 1000: their relative error stays below 1e-12. The test texts give at least ten digits.
constexpr long double relative_tolerance = 1e-9L;
// The error that cancellation of values near 1 leaves.
constexpr long double zero_tolerance = 1e-12L;

std::string show(long double value) {
    std::ostringstream out;
    out << std::setprecision(17) << static_cast<double>(value);
    return out.str();
}

void dispatch(const Asked &asked) {
    switch (asked.step.kind) {
    case StepKind::prob: return check_prob(asked);
    case StepKind::models: return check_models(asked);
    case StepKind::map: return check_map(asked);
    case StepKind::sample: return check_sample(asked);
    case StepKind::marginals: return check_marginals(asked);
    case StepKind::gradient: return check_gradient(asked);
    case StepKind::coherence: return check_coherence(asked);
    case StepKind::argmax: return check_argmax(asked);
    case StepKind::summary: return check_summary(asked);
    case StepKind::warning: return check_warnings(asked);
    case StepKind::error: break; // handled by the caller
    }
}

Settings settings_for(const Step &step, const std::string &engine) {
    Settings settings;
    settings.engine = engine;
    settings.optimal = step.optimal;
    settings.all_atoms = step.all_atoms;
    return settings;
}

// An error may come from reading the program, grounding, the observation or the outputs: the step
// goes through all of them with the simplest question.
std::vector<Diagnostic> provoke(const Case &test, const Step &step, const std::string &engine) {
    try {
        Reasoner reasoner(Program(test.program, test.options));
        const NetworkOutputs outputs = make_outputs(step.outputs);
        const Question question = reasoner.ask(step.observation);
        question.probability(outputs, settings_for(step, engine));
    } catch (const InputError &error) {
        return error.diagnostics();
    }
    return {};
}

void run_step(const Case &test, const Step &step, const std::string &engine,
              std::optional<Reasoner> &reasoner, Failures &failures) {
    if (step.kind == StepKind::error)
        return check_errors(step, provoke(test, step, engine), failures);
    if (!reasoner) reasoner.emplace(Program(test.program, test.options));
    const NetworkOutputs outputs = make_outputs(step.outputs);
    dispatch({*reasoner, step, outputs, settings_for(step, engine), failures});
}

} // namespace

std::string Failures::where(std::size_t line) const {
    return test_->path + ":" + std::to_string(line);
}

void require_exact(const Asked &asked, const HowAnswered &how) {
    if (!how.exact || how.interrupted)
        asked.failures.add(asked.step.line, "the answer is not exact: " + how.limit);
}

void Failures::add(std::size_t line, const std::string &what) {
    messages_.push_back(where(line) + ": [" + engine_ + "] " + what);
}

void Failures::misuse(std::size_t line, const std::string &what) const {
    throw CaseError(where(line) + ": " + what);
}

void Failures::compare(std::size_t line, const std::string &what, const Number &expected,
                       double actual) {
    if (!close(expected, actual))
        add(line, what + ": expected " + show(expected.value) + ", got " + show(actual));
}

bool close(const Number &expected, double actual) {
    const long double value = expected.value;
    if (std::isinf(value) || std::isinf(actual)) return value == static_cast<long double>(actual);
    const long double tolerance = expected.tolerance ? *expected.tolerance
                                  : value == 0.0L    ? zero_tolerance
                                                     : relative_tolerance * std::fabs(value);
    return std::fabs(static_cast<long double>(actual) - value) <= tolerance; // false for NaN
}

NetworkOutputs make_outputs(const OutputsText &text) {
    NetworkOutputs outputs;
    if (text.json) outputs = NetworkOutputs::from_json(*text.json, "outputs");
    for (const auto &[key, values] : text.rows) outputs.set(key.first, key.second, values);
    for (const std::string &network : text.logits) outputs.declare_logits(network);
    return outputs;
}

std::vector<std::string> run_case(const Case &test, const std::string &engine) {
    Failures failures(test, engine);
    std::optional<Reasoner> reasoner;
    for (const Step &step : test.steps) {
        try {
            run_step(test, step, engine, reasoner, failures);
        } catch (const InputError &error) {
            std::string text = "refused:";
            for (const Diagnostic &diagnostic : error.diagnostics())
                text += "\n    " + render(diagnostic);
            failures.add(step.line, text);
        } catch (const CaseError &) {
            throw;
        } catch (const std::exception &error) {
            failures.add(step.line, std::string("exception: ") + error.what());
        }
    }
    return failures.all();
}

} // namespace neurasp::conformance
