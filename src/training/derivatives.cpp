// Gradients from total choices: sampling and top-k.
//
// The idea. log P(O) has the derivative E[outcome | O] / p with respect to the probability p of an outcome: the
// probability of the outcome given O, divided by p. If total choices are drawn from the distribution given O, the share of
// choices that have the outcome estimates this probability without bias. The k most probable choices stand for
// the distribution, too; there, each counts in proportion to its own probability (`weigh`).
//
// This is what algorithms 2 to 4 of the paper's appendix D aim at. Read literally, algorithm 3 feeds samples that already
// follow P(I | O) into algorithm 2, which weighs them by P(I) once more; that does not converge to the gradient. So each
// sample counts once here (specification 4).
//
// Scaling. Weights of top-k choices are taken relative to the greatest one, because the probabilities themselves may
// underflow. An outcome that no choice has gets the derivative 0, so the division by p never divides 0 by 0.
//
// Cost. Linear in choices times variables.
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
