// Puts the derivatives that an engine found into the form of an answer.
#include "inference/gradient_answer.hpp"

#include "base/proposition1.hpp"

namespace neurasp::inference {

std::vector<VariableGradient> describe_gradient(const Task &task, GradientConvention convention,
                                                const std::vector<std::size_t> &variables,
                                                const Derivative &derivative) {
    std::vector<VariableGradient> gradients;
    std::size_t next = 0;
    for (std::size_t v = 0; v < task.weights.size(); ++v) {
        const RandomVariable &variable = task.grounding().variables()[v];
        VariableGradient gradient{variable.name,
                                  task.grounding().outcome_texts(v).atoms,
                                  {},
                                  variable.learnable,
                                  source_of(variable)};
        const bool relevant = next < variables.size() && variables[next] == v;
        for (std::uint32_t o = 0; o < variable.atoms.size(); ++o) {
            const ScaledReal value =
                relevant ? derivative(next, o) : ScaledReal(1.0L) / task.weights.row_sum(v);
            gradient.values.push_back(value.to_double());
        }
        if (relevant) ++next;
        if (convention == GradientConvention::proposition1) {
            base::absorb_changes(gradient.values.data(), gradient.values.size());
        }
        gradients.push_back(std::move(gradient));
    }
    return gradients;
}

ScaledReal left_out(const Task &task, const std::vector<std::size_t> &variables) {
    ScaledReal product(1.0L);
    std::size_t next = 0;
    for (std::size_t v = 0; v < task.weights.size(); ++v) {
        if (next < variables.size() && variables[next] == v) {
            ++next;
        } else {
            product *= task.weights.row_sum(v);
        }
    }
    return product;
}

} // namespace neurasp::inference
