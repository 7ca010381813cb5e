// `neurasp predict --split`: the prediction for each example of a split.
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/experiment_preparation.hpp"
#include "cli/learning_options.hpp"
#include "cli/numbers.hpp"
#include "cli/signals.hpp"
#include "data/experiment_file.hpp"
#include "learning/evaluation.hpp"
#include "learning/experiment_warnings.hpp"
#include "protocol/runs.hpp"
#include "runs/experiment_program.hpp"
#include "runs/experiment_settings.hpp"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>

namespace neurasp::cli {

namespace {

void check_options(const PredictOptions &options) {
    const bool asks = !options.inputs.empty() || !options.observations.empty() ||
                      !options.queries.empty() || options.count != 1;
    if (!asks) return;
    throw UsageError("--split takes inputs and observations from the experiment",
                     "leave out --split, or --input, -o, -q and -k");
}

// The most probable model on one line; below it the calls whose prediction differs from their label.
std::string as_text(const runs::SamplePrediction &prediction) {
    const bool wrong = prediction.judged && !prediction.right;
    std::string text = fmt::format(
        "{}: {}{}\n", prediction.name, prediction.conclusion,
        wrong ? fmt::format("  (wrong; expected {})", fmt::join(prediction.expected, ", "))
              : std::string());
    for (const auto &call : prediction.pictures) {
        if (call.label.empty() || call.label == call.prediction) continue;
        text += fmt::format("  {}: concluded {} ({}), expected {}\n", call.terms, call.prediction,
                            show_float(call.probability), call.label);
    }
    return text;
}

} // namespace

ExitCode run_predict_split(const PredictOptions &options) {
    check_options(options);
    Console console(options.color);
    const data::Experiment experiment =
        data::read_experiment_file(options.file, options.assignments);
    at::set_num_threads(static_cast<int>(runs::thread_count(experiment)));
    std::optional<ExperimentPreparation> preparation(std::in_place, options, console);
    data::ArrayStore arrays;
    TrainingOptions step_options = learning::step_options(experiment, false);
    step_options.circuits = false; // only for probabilities, which are not needed here
    TrainingProgram step(runs::program_of(experiment), step_options);
    learning::Evaluator evaluator(experiment, options.split, arrays, step);
    learning::Model model(experiment, step,
                          learning::network_inputs(experiment, step, evaluator.dataset()));
    model.load(options.weights.empty() ? experiment.output.path : options.weights);
    preparation.reset();
    learning::ExperimentWarnings warnings(step);
    warnings.add(evaluator.dataset());
    report_warnings(console, options.json(), warnings.take());
    const SignalGuard guard;
    protocol::Json examples = protocol::Json::array();
    learning::Evaluator::Sample sample;
    sample.count = experiment.evaluation.batch_size;
    sample.seconds = options.time_limit;
    for (; sample.first < evaluator.dataset().size() && !stop_requested();
         sample.first += sample.count) {
        for (const auto &prediction : evaluator.predictions(model, sample)) {
            if (options.json())
                examples.push_back(protocol::to_json(prediction));
            else
                console.write(as_text(prediction));
        }
        console.flush();
        report_warnings(console, options.json(), warnings.take());
    }
    if (options.json()) {
        console.write(
            protocol::document(protocol::predictions_json(options.split, std::move(examples))));
        console.flush();
    }
    return stop_requested() ? ExitCode::interrupted : ExitCode::fine;
}

} // namespace neurasp::cli
