// A conformance case: one `.test` file read into steps. README.md describes the format.
#pragma once

#include "neurasp/neurasp.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::conformance {

// A mistake in the test file itself; the message starts with file:line.
class CaseError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct Line {
    std::size_t number = 0; // in the file, from 1
    std::string text;       // trimmed
};

// An expected number. The default tolerance is relative, a written one (`+- 1e-6`) absolute.
struct Number {
    long double value = 0.0L;
    std::optional<long double> tolerance;
};

struct ExpectedModel {
    std::size_t line = 0;
    Number probability;
    bool log = false;    // `probability` is a logarithm
    bool subset = false; // written with `has`: one of the models, the others are not listed
    std::optional<std::vector<std::int64_t>> cost;
    std::vector<std::string> atoms; // sorted
};

enum class StepKind {
    prob,
    models,
    map,
    marginals,
    gradient,
    coherence,
    argmax,
    sample,
    summary,
    error,
    warning,
};

// Where the network outputs of a step come from: JSON text, or rows, or both.
struct OutputsText {
    std::optional<std::string> json;
    std::map<std::pair<std::string, std::string>, std::vector<double>> rows;
    std::vector<std::string> logits; // networks
};

// One question with everything that was in force at its place in the file.
struct Step {
    StepKind kind = StepKind::prob;
    std::size_t line = 0;
    std::vector<std::string> arguments; // words after the section's name
    std::vector<Line> body;
    std::vector<std::vector<Line>> more_bodies; // further `error` or `warning` sections that follow
    std::vector<Observation> observation;
    OutputsText outputs;
    bool optimal = false;
    bool all_atoms = false;
};

struct Case {
    std::string path;
    std::string description;
    std::vector<NamedText> program;
    ProgramOptions options;
    std::vector<Step> steps;
};

// Throws: CaseError.
Case read_case(const std::filesystem::path &path);

// Helpers to read a line of a question; `where` is file:line for the error message.
// Throws: CaseError.
Number parse_number(std::string_view text, const std::string &where);
std::vector<Number> parse_numbers(std::string_view text, const std::string &where); // `a ; b ; c`
ExpectedModel parse_model(const Line &line, const std::string &where);
// Splits at blanks outside of quotes; the result is in order.
std::vector<std::string> split_words(std::string_view text);
// Splits `left = right` at the last " = " (an empty `left` is an error).
std::pair<std::string, std::string> split_equation(const Line &line, const std::string &where);
std::string trimmed(std::string_view text);

} // namespace neurasp::conformance
