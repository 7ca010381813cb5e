#include "learning/plan.hpp"

#include <algorithm>
#include <cmath>

namespace neurasp::learning {

void Plan::gather(const SymbolicStep::Batch &batch, const StepExample &example,
                  std::span<const NetworkShape> networks, std::size_t columns, std::size_t k,
                  std::span<double> inputs) const {
    for (const NumberSource &source : sources) {
        double *place = &inputs[source.first_input * columns + k];
        const auto put = [&](const auto *numbers) {
            for (std::size_t o = 0; o < source.outcomes; ++o) place[o * columns] = numbers[o];
        };
        switch (source.kind) {
        case NumberSource::Kind::output: {
            const std::size_t network = calls[source.call].network;
            const std::size_t row = example.rows[source.call];
            put(&batch.outputs[network][row * networks[network].size() + source.offset]);
            break;
        }
        case NumberSource::Kind::learnable_rule: put(&batch.rule_numbers[source.first]); break;
        case NumberSource::Kind::fixed: put(source.fixed.data()); break;
        }
    }
}

void Plan::scatter(const SymbolicStep::Result &result, const StepExample &example,
                   std::span<const NetworkShape> networks, std::size_t columns, std::size_t k,
                   std::span<const double> gradient, std::span<double> rule_gradient) const {
    for (const NumberSource &source : sources) {
        const double *derivatives = &gradient[source.first_input * columns + k];
        if (source.kind == NumberSource::Kind::output && !result.output_gradients.empty()) {
            const std::size_t network = calls[source.call].network;
            const std::size_t row = example.rows[source.call];
            float *place =
                &result.output_gradients[network][row * networks[network].size() + source.offset];
            for (std::size_t o = 0; o < source.outcomes; ++o) {
                place[o] += finite(derivatives[o * columns]);
            }
        } else if (source.kind == NumberSource::Kind::learnable_rule && !rule_gradient.empty()) {
            for (std::size_t o = 0; o < source.outcomes; ++o) {
                rule_gradient[source.first + o] += derivatives[o * columns];
            }
        }
    }
}

void gradient_from_choices(std::span<const NumberSource> sources,
                           std::span<const WeightedChoice> choices, bool weigh,
                           std::span<const double> inputs, std::span<double> gradient) {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    if (choices.empty()) return;
    const double greatest =
        std::max_element(choices.begin(), choices.end(), [](const auto &a, const auto &b) {
            return a.log_weight < b.log_weight;
        })->log_weight;
    double total = 0.0;
    for (const WeightedChoice &choice : choices) {
        const double weight = weigh ? std::exp(choice.log_weight - greatest) : 1.0;
        total += weight;
        for (std::size_t v = 0; v < sources.size(); ++v) {
            gradient[sources[v].first_input + choice.outcomes[v]] += weight;
        }
    }
    for (std::size_t i = 0; i < gradient.size(); ++i) {
        if (gradient[i] > 0.0) gradient[i] /= total * inputs[i];
    }
}

float finite(double derivative) {
    constexpr double greatest = 1e37; // smaller ones would cut derivatives that a float can hold
    return static_cast<float>(std::clamp(derivative, -greatest, greatest));
}

void absorb_changes(std::span<double> gradient, std::size_t first, std::size_t outcomes,
                    std::size_t columns, std::size_t k) {
    double sum = 0.0;
    for (std::size_t o = 0; o < outcomes; ++o) sum += gradient[(first + o) * columns + k];
    for (std::size_t o = 0; o < outcomes; ++o) {
        double &value = gradient[(first + o) * columns + k];
        value -= sum - value;
    }
}

} // namespace neurasp::learning
