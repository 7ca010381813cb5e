#include "cli/session.hpp"

#include "cli/circuit_cache.hpp"
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

template <class Step> auto Session::timed(double &seconds, std::string_view phase, Step step) {
    progress_.phase(std::string(phase));
    const auto start = Clock::now();
    auto result = step();
    seconds += since(start);
    return result;
}

Session::Session(const Options &options, Notices notices)
    : options_(options), console_(options.color),
      watch_(std::in_place, Watched::grounding,
             WatchLimits{options.time_limit, memory_limit_bytes(options), options.json()}, console_,
             progress_),
      program_(timed(times_.reading, "reading",
                     [&] {
                         check_program_files(options);
                         check_networks(options);
                         check_standard_input(options);
                         if (!options.networks.empty()) need_networks();
                         return Program::from_files(options.files, program_options(options));
                     })),
      outputs_(timed(times_.reading, "reading", [&] { return read_outputs(options); })),
      reasoner_(program_, grounding_limits(options)),
      question_(timed(times_.grounding, "grounding", [&] { return ground(); })) {
    watch_.reset();
    if (!options.networks.empty()) {
        timed(times_.reading, "running networks", [&] {
            add_live_outputs(options, reasoner_, question_, outputs_);
            return 0;
        });
    }
    report(notices);
}

Question Session::ground() {
    const std::vector<NamedText> observations = read_observations(options_);
    const SignalGuard guard;
    watch_->start_clock();
    Question question = reasoner_.ask(observations, options_.queries);
    if (stop_requested()) throw LimitError("interrupted while grounding", "", true);
    return question;
}

void Session::watch_answering() {
    watch_.emplace(Watched::answering, WatchLimits{limits().time_limit, {}, options_.json()},
                   console_, progress_);
    watch_->start_clock();
}

AnswerOptions Session::limits() const {
    AnswerOptions limits = answer_options(options_);
    if (auto &seconds = limits.time_limit) {
        seconds = std::max(*seconds - times_.grounding, *seconds / 2);
    }
    return limits;
}

void Session::report(Notices notices) {
    if (notices == Notices::none) return;
    std::vector<Diagnostic> found = reasoner_.diagnostics(question_);
    if (notices == Notices::warnings && !options_.stats) {
        std::erase_if(found, [](const Diagnostic &d) { return d.severity == Severity::info; });
    }
    const std::vector<Diagnostic> cache = circuit_cache_warnings(options_.circuit_cache);
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

void Session::print(protocol::Json answer, const AnswerInfo &info) {
    if (options_.stats) answer["stats"] = stats(info);
    console_.write(protocol::document(answer));
}

protocol::Json Session::stats(const AnswerInfo &info) {
    return protocol::stats_json(info, times_, reasoner_.summary(question_));
}

ExitCode Session::finish(const AnswerInfo &info, bool answered) {
    console_.flush();
    const std::string reason = info.note.empty() ? "a limit was reached" : info.note;
    if (!info.exact && !answered && !info.interrupted) {
        report_message(console_, options_.json(), ExitCode::no_answer,
                       fmt::format("no answer within the limits: {}", reason));
    } else if (!info.exact && !options_.json()) {
        console_.complain(console_.mark_error(
            Mark::alarm, fmt::format("not exact: {}", info.interrupted ? "interrupted" : reason)));
    }
    if (options_.stats && !options_.json()) show_stats(info);
    if (info.interrupted) return ExitCode::interrupted;
    return info.exact || answered ? ExitCode::fine : ExitCode::no_answer;
}

void Session::show_stats(const AnswerInfo &info) {
    const ProgramSummary summary = reasoner_.summary(question_);
    std::vector<Row> rows = {{"engine", info.engine}};
    if (!info.detail.empty()) rows.push_back({"", info.detail});
    const std::vector<Row> rest = {
        {"models seen", fmt::to_string(info.models_seen)},
        {"solver calls", fmt::to_string(info.solver_calls)},
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
