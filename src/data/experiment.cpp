// Small computations on settings: tiles, splits by name, learning rate schedules.
#include "data/experiment.hpp"

#include <cmath>
#include <numbers>

namespace neurasp::data {

std::size_t tile_count(const ArraySettings &array) {
    return array.tiles.size() == 2 ? array.tiles[0] * array.tiles[1] : 1;
}

const SplitSettings &split_of(const Experiment &experiment, std::string_view name) {
    for (const SplitSettings &split : experiment.splits) {
        if (split.name == name) return split;
    }
    Diagnostic diagnostic;
    diagnostic.code = "missing-key";
    diagnostic.message = "the experiment has no split '" + std::string(name) + "'";
    diagnostic.location.file = experiment.file;
    diagnostic.hint = "add a table [splits." + std::string(name) + "]";
    for (const SplitSettings &split : experiment.splits) {
        diagnostic.hint +=
            (&split == &experiment.splits.front() ? "; the experiment has: " : ", ") + split.name;
    }
    throw InputError(std::move(diagnostic));
}

bool measures_log_probability(const Experiment &experiment) {
    const ExampleSettings &example = experiment.example;
    return experiment.evaluation.log_probability &&
           !(example.observation.text.empty() && example.observation_file.empty());
}

double schedule_factor(const ScheduleSettings &schedule, std::size_t epoch, std::size_t epochs) {
    switch (schedule.kind) {
    case ScheduleKind::constant: return 1.0;
    case ScheduleKind::step: {
        const std::size_t steps = schedule.every == 0 ? 0 : epoch / schedule.every;
        return std::pow(schedule.factor, static_cast<double>(steps));
    }
    case ScheduleKind::exponential: return std::pow(schedule.factor, static_cast<double>(epoch));
    case ScheduleKind::cosine: break;
    }
    const std::size_t length = schedule.every == 0 ? epochs : schedule.every;
    if (length == 0) return 1.0;
    const double share = std::fmin(1.0, static_cast<double>(epoch) / static_cast<double>(length));
    return 0.5 * (1.0 + std::cos(std::numbers::pi * share));
}

double warmup_factor(const ScheduleSettings &schedule, std::uint64_t step) {
    if (step >= schedule.warmup) return 1.0;
    return static_cast<double>(step + 1) / static_cast<double>(schedule.warmup);
}

std::size_t step_size(const TrainingSettings &training) {
    return training.batch_size * training.accumulate;
}

} // namespace neurasp::data
