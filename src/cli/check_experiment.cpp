// `neurasp check X.toml`: reads a split, prepares its observations, and says what can be learned from them.
#include "cli/check_experiment.hpp"

#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/learning_check_text.hpp"
#include "cli/limit_watch.hpp"
#include "cli/progress.hpp"
#include "cli/signals.hpp"
#include "protocol/learning_check.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace neurasp::cli {

namespace {

void show_progress(ProgressLine &line, const Progress &progress) {
    switch (progress.phase) {
    case Phase::preparing:
        line.phase(fmt::format("preparing observations, {} of {},", progress.done,
                               progress.total.value_or(0)));
        break;
    case Phase::searching:
        line.phase(fmt::format("looking for shortcuts, {} steps,", progress.done));
        break;
    default: line.phase(std::string(name_of(progress.phase)));
    }
}

} // namespace

ExitCode run_check_experiment(const CheckExperimentOptions &options) {
    Console console(options.color);
    const SignalGuard guard;
    ProgressLine line;
    LimitWatch watch(Watched::answering, {options.time_limit, {}, options.json}, console, line);
    watch.start_clock();
    line.phase("reading and grounding");
    line.advise("Ctrl-C: what is known so far; see --time-limit");
    Limits limits;
    limits.seconds = options.time_limit;
    limits.stop = stop_token();
    limits.on_progress = [&](const Progress &progress) { show_progress(line, progress); };
    LearningCheckSettings settings;
    settings.choices = options.choices;
    settings.steps = options.steps;
    const runs::ExperimentCheck check = runs::check_experiment_file(
        options.file, options.assignments, options.split, settings, limits);
    watch.release();
    line.finish();
    const HowAnswered &how = check.learning.how;
    if (options.json) {
        console.write(protocol::document(protocol::to_json(check)));
    } else {
        report_warnings(console, false, check.diagnostics);
        console.write(learning_check_text(check));
        if (!how.exact) {
            console.write(console.mark(Mark::alarm, "not exact: " + how.limit) + "\n");
        }
    }
    console.flush();
    return how.interrupted ? ExitCode::interrupted : ExitCode::fine;
}

} // namespace neurasp::cli
