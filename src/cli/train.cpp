// `neurasp train`: trains an experiment and writes its weights, log and report.
#include "base/atomic_file.hpp"
#include "cli/circuit_folder.hpp"
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/experiment_check.hpp"
#include "cli/experiment_preparation.hpp"
#include "cli/learning_options.hpp"
#include "cli/numbers.hpp"
#include "cli/preparation_text.hpp"
#include "cli/signals.hpp"
#include "cli/training_display.hpp"
#include "data/experiment_file.hpp"
#include "protocol/preparation.hpp"
#include "protocol/runs.hpp"
#include "runs/best_evaluation.hpp"
#include "runs/report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ctime>
#include <filesystem>
#include <optional>

namespace neurasp::cli {

namespace {

constexpr std::size_t shown_predictions = 12;

std::string now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

// If all examples are impossible, there is nothing to learn from.
void check_possible(const data::Experiment &experiment, const runs::EpochRecord &record) {
    if (record.impossible < record.examples || record.examples == 0) return;
    if (experiment.training.alpha > 0.0) return;
    Diagnostic diagnostic;
    diagnostic.code = "impossible-observation";
    diagnostic.message =
        fmt::format("P(O) = 0 for {}, so nothing can be learned",
                    record.examples == 1 ? std::string("the only example")
                                         : fmt::format("all {} examples", record.examples));
    diagnostic.location = experiment.example.observation.location;
    diagnostic.hint = "does the observation write its atoms as the program does?";
    throw InputError(std::move(diagnostic));
}

Diagnostic as_diagnostic(const std::string &code, const std::string &message) {
    Diagnostic diagnostic;
    diagnostic.severity = Severity::warning;
    diagnostic.code = code;
    diagnostic.message = message;
    return diagnostic;
}

std::string as_text(const runs::TrainingResult &result, bool worked) {
    if (result.interrupted) return "";
    if (!worked)
        return fmt::format("already trained for {}\n",
                           show_count(result.history.epochs.size(), "epoch"));
    std::string text;
    if (!result.finished.empty()) text = fmt::format("stopped: {}\n", result.finished);
    return text + fmt::format("trained in {}\n", show_seconds(result.seconds));
}

// The evaluation whose weights were kept.
std::string kept(const std::optional<runs::BestEvaluation> &best) {
    if (!best || best->metric.empty()) return "";
    runs::Evaluation evaluation;
    evaluation.metrics = {{best->metric, best->value, best->is_share}};
    return fmt::format("best: {}, validation: {}\n", runs::epoch_name(best->epoch),
                       show_metrics(evaluation));
}

} // namespace

ExitCode run_train(const TrainOptions &options) {
    Console console(options.color);
    const data::Experiment experiment =
        data::read_experiment_file(options.file, options.assignments);
    check_output_folder(experiment, options);
    const SignalGuard guard;
    TrainingDisplay display(console);
    learning::TrainerHooks hooks;
    bool worked = !options.resume;
    hooks.on_batch = [&](const learning::TrainingView &view) {
        worked = true;
        display.batch(view);
    };
    hooks.on_epoch = [&](const runs::EpochRecord &record) {
        check_possible(experiment, record);
        display.epoch(record, options.json());
    };
    hooks.on_warning = [&](const std::string &code, const std::string &message) {
        if (!options.json()) return display.warn(message);
        const Diagnostic warning = as_diagnostic(code, message);
        report_warnings(console, true, {&warning, 1});
    };
    hooks.on_diagnostic = [&](const Diagnostic &warning) {
        display.clear();
        report_warnings(console, options.json(), {&warning, 1});
    };
    hooks.stop = stop_token();
    hooks.time = now;
    report_warnings(console, options.json(),
                    circuit_folder_warnings(experiment.training.circuits.path));
    std::optional<ExperimentPreparation> preparation(std::in_place, options, console);
    learning::Trainer trainer(experiment, options.resume, hooks,
                              options.overwrite ? learning::OldRun::replace
                                                : learning::OldRun::keep);
    preparation.reset();
    const runs::TrainingResult result = trainer.run();
    display.clear();

    const std::filesystem::path folder = experiment.output.path;
    if (options.report) {
        runs::RunSummary run = trainer.summary();
        run.finished = result.finished;
        run.predictions = trainer.predictions(shown_predictions);
        base::write_file(folder / "report.html", runs::report_html(run));
    }
    if (options.json()) {
        protocol::Json document = protocol::to_json(result, folder.string());
        if (options.stats) document["stats"] = protocol::to_json(trainer.step().statistics());
        console.write(protocol::document(document));
    } else {
        console.write(as_text(result, worked) + kept(result.history.best));
        console.write(fmt::format("weights, log{} in {}\n", options.report ? ", report.html" : "",
                                  folder.string()));
    }
    console.flush();
    if (options.stats && !options.json()) {
        console.complain(preparation_text(trainer.step().statistics()));
    }
    if (result.interrupted) {
        if (!options.json())
            console.complain("interrupted; the same command with --resume continues");
        return ExitCode::interrupted;
    }
    return ExitCode::fine;
}

} // namespace neurasp::cli
