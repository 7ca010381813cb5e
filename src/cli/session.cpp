// The steps that every question takes: reading, grounding, answering, and reporting how that went.
#include "cli/session.hpp"

#include "base/stopwatch.hpp"
#include "base/time_plan.hpp"
#include "cli/circuit_folder.hpp"
#include "cli/errors.hpp"
#include "cli/inputs.hpp"
#include "cli/learning_options.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace neurasp::cli {

std::string seen_so_far(const HowAnswered &how, const Console &console) {
    if (how.exact) return {};
    return console.mark(Mark::alarm,
                        fmt::format(" (of the {} seen)", show_count(how.models_seen, "model")));
}

template <class Step> void Session::timed(double &seconds, std::string_view phase, Step step) {
    progress_.phase(std::string(phase));
    const base::Stopwatch stopwatch;
    step();
    seconds += stopwatch.seconds();
}

void Session::prepare(Notices notices) {
    watch_.emplace(Watched::grounding,
                   WatchLimits{options_.time_limit, memory_limit_bytes(options_), options_.json()},
                   console_, progress_);
    timed(times_.reading, "reading", [&] { read(); });
    timed(times_.grounding, "grounding", [&] { ground(); });
    watch_.reset();
    std::vector<Diagnostic> live;
    if (!options_.networks.empty() && options_.observation_set.empty()) {
        timed(times_.reading, "running networks",
              [&] { live = add_live_outputs(options_, question(), outputs_); });
    }
    report_warnings(console_, options_.json(), live);
    report(notices);
}

void Session::read() {
    check_program_files(options_);
    check_networks(options_);
    check_standard_input(options_);
    if (!options_.networks.empty()) hand_over_to_torch_build();
    program_ = Program::from_files(options_.files, program_options(options_));
    outputs_ = read_outputs(options_);
    common_outputs_ = outputs_;
}

void Session::ground() {
    observations_ = read_observations(options_);
    const SignalGuard guard;
    watch_->start_clock();
    reasoner_.emplace(*program_, limits_of(options_));
    question_ = reasoner_->ask(observations_, queries());
    if (stop_requested()) throw LimitError("interrupted while grounding", "", true);
}

void Session::watch_answering() {
    watch_.emplace(Watched::answering, WatchLimits{limits().seconds, {}, options_.json()}, console_,
                   progress_);
    watch_->start_clock();
}

Limits Session::limits() const {
    Limits limits = limits_of(options_);
    if (auto &seconds = limits.seconds) {
        seconds =
            std::max(*seconds - times_.grounding, *seconds * base::time_plan::answering_at_least);
    }
    return limits;
}

Queries Session::queries() const {
    std::vector<Query> list(options_.queries.begin(), options_.queries.end());
    for (const std::string &text : options_.each_queries) list.push_back(each(text));
    return list;
}

void Session::turn_to(const ObservedExample &example, const Limits &limits) {
    std::vector<Observation> observations = observations_;
    observations.push_back(example.observation);
    question_ = reasoner_->ask(observations, queries(), limits);
    if (stop_requested()) throw LimitError("interrupted while grounding", "", true);
    outputs_ = common_outputs_;
    add_outputs(example.outputs, outputs_);
    std::vector<Diagnostic> found = question_->diagnostics();
    if (!options_.networks.empty()) {
        const auto more = add_live_outputs(options_, question(), outputs_);
        found.insert(found.end(), more.begin(), more.end());
    }
    for (Diagnostic &diagnostic : found) {
        const auto same = [&](const Diagnostic &other) {
            return other.location == diagnostic.location && other.code == diagnostic.code;
        };
        if (std::none_of(found_.begin(), found_.end(), same)) {
            found_.push_back(std::move(diagnostic));
        }
    }
}

void Session::report_all() { report(found_, Notices::warnings); }

void Session::report(Notices notices) {
    if (notices != Notices::none) report(question().diagnostics(), notices);
}

void Session::report(std::vector<Diagnostic> found, Notices notices) {
    if (notices == Notices::warnings && !options_.stats) {
        std::erase_if(found, [](const Diagnostic &d) { return d.severity == Severity::info; });
    }
    const std::vector<Diagnostic> cache = circuit_folder_warnings(options_.circuit_cache);
    found.insert(found.end(), cache.begin(), cache.end());
    report_warnings(console_, options_.json(), found);
}

void Session::explain_missing_outputs(const InputError &error) const {
    if (!options_.output_files.empty() || !options_.networks.empty()) return;
    std::vector<Diagnostic> diagnostics = error.diagnostics();
    for (Diagnostic &diagnostic : diagnostics) {
        if (diagnostic.code != "missing-output") return;
    }
    diagnostics.back().hint += "; put them into a file for -p, or run a network with --net";
    throw InputError(std::move(diagnostics));
}

std::string_view Session::no_model_message() const {
    return options_.observes() ? "no stable model satisfies the observation"
                               : "the program has no stable model";
}

std::string_view Session::zero_message() const {
    return options_.observes() ? "P(O) = 0: no possible stable model satisfies the observation"
                               : "the program has no possible stable model";
}

std::string_view Session::observed_label() const {
    if (options_.observes()) return "P(O)";
    return options_.optimal ? "P(some model of least cost)" : "P(some stable model)";
}

std::string_view Session::given_label() const {
    if (options_.observes()) return "O";
    return options_.optimal ? "least cost" : "";
}

void Session::mark_inexact(const HowAnswered &how, std::string_view meaning) {
    if (how.exact || options_.json() || marked_) return;
    marked_ = true;
    const std::string reason = how.limit.empty() ? "a limit was reached" : how.limit;
    console_.write(console_.mark(Mark::alarm, fmt::format("not exact: {}{}{}", reason,
                                                          meaning.empty() ? "" : "; ", meaning)) +
                   "\n");
}

void Session::print(protocol::Json answer, const HowAnswered &how) {
    if (options_.stats) answer["stats"] = stats(how);
    console_.write(protocol::document(answer));
}

protocol::Json Session::stats(const HowAnswered &how) {
    return protocol::stats_json(how, times_, question().summary());
}

ExitCode Session::finish(const HowAnswered &how, bool answered) {
    if (answered) mark_inexact(how);
    console_.flush();
    if (!how.exact && !answered) {
        const std::string reason = how.limit.empty() ? "a limit was reached" : how.limit;
        if (!how.interrupted) {
            report_message(console_, options_.json(), ExitCode::no_answer,
                           fmt::format("no answer within the limits: {}", reason));
        } else if (!options_.json()) {
            console_.complain(
                console_.mark_error(Mark::alarm, "interrupted before there was an answer"));
        }
    }
    if (options_.stats && !options_.json()) show_stats(how);
    if (how.interrupted) return ExitCode::interrupted;
    return how.exact || answered ? ExitCode::fine : ExitCode::no_answer;
}

void Session::show_stats(const HowAnswered &how) {
    const ProgramSummary summary = question().summary();
    std::vector<Row> rows = {{"engine", how.engine}};
    if (!how.why.empty()) rows.push_back({"", how.why});
    const std::vector<Row> rest = {
        {"models seen", fmt::to_string(how.models_seen)},
        {"solver calls", fmt::to_string(how.solver_calls)},
        {"random variables", fmt::to_string(summary.random_variables)},
        {"ground rules", fmt::to_string(summary.ground_rules)},
        {"reading", show_seconds(times_.reading)},
        {"grounding", show_seconds(times_.grounding)},
        {"answering", show_seconds(times_.answering)},
    };
    rows.insert(rows.end(), rest.begin(), rest.end());
    console_.complain(align(rows));
}

} // namespace neurasp::cli
