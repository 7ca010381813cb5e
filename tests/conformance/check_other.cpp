// Questions about the program (coherence, argmax, summary) and diagnostics.
#include "checker.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace neurasp::conformance {

namespace {

std::vector<std::string> sorted_words(const std::string &text) {
    std::vector<std::string> words = split_words(text);
    std::sort(words.begin(), words.end());
    return words;
}

bool yes_or_no(const Asked &asked, const Line &line, const std::string &text) {
    if (text != "yes" && text != "no")
        asked.failures.misuse(line.number, "'yes' or 'no' is expected");
    return text == "yes";
}

void check_flag(const Asked &asked, const Line &line, const std::string &expected, bool actual) {
    if (yes_or_no(asked, line, expected) != actual)
        asked.failures.add(line.number, line.text + ": got " + (actual ? "yes" : "no"));
}

// One diagnostic as an `error` or `warning` section expects it.
struct ExpectedDiagnostic {
    std::string code;
    std::string place; // "name:line:column", "name" or "none"
    std::vector<std::string> fragments;
};

std::string place_of(const SourceLocation &location) {
    if (location.file.empty() && location.line == 0) return "none";
    if (location.line == 0) return location.file;
    return location.file + ":" + std::to_string(location.line) + ":" +
           std::to_string(location.column);
}

struct Expectations {
    std::vector<std::pair<std::size_t, ExpectedDiagnostic>> diagnostics;
    bool more = false; // further diagnostics are allowed
};

void read_body(const std::vector<Line> &body, const Failures &failures, Expectations &result) {
    ExpectedDiagnostic expected;
    for (const Line &line : body) {
        const auto [left, right] = split_equation(line, failures.where(line.number));
        if (left == "code")
            expected.code = right;
        else if (left == "at")
            expected.place = right;
        else if (left == "text")
            expected.fragments.push_back(right);
        else if (left == "more" && right == "yes")
            result.more = true;
        else
            failures.misuse(line.number, "unknown key '" + left + "'");
    }
    const std::size_t line = body.front().number;
    if (expected.code.empty() || expected.place.empty())
        failures.misuse(line, "'code = ...' and 'at = ...' are required");
    result.diagnostics.emplace_back(line, std::move(expected));
}

Expectations read_expectations(const Step &step, const Failures &failures) {
    Expectations result;
    read_body(step.body, failures, result);
    for (const std::vector<Line> &body : step.more_bodies) read_body(body, failures, result);
    return result;
}

bool fits(const ExpectedDiagnostic &expected, const Diagnostic &found) {
    const std::string text = found.message + "\n" + found.hint;
    return expected.code == found.code && expected.place == place_of(found.location) &&
           std::all_of(
               expected.fragments.begin(), expected.fragments.end(),
               [&text](const std::string &part) { return text.find(part) != std::string::npos; });
}

void match_diagnostics(const Step &step, std::vector<Diagnostic> found, Failures &failures) {
    const Expectations expected = read_expectations(step, failures);
    std::string all;
    for (const Diagnostic &diagnostic : found) all += "\n    " + render(diagnostic);
    for (const auto &[line, diagnostic] : expected.diagnostics) {
        const auto match =
            std::find_if(found.begin(), found.end(),
                         [&wanted = diagnostic](const Diagnostic &d) { return fits(wanted, d); });
        if (match == found.end())
            failures.add(line,
                         "no " + diagnostic.code + " at " + diagnostic.place +
                             " with the expected text; got:" + (all.empty() ? " nothing" : all));
        else
            found.erase(match);
    }
    if (!expected.more && !found.empty())
        failures.add(step.line, "more diagnostics than expected:" + all);
}

} // namespace

void check_coherence(const Asked &asked) {
    if (!asked.step.arguments.empty())
        asked.failures.misuse(asked.step.line, "'coherence' takes no arguments");
    const CoherenceAnswer answer = asked.question().coherence();
    std::optional<Coherence> expected;
    std::set<std::vector<std::string>> witnesses;
    for (const Line &line : asked.step.body) {
        if (line.text == "coherent")
            expected = Coherence::coherent;
        else if (line.text == "incoherent")
            expected = Coherence::incoherent;
        else if (line.text.starts_with("witness "))
            witnesses.insert(sorted_words(line.text.substr(8)));
        else
            asked.failures.misuse(line.number, "unknown key '" + line.text + "'");
    }
    if (!expected || (*expected == Coherence::incoherent) == witnesses.empty())
        asked.failures.misuse(asked.step.line,
                              "'coherent', or 'incoherent' with 'witness' lines, is expected");
    if (answer.coherence != *expected)
        return asked.failures.add(asked.step.line, "wrong verdict on coherence");
    std::vector<std::string> witness = answer.witness;
    std::sort(witness.begin(), witness.end());
    if (!witnesses.empty() && !witnesses.contains(witness)) {
        std::string text = "not a witness:";
        for (const std::string &atom : witness) text += " " + atom;
        asked.failures.add(asked.step.line, text);
    }
}

void check_argmax(const Asked &asked) {
    if (!asked.step.arguments.empty())
        asked.failures.misuse(asked.step.line, "'argmax' takes no arguments");
    const ConsistencyAnswer answer = asked.question().argmax_consistency(asked.outputs);
    std::set<std::string> keys;
    for (const Line &line : asked.step.body) {
        if (line.text.starts_with("choice ")) {
            std::vector<std::string> choice = answer.choice;
            std::sort(choice.begin(), choice.end());
            if (choice != sorted_words(line.text.substr(7))) {
                std::string text = "the choice is";
                for (const std::string &atom : choice) text += " " + atom;
                asked.failures.add(line.number, text);
            }
            continue;
        }
        const auto [left, right] = split_equation(line, asked.failures.where(line.number));
        keys.insert(left);
        if (left == "program")
            check_flag(asked, line, right, answer.satisfies_program);
        else if (left == "observation")
            check_flag(asked, line, right, answer.satisfies_observation);
        else
            asked.failures.misuse(line.number, "unknown key '" + left + "'");
    }
    if (keys.size() != 2)
        asked.failures.misuse(asked.step.line, "'program = ' and 'observation = ' are required");
}

void check_summary(const Asked &asked) {
    if (!asked.step.arguments.empty())
        asked.failures.misuse(asked.step.line, "'summary' takes no arguments");
    const ProgramSummary summary = asked.question().summary();
    const std::map<std::string, std::size_t> numbers = {
        {"neural-rules", summary.neural_rules},
        {"probabilistic-rules", summary.probabilistic_rules},
        {"random-variables", summary.random_variables},
        {"largest-scc", summary.largest_scc},
    };
    const std::map<std::string, bool> flags = {
        {"tight", summary.tight},
        {"determined", summary.determined},
    };
    for (const Line &line : asked.step.body) {
        const auto [left, right] = split_equation(line, asked.failures.where(line.number));
        if (const auto number = numbers.find(left); number != numbers.end()) {
            if (std::to_string(number->second) != right)
                asked.failures.add(line.number, left + ": got " + std::to_string(number->second));
        } else if (const auto flag = flags.find(left); flag != flags.end()) {
            check_flag(asked, line, right, flag->second);
        } else {
            asked.failures.misuse(line.number, "unknown key '" + left + "'");
        }
    }
}

void check_warnings(const Asked &asked) {
    std::vector<Diagnostic> found = asked.question().diagnostics();
    std::erase_if(found, [](const Diagnostic &d) { return d.severity == Severity::error; });
    match_diagnostics(asked.step, std::move(found), asked.failures);
}

void check_errors(const Step &step, const std::vector<Diagnostic> &found, Failures &failures) {
    std::vector<Diagnostic> errors = found;
    std::erase_if(errors, [](const Diagnostic &d) { return d.severity != Severity::error; });
    match_diagnostics(step, std::move(errors), failures);
}

} // namespace neurasp::conformance
