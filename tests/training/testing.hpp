// Shared by the tests of this folder.
#pragma once

#include "neurasp/training.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace neurasp::training {

// Two pictures of the digits 0, 1, 2, and their sum.
inline constexpr auto addition = R"(img(i1). img(i2).
nn(digit(1,X),[0,1,2]) :- img(X).
sum(S) :- digit(0,i1,A), digit(0,i2,B), S = A + B.)";

inline Observation sum_is(int sum) { return {":- not sum({}).", {std::to_string(sum)}}; }

// A batch for a program with one network, with buffers for the results. There are `gap` numbers between rows.
template <class Real> struct OneNetwork {
    std::vector<Real> outputs;
    std::vector<Real> gradient;
    std::vector<std::vector<std::uint32_t>> rows;
    std::vector<BatchExample> examples;
    std::vector<double> log;
    std::vector<ExampleStatus> status;
    std::vector<double> rule_numbers;
    std::vector<double> rule_gradient;
    std::size_t gap = 0;
    std::uint64_t seed = 0;
    std::uint64_t step = 0;

    void add(ObservationId observation, std::vector<std::uint32_t> chosen, double weight = 1.0) {
        rows.push_back(std::move(chosen));
        examples.push_back({observation, {}, weight});
        for (std::size_t e = 0; e < examples.size(); ++e) examples[e].rows = rows[e];
    }
    template <class Number>
    Rows<Number> view(std::vector<Real> &numbers, const NetworkShape &shape) {
        const std::size_t stride = shape.size() + gap;
        return {numbers.data(), (numbers.size() + gap) / stride,
                static_cast<std::ptrdiff_t>(stride), static_cast<std::ptrdiff_t>(shape.outcomes),
                1};
    }
    void run(const TrainingProgram &program, const Limits &limits = {}) {
        log.assign(examples.size(), 0.0);
        status.assign(examples.size(), ExampleStatus::unanswered);
        gradient.assign(outputs.size(), Real{});
        rule_gradient.assign(rule_numbers.size(), 0.0);
        TrainingBatch<Real> batch;
        TrainingResult<Real> result{log, status, {}, rule_gradient};
        if (!program.networks().empty()) {
            batch.outputs = {view<const Real>(outputs, program.networks()[0])};
            result.output_gradients = {view<Real>(gradient, program.networks()[0])};
        }
        batch.rule_numbers = rule_numbers;
        batch.examples = examples;
        batch.seed = seed;
        batch.step = step;
        program.run(batch, result, limits);
    }
};

// Random distributions, each followed by `gap` other numbers.
template <class Real>
std::vector<Real> random_rows(std::size_t count, std::size_t outcomes, std::size_t gap,
                              std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0.1, 1.0);
    std::vector<Real> numbers;
    for (std::size_t r = 0; r < count; ++r) {
        std::vector<double> row;
        double sum = 0.0;
        for (std::size_t o = 0; o < outcomes; ++o) sum += row.emplace_back(uniform(random));
        for (const double p : row) numbers.push_back(static_cast<Real>(p / sum));
        if (r + 1 < count) numbers.insert(numbers.end(), gap, Real{-7}); // must not be read
    }
    return numbers;
}

} // namespace neurasp::training
