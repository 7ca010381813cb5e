#include "learning/semantic_loss.hpp"

#include "learning/plan.hpp"

#include <torch/csrc/autograd/custom_function.h>

namespace neurasp::learning {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// What autograd does not carry.
struct StepCall {
    SymbolicStep *step = nullptr;
    std::span<const StepExample> examples;
    std::vector<std::int64_t> rows; // of each network's outputs
    std::vector<std::int64_t> size; // of a row
};

template <class Number> std::span<Number> numbers(const torch::Tensor &tensor) {
    return {tensor.data_ptr<Number>(), static_cast<std::size_t>(tensor.numel())};
}

// The parts of a flat tensor that belong to each network.
template <class Number>
std::vector<std::span<Number>> by_network(const StepCall &call, const torch::Tensor &flat) {
    std::vector<std::span<Number>> parts;
    std::span<Number> rest = numbers<Number>(flat);
    for (std::size_t m = 0; m < call.rows.size(); ++m) {
        const auto count = static_cast<std::size_t>(call.rows[m] * call.size[m]);
        parts.push_back(rest.first(count));
        rest = rest.subspan(count);
    }
    return parts;
}

// Which example each number of the flat outputs belongs to.
torch::Tensor owners(const StepCall &call) {
    std::vector<std::vector<std::int64_t>> owner;
    for (const std::int64_t rows : call.rows) owner.emplace_back(static_cast<std::size_t>(rows));
    for (std::size_t e = 0; e < call.examples.size(); ++e) {
        const auto &calls = call.step->calls(*call.examples[e].plan);
        for (std::size_t c = 0; c < call.examples[e].rows.size(); ++c) {
            owner[calls[c].network][call.examples[e].rows[c]] = static_cast<std::int64_t>(e);
        }
    }
    std::vector<std::int64_t> flat;
    for (std::size_t m = 0; m < owner.size(); ++m) {
        for (const std::int64_t example : owner[m]) {
            flat.insert(flat.end(), static_cast<std::size_t>(call.size[m]), example);
        }
    }
    return torch::tensor(flat, torch::kLong);
}

class LogProbability : public torch::autograd::Function<LogProbability> {
  public:
    // `outputs`: the numbers of all networks, one after the other.
    static torch::Tensor forward(AutogradContext *context, const StepCall &call,
                                 const torch::Tensor &rule_numbers, const torch::Tensor &outputs) {
        const auto count = static_cast<std::int64_t>(call.examples.size());
        const torch::Tensor result = torch::zeros({count}, torch::kDouble);
        const torch::Tensor rules = rule_numbers.contiguous();
        const torch::Tensor flat = outputs.contiguous();
        const torch::Tensor rule_gradient =
            torch::zeros({count, rule_numbers.numel()}, torch::kDouble);
        const torch::Tensor output_gradient = torch::zeros_like(flat);
        SymbolicStep::Batch batch;
        for (const auto part : by_network<float>(call, flat)) batch.outputs.emplace_back(part);
        batch.rule_numbers = numbers<double>(rules);
        batch.examples = call.examples;
        call.step->run(batch, {numbers<double>(result), by_network<float>(call, output_gradient),
                               numbers<double>(rule_gradient)});
        context->save_for_backward({rule_gradient, output_gradient, owners(call)});
        return result;
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const auto saved = context->get_saved_variables();
        const torch::Tensor &outer = gradients.front();
        // An example with P(O) = 0 has no gradient, whatever is done with its minus infinity.
        const torch::Tensor finite =
            torch::where(torch::isfinite(outer), outer, torch::zeros_like(outer));
        return {torch::Tensor(), torch::matmul(finite, saved[0]),
                saved[1] * finite.index_select(0, saved[2]).to(torch::kFloat)};
    }
};

} // namespace

torch::Tensor log_probability(SymbolicStep &step, const std::vector<torch::Tensor> &outputs,
                              const torch::Tensor &rule_numbers,
                              std::span<const StepExample> examples) {
    StepCall call{&step, examples, {}, {}};
    std::vector<torch::Tensor> parts;
    for (const torch::Tensor &output : outputs) {
        call.rows.push_back(output.defined() ? output.size(0) : 0);
        call.size.push_back(call.rows.back() > 0 ? output.numel() / output.size(0) : 0);
        if (output.defined()) parts.push_back(output.reshape({-1}));
    }
    const torch::Tensor flat = parts.empty()       ? torch::zeros({0})
                               : parts.size() == 1 ? parts.front()
                                                   : torch::cat(parts);
    return LogProbability::apply(call, rule_numbers, flat);
}

torch::Tensor with_half_gradient(const torch::Tensor &rows) {
    return 0.5 * rows + 0.5 * rows.detach();
}

StepNumbers step_numbers(const std::vector<torch::Tensor> &outputs,
                         std::span<const double> rule_numbers,
                         std::span<const StepExample> examples) {
    StepNumbers result;
    for (const torch::Tensor &output : outputs) {
        result.kept.push_back(output.defined() ? output.contiguous() : torch::zeros({0}));
        result.batch.outputs.emplace_back(numbers<float>(result.kept.back()));
    }
    result.batch.rule_numbers = rule_numbers;
    result.batch.examples = examples;
    return result;
}

} // namespace neurasp::learning
