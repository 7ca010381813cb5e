// Every engine gives the oracle's answer to every question about random programs.
#include "settings.hpp"
#include "verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace neurasp::property {
namespace {

constexpr std::size_t most_failures = 5; // enough to see a pattern

// One reasoner answers everything about a program: its engines keep state between questions.
class Session {
  public:
    explicit Session(std::uint64_t seed)
        : program_(make_program(seed)), reasoner_(Program::from_text(neurasp_text(program_))),
          dice_(seed ^ 0x9e3779b97f4a7c15ULL) {
        for (const ObservationSpec &observation : program_.observations)
            truths_.emplace_back(oracle_input(program_, observation));
    }

    // Two tables of outputs, each for all observations, so that questions are repeated; programs about cycles are
    // larger, so they get one.
    std::string run() {
        const int tables = program_.seed >= first_cycle_seed ? 1 : 2;
        for (int table = 0; table < tables; ++table)
            for (std::size_t i = 0; i < truths_.size(); ++i)
                if (std::string failure = ask(i, table == 0); !failure.empty()) return failure;
        return {};
    }

  private:
    std::string ask(std::size_t number, bool first) {
        const ObservationSpec &observation = program_.observations[number];
        const Trial trial = make_trial(program_, observation, truths_[number], dice_);
        const Question question = reasoner_.ask(observation_text(observation), observation.queries);
        for (const bool optimal : {false, true}) {
            if (!first) break; // it has tables of its own
            const Problems problems = verify_circuit(question, trial, optimal);
            if (!problems.empty()) return describe(trial, {"compile", optimal}, problems);
        }
        for (const std::string &engine : engine_names())
            for (const bool optimal : {false, true}) {
                const Mode mode{engine, optimal};
                Problems problems = verify(question, trial, mode);
                if (first && !optimal)
                    for (std::string &problem : verify_coherence(question, trial))
                        problems.push_back(std::move(problem));
                if (!problems.empty()) return describe(trial, mode, problems);
            }
        return {};
    }

    RandomProgram program_;
    Reasoner reasoner_;
    Dice dice_;
    std::deque<oracle::Oracle> truths_;
};

std::string run_seed(std::uint64_t seed) {
    try {
        return Session(seed).run();
    } catch (const std::exception &error) {
        return "seed " + std::to_string(seed) + "\n--- program\n" +
               neurasp_text(make_program(seed)) + "exception: " + error.what() + "\n";
    }
}

TEST(Property, every_engine_equals_the_oracle) {
    std::size_t failures = 0;
    for (const std::uint64_t seed : seeds_to_try()) {
        const std::string failure = run_seed(seed);
        if (failure.empty()) continue;
        ADD_FAILURE() << failure;
        if (++failures == most_failures) break;
    }
}

// P(O) is linear in each probability, so the central difference is exact except for rounding. Rows may
// differ from 1 by 1e-3 (specification 5), which leaves room for the step.
constexpr double step = 2e-4;
// Rounding of P(O), about 1e-16, over the step, with reserve.
constexpr double difference_tolerance = 1e-9;

// One number of a network's output.
struct Entry {
    std::string network;
    std::string terms;
    std::vector<double> values;
    std::size_t position = 0;
};

double slope_at(const Trial &trial, const Question &question, const Entry &entry) {
    const auto probability = [&](double change) {
        NetworkOutputs outputs = trial.outputs;
        std::vector<double> values = entry.values;
        values[entry.position] += change;
        outputs.set(entry.network, entry.terms, std::move(values));
        return question.probability(outputs).probability.lower;
    };
    return (probability(step) - probability(-step)) / (2 * step);
}

// The derivative for the entry. With one column, the second outcome changes as well, so it is the
// difference of the two.
double gradient_at(const Trial &trial, const GradientAnswer &gradient, const Entry &entry) {
    std::size_t begin = 0;
    for (const VariableSpec &variable : trial.variables) {
        if (variable.network != entry.network || variable.terms != entry.terms) continue;
        const std::size_t columns = variable.one_column ? 1 : variable.atoms.size();
        const std::size_t column = entry.position - begin;
        begin += columns;
        if (column >= columns) continue;
        for (const VariableGradient &found : gradient.variables)
            if (found.atoms == variable.atoms)
                return variable.one_column ? found.values[0] - found.values[1]
                                           : found.values[column];
    }
    return std::numeric_limits<double>::quiet_NaN();
}

std::vector<Entry> entries_of(const NetworkOutputs &outputs) {
    std::vector<Entry> result;
    for (const auto &[network, inputs] : outputs.table())
        for (const auto &[terms, entry] : inputs)
            for (std::size_t i = 0; i < entry.values.size(); ++i)
                if (entry.values[i] > 2 * step && entry.values[i] < 1 - 2 * step)
                    result.push_back({network, terms, entry.values, i});
    return result;
}

std::string check_differences(const Trial &trial, const Question &question) {
    const GradientAnswer gradient = question.gradient(trial.outputs);
    if (!gradient.defined) return {};
    for (const Entry &entry : entries_of(trial.outputs)) {
        const double slope = slope_at(trial, question, entry);
        const double expected = gradient_at(trial, gradient, entry) * gradient.probability.lower;
        if (!(std::abs(slope - expected) <= difference_tolerance))
            return describe(trial, {"auto", false},
                            {entry.network + "(" + entry.terms + ") value " +
                             std::to_string(entry.position) + ": slope " + std::to_string(slope) +
                             ", gradient " + std::to_string(expected)});
    }
    return {};
}

std::string check_differences(std::uint64_t seed) {
    const RandomProgram program = make_program(seed);
    const ObservationSpec &observation = program.observations.front();
    const oracle::Oracle truth(oracle_input(program, observation));
    Dice dice(seed);
    const Trial trial = make_trial(program, observation, truth, dice);
    try {
        Reasoner reasoner(Program::from_text(neurasp_text(program)));
        return check_differences(trial, reasoner.ask(observation_text(observation)));
    } catch (const std::exception &error) {
        return describe(trial, {"auto", false}, {std::string("exception: ") + error.what()});
    }
}

TEST(Property, the_gradient_equals_finite_differences) {
    for (const std::uint64_t seed : seeds_to_try(10)) EXPECT_EQ(check_differences(seed), "");
}

// Pearson's statistic; models with an expected count below five are put together.
double chi_square(const std::vector<std::pair<double, double>> &cells, std::size_t &freedom) {
    double statistic = 0.0;
    double rest_expected = 0.0;
    double rest_seen = 0.0;
    std::size_t used = 0;
    const auto take = [&](double expected, double seen) {
        statistic += (seen - expected) * (seen - expected) / expected;
        ++used;
    };
    for (const auto &[expected, seen] : cells) {
        if (expected >= 5) {
            take(expected, seen);
        } else {
            rest_expected += expected;
            rest_seen += seen;
        }
    }
    if (rest_expected >= 5) take(rest_expected, rest_seen);
    freedom = used > 0 ? used - 1 : 0;
    return statistic;
}

std::string check_frequencies(const Trial &trial, const Mode &mode) {
    constexpr std::size_t count = 3000;
    Reasoner reasoner(Program::from_text(neurasp_text(trial.program)));
    Settings settings = settings_for(mode);
    settings.all_atoms = true;
    settings.seed = trial.program.seed;
    const ModelsAnswer answer =
        reasoner.ask(observation_text(trial.observation)).sample(trial.outputs, count, settings);
    std::map<std::vector<std::string>, double> seen;
    for (const StableModel &model : answer.models) {
        std::vector<std::string> atoms = model.atoms;
        std::sort(atoms.begin(), atoms.end());
        seen[std::move(atoms)] += 1.0;
    }
    const long double total = trial.truth.probability(trial.probabilities, mode.optimal);
    if (total == 0.0L) return {};
    std::vector<std::pair<double, double>> cells;
    for (const oracle::Model *model : trial.truth.counted(mode.optimal)) {
        const long double share = trial.truth.probability(*model, trial.probabilities) / total;
        cells.emplace_back(static_cast<double>(share * static_cast<long double>(count)),
                           seen[model->atoms]);
    }
    std::size_t freedom = 0;
    const double statistic = chi_square(cells, freedom);
    // Mean plus six standard deviations of the chi-square distribution: a correct sampler passes for all
    // but one seed in a million, a sampler that forgets Num or squares P(I) fails by far.
    const double n = static_cast<double>(freedom);
    if (statistic <= n + 6 * std::sqrt(2 * n) + 6) return {};
    return describe(trial, mode, {"the samples do not follow P(I|O)"});
}

std::string check_frequencies(std::uint64_t seed, const Mode &mode) {
    const RandomProgram program = make_program(seed);
    const ObservationSpec &observation = program.observations.front();
    const oracle::Oracle truth(oracle_input(program, observation));
    Dice dice(seed);
    const Trial trial = make_trial(program, observation, truth, dice);
    try {
        return check_frequencies(trial, mode);
    } catch (const std::exception &error) {
        return describe(trial, mode, {std::string("exception: ") + error.what()});
    }
}

TEST(Property, samples_follow_the_distribution) {
    for (const std::string &engine : engine_names())
        for (const bool optimal : {false, true})
            for (const std::uint64_t seed : seeds_to_try(12))
                EXPECT_EQ(check_frequencies(seed, {engine, optimal}), "");
}

} // namespace
} // namespace neurasp::property
