// ObservationProbe: chosen outputs laid out as a batch, one row for each call and point, through TrainingProgram::run. So
// observations with and without a circuit, and optimal mode, need no code of their own here.
#include "training/observation_probe.hpp"

#include <algorithm>
#include <cmath>

namespace neurasp::training {

namespace {

// Of an observation without a circuit: enough to decide one total choice, which has few models; one is enough to know that
// the observation is possible.
constexpr std::uint64_t most_models = 1000;

// A distribution without symmetry for each learnable rule, so that no dependence on it is hidden: 1/3 and 2/3, or 1/6,
// 2/6 and 3/6.
std::vector<double> chosen_rule_numbers(const TrainingProgram &program) {
    std::vector<double> numbers = program.rule_numbers();
    for (const LearnableRule &rule : program.rules()) {
        const std::size_t size = rule.probabilities.size();
        const double sum = static_cast<double>(size * (size + 1)) / 2.0;
        for (std::size_t i = 0; i < size; ++i) {
            numbers[rule.first + i] = static_cast<double>(i + 1) / sum;
        }
    }
    return numbers;
}

} // namespace

struct ObservationProbe::Layout {
    std::vector<std::vector<double>> outputs;      // by network
    std::vector<std::vector<std::uint32_t>> rows;  // by point, for each relevant call
    std::vector<std::vector<std::size_t>> offsets; // by point: of the first number of each place
};

ObservationProbe::ObservationProbe(const TrainingProgram &program, base::Budget &budget,
                                   StopToken stop)
    : program_(program), budget_(budget), stop_(std::move(stop)),
      rule_numbers_(chosen_rule_numbers(program)) {}

std::vector<Place> ObservationProbe::places(ObservationId observation) const {
    const PreparedObservation &prepared = program_.at(observation);
    std::vector<Place> all;
    for (std::uint32_t c = 0; c < prepared.relevant_calls; ++c) {
        const auto network = static_cast<std::uint32_t>(prepared.calls[c].network);
        const NetworkShape &shape = program_.networks()[network];
        for (std::uint32_t e = 0; e < shape.events; ++e) {
            all.push_back({c, e, network, static_cast<std::uint32_t>(shape.outcomes)});
        }
    }
    return all;
}

ObservationProbe::Layout ObservationProbe::lay_out(ObservationId observation,
                                                   std::span<const Place> places,
                                                   std::span<const Point> points) const {
    const PreparedObservation &prepared = program_.at(observation);
    // enumeration wants all calls, circuits those that matter
    const std::size_t calls = prepared.relevant_calls;
    Layout layout;
    layout.outputs.resize(program_.networks().size());
    for (const Point &point : points) {
        auto &rows = layout.rows.emplace_back();
        std::vector<std::size_t> first; // number of each call
        for (std::size_t c = 0; c < calls; ++c) {
            const NetworkShape &shape = program_.networks()[prepared.calls[c].network];
            auto &numbers = layout.outputs[prepared.calls[c].network];
            rows.push_back(static_cast<std::uint32_t>(numbers.size() / shape.size()));
            first.push_back(numbers.size());
            numbers.resize(numbers.size() + shape.size(),
                           1.0 / static_cast<double>(shape.outcomes));
        }
        auto &offsets = layout.offsets.emplace_back();
        std::size_t read = 0;
        for (const Place &place : places) {
            const std::size_t offset =
                first[place.call] + static_cast<std::size_t>(place.event) * place.outcomes;
            offsets.push_back(offset);
            std::copy_n(point.begin() + static_cast<std::ptrdiff_t>(read), place.outcomes,
                        layout.outputs[place.network].begin() +
                            static_cast<std::ptrdiff_t>(offset));
            read += place.outcomes;
        }
    }
    return layout;
}

std::vector<ProbeResult> ObservationProbe::evaluate(ObservationId observation,
                                                    std::span<const Place> places,
                                                    std::span<const Point> points,
                                                    bool with_ratios) {
    Layout layout = lay_out(observation, places, points);
    std::vector<std::vector<double>> gradients(with_ratios ? layout.outputs.size() : 0);
    std::vector<double> rule_gradients(with_ratios ? rule_numbers_.size() * points.size() : 0);
    std::vector<BatchExample> examples;
    for (const auto &rows : layout.rows) examples.push_back({observation, rows});
    std::vector<double> logs(points.size());
    std::vector<ExampleStatus> status(points.size(), ExampleStatus::unanswered);
    TrainingBatch<double> batch;
    batch.rule_numbers = rule_numbers_;
    batch.examples = examples;
    TrainingResult<double> result{logs, status, {}, rule_gradients};
    for (std::size_t n = 0; n < layout.outputs.size(); ++n) {
        const NetworkShape &shape = program_.networks()[n];
        batch.outputs.push_back(
            Rows<const double>::contiguous(std::span<const double>(layout.outputs[n]), shape));
        if (!with_ratios) continue;
        gradients[n].assign(layout.outputs[n].size(), 0.0);
        result.output_gradients.push_back(Rows<double>::contiguous(gradients[n], shape));
    }
    Limits limits;
    limits.seconds = budget_.seconds_left();
    limits.stop = stop_;
    limits.models = most_models;
    program_.run(batch, result, limits);

    rules_mattered_ = do_rules_matter(rule_gradients, points.size());
    std::vector<ProbeResult> results(points.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
        ProbeResult &answer = results[k];
        answer.possible =
            status[k] == ExampleStatus::exact || status[k] == ExampleStatus::lower_bound;
        answer.known = status[k] != ExampleStatus::unanswered;
        answer.complete = answer.known && status[k] != ExampleStatus::lower_bound;
        if (!with_ratios || status[k] != ExampleStatus::exact) continue;
        for (std::size_t p = 0; p < places.size(); ++p) {
            const auto &from = gradients[places[p].network];
            const auto first = from.begin() + static_cast<std::ptrdiff_t>(layout.offsets[k][p]);
            answer.ratios.insert(answer.ratios.end(), first,
                                 first + static_cast<std::ptrdiff_t>(places[p].outcomes));
        }
    }
    return results;
}

ProbeResult ObservationProbe::evaluate(ObservationId observation, std::span<const Place> places,
                                       std::span<const OutcomeSet> sets, bool with_ratios) {
    const Point point = uniform_point(sets);
    return std::move(evaluate(observation, places, {&point, 1}, with_ratios).front());
}

bool ObservationProbe::do_rules_matter(std::span<const double> gradient, std::size_t points) const {
    if (gradient.empty()) return false;
    for (std::size_t k = 0; k < points; ++k) {
        const auto of_point = gradient.subspan(k * rule_numbers_.size(), rule_numbers_.size());
        for (const LearnableRule &rule : program_.rules()) {
            if (differ(of_point.subspan(rule.first, rule.probabilities.size()))) return true;
        }
    }
    return false;
}

Point uniform_point(std::span<const OutcomeSet> sets) {
    Point point;
    for (const OutcomeSet &set : sets) {
        const double share = 1.0 / static_cast<double>(set.count());
        for (const std::uint8_t flag : set.flags()) point.push_back(flag != 0 ? share : 0.0);
    }
    return point;
}

bool differ(std::span<const double> numbers) {
    // far above what rounding does to a circuit of a million edges, far below what training would notice
    constexpr double tolerance = 1e-9;
    const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
    return !numbers.empty() && *greatest - *least > tolerance * *greatest;
}

std::vector<OutcomeSet> all_outcomes(std::span<const Place> places) {
    std::vector<OutcomeSet> sets;
    for (const Place &place : places) sets.emplace_back(place.outcomes);
    return sets;
}

} // namespace neurasp::training
