// `neurasp check`: a summary of the program, whether it is coherent, and whether the networks' most probable
// outcomes satisfy it. Of an experiment: what can be learned from it (check_experiment.cpp).
#include "cli/check_experiment.hpp"
#include "cli/commands.hpp"
#include "cli/errors.hpp"
#include "cli/learning_options.hpp"
#include "cli/numbers.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "protocol/answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>
#include <optional>
#include <set>

namespace neurasp::cli {

namespace {

struct CheckOptions : Options {
    bool coherence = false;
    bool argmax = false;
    CheckExperimentOptions experiment;
};

struct Findings {
    std::vector<Diagnostic> diagnostics;
    ProgramSummary summary;
    std::optional<CoherenceAnswer> coherence;
    std::optional<ConsistencyAnswer> argmax;
    HowAnswered how; // of the last question that was asked
};

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string show_total_choices(double log10) {
    constexpr double exactly_countable = 15.0;
    if (log10 < exactly_countable) return fmt::format("{:.0f}", std::pow(10.0, log10));
    return fmt::format("about 1e{:.0f}", log10);
}

std::vector<Row> summary_rows(const ProgramSummary &summary) {
    std::vector<Row> rows = {
        {"neural rules", fmt::to_string(summary.neural_rules)},
        {"probabilistic rules", fmt::to_string(summary.probabilistic_rules)},
        {"random variables", fmt::to_string(summary.random_variables)},
        {"total choices", show_total_choices(summary.log10_total_choices)},
        {"ground atoms", fmt::to_string(summary.ground_atoms)},
        {"ground rules", fmt::format("{} ({})", summary.ground_rules,
                                     show_count(summary.constraints, "constraint"))},
    };
    if (summary.weak_constraints > 0) {
        rows.push_back({"weak constraints", fmt::to_string(summary.weak_constraints)});
    }
    rows.push_back({"relevant", fmt::format("{}, {}", show_count(summary.relevant_rules, "rule"),
                                            show_count(summary.relevant_variables, "variable"))});
    rows.push_back({"tight", summary.tight ? "yes"
                                           : fmt::format("no (largest loop: {})",
                                                         show_count(summary.largest_scc, "atom"))});
    rows.push_back({"determined by choices", yes_or_no(summary.determined)});
    rows.push_back({"engines", fmt::format("{}", fmt::join(summary.engines, ", "))});
    return rows;
}

void add_coherence(std::vector<Row> &rows, const Findings &findings) {
    if (!findings.coherence) {
        rows.push_back(
            {"coherent", findings.summary.coherent ? "yes" : "not known (--coherence finds out)"});
        return;
    }
    switch (findings.coherence->coherence) {
    case Coherence::coherent: rows.push_back({"coherent", "yes"}); break;
    case Coherence::unknown: rows.push_back({"coherent", "not known"}); break;
    case Coherence::incoherent:
        rows.push_back({"coherent", "no"});
        rows.push_back({"  no stable model with",
                        fmt::format("{}", fmt::join(findings.coherence->witness, " "))});
    }
}

void add_argmax(std::vector<Row> &rows, const ConsistencyAnswer &argmax, bool observes) {
    // a limit may have ended the search for a model
    const auto known = [&](bool found) {
        return found || argmax.how.exact ? yes_or_no(found) : "not known";
    };
    rows.push_back({"most probable outcomes", fmt::format("{}", fmt::join(argmax.choice, " "))});
    rows.push_back({"  satisfy the program", known(argmax.satisfies_program)});
    if (observes) {
        rows.push_back({"  satisfy the observation", known(argmax.satisfies_observation)});
    }
}

Findings find(Session &session, const CheckOptions &options) {
    Findings findings;
    findings.diagnostics = session.question().diagnostics();
    findings.summary = session.question().summary();
    if (options.coherence) {
        findings.coherence =
            session.answer([&] { return session.question().coherence(session.limits()); });
        findings.how = findings.coherence->how;
    }
    const bool go_on = !findings.how.interrupted;
    if (go_on && (options.argmax || !options.output_files.empty())) {
        findings.argmax = session.answer([&] {
            return session.question().argmax_consistency(session.outputs(), session.limits());
        });
        const bool exact = findings.how.exact;
        findings.how = findings.argmax->how;
        findings.how.exact = findings.how.exact && exact;
    }
    return findings;
}

ExitCode run(const CheckOptions &options) {
    Session session(options);
    session.prepare(options.json() ? Notices::none : Notices::all);
    const Findings findings = find(session, options);
    session.progress().finish();
    if (options.json()) {
        session.print(protocol::check_json(findings.diagnostics, findings.summary,
                                           findings.coherence, findings.argmax),
                      findings.how);
    } else {
        std::vector<Row> rows = summary_rows(findings.summary);
        add_coherence(rows, findings);
        if (findings.argmax) add_argmax(rows, *findings.argmax, options.observes());
        session.console().write(align(rows) + "\n");
    }
    const bool answered =
        !findings.coherence || findings.coherence->coherence != Coherence::unknown;
    return session.finish(findings.how, answered);
}

// Options that both kinds of check have, and those of experiments alone.
const std::set<std::string> common_options = {"--format", "--color", "--time-limit"};
const std::set<std::string> experiment_options = {"--set", "--split", "--choices", "--steps"};

// Throws: UsageError if an option is given that this kind of check does not have.
void refuse_options(const CLI::App &command, bool is_experiment) {
    for (const std::string &name : given_options(command)) {
        if (common_options.contains(name) || experiment_options.contains(name) == is_experiment) {
            continue;
        }
        throw UsageError(is_experiment
                             ? fmt::format("{} is for programs, not for experiment files", name)
                             : fmt::format("{} is for experiment files (TOML)", name),
                         "see `neurasp check --help`");
    }
}

ExitCode run_experiment(const CheckOptions &options) {
    CheckExperimentOptions experiment = options.experiment;
    experiment.file = options.files.front();
    experiment.time_limit = options.time_limit;
    experiment.json = options.json();
    experiment.color = options.color;
    return run_check_experiment(experiment);
}

Action declare_check(CLI::App &command) {
    auto options = std::make_shared<CheckOptions>();
    add_flag(command, "--coherence", options->coherence,
             "prove that every total choice has a stable model, or show one that has none");
    add_flag(command, "--argmax", options->argmax,
             "check whether the most probable outcomes satisfy program and observation (implied by "
             "--probs)");
    add_question_options(command, *options);
    CheckExperimentOptions &experiment = options->experiment;
    add_assignments_option(command, experiment.assignments);
    add_split_option(command, experiment.split, "the split to check (train)");
    add_experiment_count(command, "--choices", experiment.choices,
                         "try at most N total choices, complete or not, where labels are missing "
                         "(20000)");
    add_experiment_count(command, "--steps", experiment.steps,
                         "end the search for shortcuts after N steps (200000)");
    return [options, &command] {
        const bool is_experiment =
            options->files.size() == 1 && options->files.front().ends_with(".toml");
        refuse_options(command, is_experiment);
        return is_experiment ? run_experiment(*options) : run(*options);
    };
}

constexpr auto check_examples = R"(Examples:
  neurasp check addition.lp
  neurasp check umbrella.lp --coherence
  neurasp check addition.lp -p addition.json -o ':- not sum(3).' --argmax
  neurasp check addition/addition.toml
  neurasp check addition/addition.toml --split test --format json

Of an experiment file, check says what can be learned from it: which observations are impossible or
teach nothing, which networks never matter, and how many reasoning shortcuts there are. It needs no
LibTorch.)";

} // namespace

Command check_command() {
    return {"check", "Mistakes, and a summary of a program or experiment", check_examples,
            declare_check};
}

} // namespace neurasp::cli
