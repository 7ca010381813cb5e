#include "training/derivatives.hpp"

namespace neurasp::training {

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

} // namespace neurasp::training
