// The bridge between autograd and the symbolic step: -log P(O) is the semantic loss of the paper, and here log P(O)
// becomes a function that Torch can differentiate.
//
// Idea: TrainingProgram::run computes log P(O) and its derivatives by all outputs and rule numbers in the same pass,
// so forward keeps the derivatives and backward is a multiplication. The outputs of all networks are flattened into
// one tensor first; autograd then sees a single function with two inputs, and moving to the CPU and to a common type
// is part of its graph.
//
// There are two functions. `LogProbability` returns one number per example, and backward scales each derivative by
// that of its example, found in a table of owners; so examples must not share rows. `MeanOfLogs`, which training uses,
// returns the mean over possible examples, so backward has a single factor and needs no table: it replaces a dozen
// small tensor operations in each direction, which counts with batches of one example, and the weights stay the same
// bit for bit.
//
// Invariant: an example with P(O) = 0 contributes neither to the mean nor to any gradient. Cost: that of run(), plus
// a copy of the outputs and two tensors of their size.
#include "learning/semantic_loss.hpp"

#include <torch/csrc/autograd/custom_function.h>

#include <cmath>
#include <type_traits>

namespace neurasp::learning {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// The arguments that are not differentiated.
struct BatchCall {
    const TrainingProgram *program = nullptr;
    std::span<const BatchExample> examples;
    BatchSettings settings;
    std::vector<std::size_t> rows = {};    // their number in each network's outputs
    MeanLogProbability *answers = nullptr; // for the mean: log P(O) of the examples

    std::size_t row_size(std::size_t network) const { return program->networks()[network].size(); }
};

template <class Number> std::span<Number> numbers(const torch::Tensor &tensor) {
    return {tensor.data_ptr<Number>(), static_cast<std::size_t>(tensor.numel())};
}

// The parts of a flat tensor that belong to each network. `Number` may be const.
template <class Number>
std::vector<Rows<Number>> by_network(const BatchCall &call, const torch::Tensor &flat) {
    std::vector<Rows<Number>> parts;
    std::span<Number> rest = numbers<std::remove_const_t<Number>>(flat);
    for (std::size_t m = 0; m < call.rows.size(); ++m) {
        const std::size_t count = call.rows[m] * call.row_size(m);
        parts.push_back(Rows<Number>::contiguous(rest.first(count), call.program->networks()[m]));
        rest = rest.subspan(count);
    }
    return parts;
}

// The example that each number of the flat outputs belongs to.
torch::Tensor owners(const BatchCall &call) {
    std::vector<std::vector<std::int64_t>> owner;
    for (const std::size_t rows : call.rows) owner.emplace_back(rows);
    for (std::size_t e = 0; e < call.examples.size(); ++e) {
        const auto &calls = call.program->at(call.examples[e].observation).calls;
        for (std::size_t c = 0; c < call.examples[e].rows.size(); ++c) {
            owner[calls[c].network][call.examples[e].rows[c]] = static_cast<std::int64_t>(e);
        }
    }
    std::vector<std::int64_t> flat;
    for (std::size_t m = 0; m < owner.size(); ++m) {
        for (const std::int64_t example : owner[m]) {
            flat.insert(flat.end(), call.row_size(m), example);
        }
    }
    return torch::tensor(flat, torch::kLong);
}

// log P(O) of the examples, and its derivatives by the rule numbers (one row per example) and by the outputs.
struct BatchAnswer {
    torch::Tensor log_probability;
    torch::Tensor rule_gradient;
    torch::Tensor output_gradient;
};

template <class Real>
void run_batch(const BatchCall &call, const torch::Tensor &rules, const torch::Tensor &flat,
               const BatchAnswer &answer) {
    TrainingBatch<Real> batch;
    batch.outputs = by_network<const Real>(call, flat);
    batch.rule_numbers = numbers<double>(rules);
    batch.examples = call.examples;
    batch.seed = call.settings.seed;
    batch.step = call.settings.step;
    TrainingResult<Real> result;
    result.log_probability = numbers<double>(answer.log_probability);
    result.output_gradients = by_network<Real>(call, answer.output_gradient);
    result.rule_gradients = numbers<double>(answer.rule_gradient);
    call.program->run(batch, result, call.settings.limits);
}

// `outputs`: the numbers of all networks, one after the other.
BatchAnswer run_step(const BatchCall &call, const torch::Tensor &rule_numbers,
                     const torch::Tensor &outputs) {
    const auto count = static_cast<std::int64_t>(call.examples.size());
    const torch::Tensor rules = rule_numbers.contiguous();
    const torch::Tensor flat = outputs.contiguous();
    const BatchAnswer answer{torch::zeros({count}, torch::kDouble),
                             torch::zeros({count, rule_numbers.numel()}, torch::kDouble),
                             torch::zeros_like(flat)};
    if (flat.scalar_type() == torch::kDouble) {
        run_batch<double>(call, rules, flat, answer);
    } else {
        run_batch<float>(call, rules, flat, answer);
    }
    return answer;
}

class LogProbability : public torch::autograd::Function<LogProbability> {
  public:
    static torch::Tensor forward(AutogradContext *context, const BatchCall &call,
                                 const torch::Tensor &rule_numbers, const torch::Tensor &outputs) {
        const BatchAnswer answer = run_step(call, rule_numbers, outputs);
        context->save_for_backward({answer.rule_gradient, answer.output_gradient, owners(call)});
        return answer.log_probability;
    }

    static variable_list backward(AutogradContext *context, const variable_list &gradients) {
        const auto saved = context->get_saved_variables();
        const torch::Tensor &outer = gradients.front();
        // An example with P(O) = 0 has no gradient, whatever the caller does with its minus infinity.
        const torch::Tensor finite =
            torch::where(torch::isfinite(outer), outer, torch::zeros_like(outer));
        return {torch::Tensor(), torch::matmul(finite, saved[0]),
                saved[1] * finite.index_select(0, saved[2]).to(saved[1].scalar_type())};
    }
};

// The derivative from above is a single number, so backward is one multiplication.
class MeanOfLogs : public torch::autograd::Function<MeanOfLogs> {
  public:
    static torch::Tensor forward(AutogradContext *context, const BatchCall &call,
                                 const torch::Tensor &rule_numbers, const torch::Tensor &outputs) {
        const BatchAnswer answer = run_step(call, rule_numbers, outputs);
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
        return {torch::Tensor(), by_rules, saved[1] * each};
    }
};

// Double if any output is double, so that no digits are lost.
torch::ScalarType common_type(const std::vector<torch::Tensor> &outputs) {
    for (const torch::Tensor &output : outputs) {
        if (output.defined() && output.scalar_type() == torch::kDouble) return torch::kDouble;
    }
    return torch::kFloat;
}

// The outputs of all networks one after the other, on the CPU; stores the number of rows of each in `call`.
torch::Tensor flatten(BatchCall &call, const std::vector<torch::Tensor> &outputs) {
    const torch::ScalarType type = common_type(outputs);
    std::vector<torch::Tensor> parts;
    for (const torch::Tensor &output : outputs) {
        call.rows.push_back(output.defined() ? static_cast<std::size_t>(output.size(0)) : 0);
        // Part of autograd's graph: the gradient goes back to the output's own device and type.
        if (output.defined()) parts.push_back(output.to(torch::kCPU, type).reshape({-1}));
    }
    if (parts.empty()) return torch::zeros({0});
    return parts.size() == 1 ? parts.front() : torch::cat(parts);
}

} // namespace

torch::Tensor log_probability(const TrainingProgram &program,
                              const std::vector<torch::Tensor> &outputs,
                              const torch::Tensor &rule_numbers,
                              std::span<const BatchExample> examples,
                              const BatchSettings &settings) {
    BatchCall call{&program, examples, settings};
    const torch::Tensor flat = flatten(call, outputs);
    return LogProbability::apply(call, rule_numbers, flat);
}

MeanLogProbability mean_log_probability(const TrainingProgram &program,
                                        const std::vector<torch::Tensor> &outputs,
                                        const torch::Tensor &rule_numbers,
                                        std::span<const BatchExample> examples,
                                        const BatchSettings &settings) {
    MeanLogProbability result;
    BatchCall call{&program, examples, settings, {}, &result};
    const torch::Tensor flat = flatten(call, outputs);
    const torch::Tensor mean = MeanOfLogs::apply(call, rule_numbers, flat);
    if (result.possible > 0) result.mean = mean;
    return result;
}

torch::Tensor with_half_gradient(const torch::Tensor &rows) {
    return 0.5 * rows + 0.5 * rows.detach();
}

StepNumbers step_numbers(const TrainingProgram &program, const std::vector<torch::Tensor> &outputs,
                         std::span<const double> rule_numbers,
                         std::span<const BatchExample> examples) {
    StepNumbers result;
    for (std::size_t m = 0; m < outputs.size(); ++m) {
        result.kept.push_back(outputs[m].defined() ? outputs[m].contiguous() : torch::zeros({0}));
        result.batch.outputs.push_back(Rows<const float>::contiguous(
            numbers<float>(result.kept.back()), program.networks()[m]));
    }
    result.batch.rule_numbers = rule_numbers;
    result.batch.examples = examples;
    return result;
}

} // namespace neurasp::learning
