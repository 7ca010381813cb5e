// neurasp::SemanticLoss: outputs by call, put in the order that the symbolic step wants.
#include "learning/plan.hpp"
#include "learning/semantic_loss.hpp"
#include "neural/probabilities.hpp"
#include "neurasp/semantic_loss.hpp"

#include <fmt/format.h>

namespace neurasp {

using learning::NetworkCall;
using learning::NetworkShape;
using learning::StepExample;

struct SemanticLoss::Parts {
    Parts(Program program, const learning::StepOptions &options)
        : step(std::move(program), options), convention(options.convention) {}
    learning::SymbolicStep step;
    GradientConvention convention;
};

namespace {

learning::StepOptions step_options(const SemanticLossOptions &options) {
    learning::StepOptions step;
    step.convention = options.convention;
    step.optimal = options.optimal;
    step.circuit_folder = options.circuit_folder;
    return step;
}

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

// The outputs of one network for all its calls, call after call, as distributions.
class CallTable {
  public:
    CallTable(const learning::SymbolicStep &step,
              const std::map<std::string, torch::Tensor> &outputs, std::size_t batch,
              GradientConvention convention)
        : step_(step), batch_(batch), convention_(convention) {
        for (const auto &[call, tensor] : outputs) given_.emplace(without_blanks(call), tensor);
    }

    // The row of an example's call among the outputs of its network.
    std::uint32_t row(const NetworkCall &call, std::size_t example) {
        const std::string name =
            fmt::format("{}({})", step_.networks()[call.network].name, without_blanks(call.terms));
        auto place = first_.find(name);
        if (place == first_.end()) place = first_.emplace(name, add(call, name)).first;
        return static_cast<std::uint32_t>(place->second + example);
    }

    std::vector<torch::Tensor> outputs() const {
        std::vector<torch::Tensor> result;
        for (std::size_t m = 0; m < step_.networks().size(); ++m) {
            const auto found = parts_.find(m);
            result.push_back(found == parts_.end() ? torch::Tensor() : torch::cat(found->second));
        }
        return result;
    }

  private:
    std::size_t add(const NetworkCall &call, const std::string &name) {
        const NetworkShape &shape = step_.networks()[call.network];
        const auto found = given_.find(name);
        if (found == given_.end()) {
            Diagnostic diagnostic;
            diagnostic.code = "missing-output";
            diagnostic.message = fmt::format("there is no output for {}", name);
            throw InputError(std::move(diagnostic));
        }
        if (found->second.dim() == 0 ||
            found->second.size(0) != static_cast<std::int64_t>(batch_)) {
            throw ContractError(fmt::format(
                "SemanticLoss: the output for {} must have {} rows, one for each observation", name,
                batch_));
        }
        const torch::Tensor rows = neural::probabilities(
            found->second.to(torch::kFloat), {shape.name, shape.events, shape.outcomes, false});
        neural::check_distributions(rows, shape.name, [&](std::size_t row) {
            return fmt::format("{} of example {}", call.terms, row);
        });
        const bool one_column = found->second.numel() ==
                                found->second.size(0) * static_cast<std::int64_t>(shape.events);
        auto &parts = parts_[call.network];
        parts.push_back(one_column && convention_ == GradientConvention::proposition1
                            ? learning::with_half_gradient(rows)
                            : rows);
        return (parts.size() - 1) * batch_;
    }

    const learning::SymbolicStep &step_;
    std::size_t batch_;
    GradientConvention convention_;
    std::map<std::string, torch::Tensor> given_;
    std::map<std::string, std::size_t> first_; // row, by call
    std::map<std::size_t, std::vector<torch::Tensor>> parts_;
};

} // namespace

SemanticLoss::SemanticLoss(Program program, SemanticLossOptions options)
    : parts_(std::make_unique<Parts>(std::move(program), step_options(options))) {}
SemanticLoss::~SemanticLoss() = default;
SemanticLoss::SemanticLoss(SemanticLoss &&) noexcept = default;
SemanticLoss &SemanticLoss::operator=(SemanticLoss &&) noexcept = default;

torch::Tensor SemanticLoss::log_probability(const std::map<std::string, torch::Tensor> &outputs,
                                            const std::vector<std::string> &observations) {
    learning::SymbolicStep &step = parts_->step;
    std::vector<const learning::Plan *> plans;
    for (const std::string &observation : observations) plans.push_back(&step.plan(observation));
    CallTable table(step, outputs, observations.size(), parts_->convention);
    std::vector<std::vector<std::uint32_t>> rows(observations.size());
    std::vector<StepExample> examples;
    for (std::size_t e = 0; e < plans.size(); ++e) {
        const auto &calls = step.calls(*plans[e]);
        for (std::size_t c = 0; c < step.relevant_calls(*plans[e]); ++c) {
            rows[e].push_back(table.row(calls[c], e));
        }
        examples.push_back({plans[e], rows[e]});
    }
    std::vector<double> numbers;
    for (const learning::LearnableRule &rule : step.rules()) {
        numbers.insert(numbers.end(), rule.probabilities.begin(), rule.probabilities.end());
    }
    return learning::log_probability(step, table.outputs(), torch::tensor(numbers, torch::kDouble),
                                     examples);
}

torch::Tensor SemanticLoss::operator()(const std::map<std::string, torch::Tensor> &outputs,
                                       const std::vector<std::string> &observations) {
    const torch::Tensor log = log_probability(outputs, observations);
    const torch::Tensor possible = torch::isfinite(log);
    const auto count = possible.sum().item<std::int64_t>();
    if (count == 0) return {};
    return -torch::where(possible, log, torch::zeros_like(log)).sum() / static_cast<double>(count);
}

} // namespace neurasp
