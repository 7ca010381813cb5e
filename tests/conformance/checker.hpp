// Asks the library what a conformance case asks and compares the answers with the expected ones.
#pragma once

#include "case_file.hpp"

#include <string>
#include <vector>

namespace neurasp::conformance {

// Collects failures, each with file:line and the engine.
class Failures {
  public:
    Failures(const Case &test, std::string engine) : test_(&test), engine_(std::move(engine)) {}

    void add(std::size_t line, const std::string &what);
    // Compares within the tolerance: relative 1e-9 unless the test says otherwise.
    void compare(std::size_t line, const std::string &what, const Number &expected, double actual);
    // Throws: CaseError, for mistakes in the test itself.
    [[noreturn]] void misuse(std::size_t line, const std::string &what) const;
    std::string where(std::size_t line) const;

    const std::vector<std::string> &all() const noexcept { return messages_; }

  private:
    const Case *test_;
    std::string engine_;
    std::vector<std::string> messages_;
};

// Everything that the check of one question needs.
struct Asked {
    Reasoner &reasoner;
    const Step &step;
    const NetworkOutputs &outputs;
    Settings settings;
    Failures &failures;

    Question question(const Queries &queries = {}) const {
        return reasoner.ask(step.observation, queries);
    }
};

// One function per kind of question.
void check_prob(const Asked &asked);
void check_models(const Asked &asked);
void check_map(const Asked &asked);
void check_sample(const Asked &asked);
void check_marginals(const Asked &asked);
void check_gradient(const Asked &asked);
void check_coherence(const Asked &asked);
void check_argmax(const Asked &asked);
void check_summary(const Asked &asked);
void check_warnings(const Asked &asked);
void check_errors(const Step &step, const std::vector<Diagnostic> &found, Failures &failures);

// An answer that is a bound, an estimate or interrupted is a failure.
void require_exact(const Asked &asked, const HowAnswered &how);

// Whether the relative difference is at most 1e-9 (absolute 1e-12 next to 0), or within the tolerance that the
// test states.
bool close(const Number &expected, double actual);

NetworkOutputs make_outputs(const OutputsText &text);

// Runs all steps of a case with one engine.
std::vector<std::string> run_case(const Case &test, const std::string &engine);

} // namespace neurasp::conformance
