// Network outputs as distributions: the shape, softmax or sigmoid, and the check.
#include "neural/probabilities.hpp"

#include "base/distribution.hpp"
#include "base/option_names.hpp"
#include "neural/shapes.hpp"
#include "neurasp/diagnostic.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <span>

namespace neurasp::neural {

namespace {

using torch::Tensor;

[[noreturn]] void wrong_shape(const Tensor &output, const OutputContract &contract) {
    const std::string one_column =
        contract.outcomes == 2 ? fmt::format(" (or {} x 1)", contract.events) : std::string();
    throw InputError(Diagnostic{
        Severity::error,
        "output-shape",
        fmt::format(
            "the output of network '{}' has the shape {} for a batch of {}, expected {} x {}{} "
            "numbers for each input",
            contract.network, shape_text({output.sizes().begin(), output.sizes().end()}),
            output.dim() == 0 ? 1 : output.size(0), contract.events, contract.outcomes, one_column),
        {},
        {},
        "the first dimension is the batch; the others are the events and their outcomes"});
}

// The mistake in one row; empty if there is none.
std::string flaw(const Tensor &row) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < row.size(0); ++i) {
        const double p = row[i].item<double>();
        if (!std::isfinite(p)) return fmt::format("entry {} is {}", i, p);
        if (p < 0.0) return fmt::format("entry {} is negative ({:.6g})", i, p);
        sum += p;
    }
    return base::sums_to_one(sum) ? "" : fmt::format("it sums to {:.6g}", sum);
}

// The index, among the rows of all inputs, of the first that is not a distribution. A plain loop, because in a small
// batch a single tensor operation costs more than the whole loop.
std::optional<std::int64_t> first_flaw(const Tensor &numbers) {
    const auto outcomes = static_cast<std::size_t>(numbers.size(2));
    const std::int64_t rows = numbers.size(0) * numbers.size(1);
    const float *p = numbers.data_ptr<float>();
    for (std::int64_t row = 0; row < rows; ++row, p += outcomes) {
        if (!base::is_distribution(std::span(p, outcomes))) return row;
    }
    return std::nullopt;
}

} // namespace

Tensor probabilities(const Tensor &output, const OutputContract &contract) {
    if (contract.events == 0 || contract.outcomes < 2) {
        throw ContractError("probabilities: there must be at least one event and two outcomes");
    }
    if (output.dim() == 0) wrong_shape(output, contract);
    const auto batch = output.size(0);
    const auto events = static_cast<std::int64_t>(contract.events);
    const auto outcomes = static_cast<std::int64_t>(contract.outcomes);
    const Tensor numbers = output.is_floating_point() ? output : output.to(torch::kFloat);
    if (numbers.numel() == batch * events * outcomes) {
        const Tensor rows = numbers.reshape({batch, events, outcomes});
        return contract.logits ? torch::softmax(rows, -1) : rows;
    }
    if (outcomes != 2 || numbers.numel() != batch * events) wrong_shape(output, contract);
    const Tensor first = numbers.reshape({batch, events, 1});
    // 1 - sigmoid(x) loses the digits of a small probability; sigmoid(-x) does not.
    return contract.logits ? torch::cat({torch::sigmoid(first), torch::sigmoid(-first)}, -1)
                           : torch::cat({first, 1 - first}, -1);
}

void check_distributions(const Tensor &probabilities, const std::string &network,
                         const std::function<std::string(std::size_t)> &terms) {
    if (probabilities.dim() != 3) {
        throw ContractError("check_distributions: expected batch x events x outcomes");
    }
    const Tensor numbers = probabilities.detach().to(torch::kFloat).contiguous();
    const auto flawed = first_flaw(numbers);
    if (!flawed) return;
    const std::int64_t input = *flawed / numbers.size(1), event = *flawed % numbers.size(1);
    const bool is_finite = torch::isfinite(probabilities[input][event]).all().item<bool>();
    Diagnostic diagnostic;
    diagnostic.code = "output-not-distribution";
    diagnostic.message = fmt::format(
        "row {} of the output of network '{}' for '{}' is not a distribution: {}", event, network,
        terms(static_cast<std::size_t>(input)), flaw(probabilities[input][event]));
    if (is_finite) {
        diagnostic.hint = fmt::format("rows must be non-negative and sum to 1 (tolerance 0.001): "
                                      "end the network with a softmax, write logits = true in "
                                      "[networks.{}], or declare raw scores",
                                      network);
        diagnostic.option = base::option::logits;
        diagnostic.option_value = network;
    } else {
        diagnostic.hint =
            "the network computes numbers that are not finite; look at its inputs and weights";
    }
    throw InputError(std::move(diagnostic));
}

} // namespace neurasp::neural
