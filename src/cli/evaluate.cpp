// `neurasp evaluate`: the metrics of trained networks on a split.
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/experiment_preparation.hpp"
#include "cli/learning_options.hpp"
#include "cli/numbers.hpp"
#include "cli/signals.hpp"
#include "cli/table.hpp"
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

ExitCode run_evaluate(const EvaluateOptions &options) {
    Console console(options.color);
    const data::Experiment experiment =
        data::read_experiment_file(options.file, options.assignments);
    at::set_num_threads(static_cast<int>(runs::thread_count(experiment)));
    std::optional<ExperimentPreparation> preparation(std::in_place, options, console);
    data::ArrayStore arrays;
    TrainingProgram step(runs::program_of(experiment), learning::step_options(experiment, false));
    learning::Evaluator evaluator(experiment, options.split, arrays, step);
    learning::Model model(experiment, step,
                          learning::network_inputs(experiment, step, evaluator.dataset()));
    model.load(options.weights.empty() ? experiment.output.path : options.weights);
    preparation.reset();
    learning::ExperimentWarnings warnings(step);
    warnings.add(evaluator.dataset());
    report_warnings(console, options.json(), warnings.take());
    const SignalGuard guard;
    const runs::Evaluation result = evaluator.run(model, stop_token());
    report_warnings(console, options.json(), warnings.take());
    if (options.json()) {
        console.write(protocol::document(protocol::to_json(result)));
    } else {
        std::vector<Row> rows;
        for (const runs::Metric &metric : result.metrics) {
            const auto of_all = [&] {
                const double count = metric.value * static_cast<double>(result.examples);
                return fmt::format("{:.0f} of {}", count, show_count(result.examples, "example"));
            };
            // for examples that the means leave out, a count says more than a share
            rows.push_back({metric.name, metric.name == "impossible" ? of_all()
                                         : metric.is_share
                                             ? fmt::format("{:.2f} %", 100 * metric.value)
                                             : fmt::format("{:.5f}", metric.value)});
        }
        console.write(fmt::format("{}, {}, {}\n{}\n", result.split,
                                  show_count(result.examples, "example"),
                                  show_seconds(result.seconds), align(rows)));
    }
    console.flush();
    return stop_requested() ? ExitCode::interrupted : ExitCode::fine;
}

} // namespace neurasp::cli
