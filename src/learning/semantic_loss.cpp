#include "learning/semantic_loss.hpp"

#include "learning/plan.hpp"

#include <torch/csrc/autograd/custom_function.h>

#include <cmath>

namespace neurasp::learning {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// What autograd does not carry.
struct StepCall {
    SymbolicStep *step = nullptr;
    std::span<const StepExample> examples;
    std::vector<std::int64_t> rows;        // of each network's outputs
    std::vector<std::int64_t> size;        // of a row
    MeanLogProbability *answers = nullptr; // for the mean: log P(O) of the examples
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

// log P(O) of the examples, and its derivatives by rule numbers (for each example) and by outputs.
struct StepAnswer {
    torch::Tensor log_probability;
    torch::Tensor rule_gradient;
    torch::Tensor output_gradient;
};

// `outputs`: the numbers of all networks, one after the other.
StepAnswer run_step(const StepCall &call, const torch::Tensor &rule_numbers,
                    const torch::Tensor &outputs) {
    const auto count = static_cast<std::int64_t>(call.examples.size());
    const torch::Tensor rules = rule_numbers.contiguous();
    const torch::Tensor flat = outputs.contiguous();
    StepAnswer answer{torch::zeros({count}, torch::kDouble),
                      torch::zeros({count, rule_numbers.numel()}, torch::kDouble),
                      torch::zeros_like(flat)};
    SymbolicStep::Batch batch;
    for (const auto part : by_network<float>(call, flat)) batch.outputs.emplace_back(part);
    batch.rule_numbers = numbers<double>(rules);
    batch.examples = call.examples;
    call.step->run(batch, {numbers<double>(answer.log_probability),
                           by_network<float>(call, answer.output_gradient),
                           numbers<double>(answer.rule_gradient)});
    return answer;
}

class LogProbability : public torch::autograd::Function<LogProbability> {
  public:
    static torch::Tensor forward(AutogradContext *context, const StepCall &call,
                                 const torch::Tensor &rule_numbers, const torch::Tensor &outputs) {
        const StepAnswer answer = run_step(call, rule_numbers, outputs);
        context->save_for_backward({answer.rule_gradient, answer.output_gradient, owners(call)});
        return answer.log_probability;
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

// The mean has one number as its derivative from above, so that backward is one multiplication.
class MeanOfLogs : public torch::autograd::Function<MeanOfLogs> {
  public:
    static torch::Tensor forward(AutogradContext *context, const StepCall &call,
                                 const torch::Tensor &rule_numbers, const torch::Tensor &outputs) {
        const StepAnswer answer = run_step(call, rule_numbers, outputs);
        MeanLogProbability &answers = *call.answers;
        double sum = 0.0;
        for (const double log : numbers<double>(answer.log_probability)) {
            answers.values.push_back(log);
            if (!std::isfinite(log)) continue;
            sum += log;
            ++answers.possible;
        }
        const auto count = static_cast<double>(answers.possible);
        context->saved_data["count"] = count;
        context->save_for_backward({answer.rule_gradient, answer.output_gradient});
        return torch::full({}, answers.possible > 0 ? sum / count : 0.0, torch::kDouble);
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const auto saved = context->get_saved_variables();
        const double each =
            gradients.front().item<double>() / context->saved_data["count"].toDouble();
        torch::Tensor by_rules;
        if (saved[0].size(1) > 0) {
            by_rules =
                torch::matmul(torch::full({saved[0].size(0)}, each, torch::kDouble), saved[0]);
        }
        return {torch::Tensor(), by_rules, saved[1] * static_cast<float>(each)};
    }
};

// The outputs of all networks one after the other; tells the call how many rows each has.
torch::Tensor flatten(StepCall &call, const std::vector<torch::Tensor> &outputs) {
    std::vector<torch::Tensor> parts;
    for (const torch::Tensor &output : outputs) {
        call.rows.push_back(output.defined() ? output.size(0) : 0);
        call.size.push_back(call.rows.back() > 0 ? output.numel() / output.size(0) : 0);
        if (output.defined()) parts.push_back(output.reshape({-1}));
    }
    if (parts.empty()) return torch::zeros({0});
    return parts.size() == 1 ? parts.front() : torch::cat(parts);
}

} // namespace

torch::Tensor log_probability(SymbolicStep &step, const std::vector<torch::Tensor> &outputs,
                              const torch::Tensor &rule_numbers,
                              std::span<const StepExample> examples) {
    StepCall call{&step, examples, {}, {}};
    const torch::Tensor flat = flatten(call, outputs);
    return LogProbability::apply(call, rule_numbers, flat);
}

MeanLogProbability mean_log_probability(SymbolicStep &step,
                                        const std::vector<torch::Tensor> &outputs,
                                        const torch::Tensor &rule_numbers,
                                        std::span<const StepExample> examples) {
    MeanLogProbability result;
    StepCall call{&step, examples, {}, {}, &result};
    const torch::Tensor flat = flatten(call, outputs);
    const torch::Tensor mean = MeanOfLogs::apply(call, rule_numbers, flat);
    if (result.possible > 0) result.mean = mean;
    return result;
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
