// neurasp::SemanticLoss: puts outputs, which users give by call, into the order that a training program expects.
#include "base/counted.hpp"
#include "base/stopwatch.hpp"
#include "base/without_blanks.hpp"
#include "learning/semantic_loss.hpp"
#include "neural/probabilities.hpp"
#include "neurasp/semantic_loss.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace neurasp {

struct SemanticLoss::Parts {
    TrainingProgram program;
    std::uint64_t seed = 0;
    std::uint64_t calls = 0; // so that each call draws new samples
};

namespace {

// The outputs of one network for all its calls, call after call, as distributions.
class CallTable {
  public:
    CallTable(const TrainingProgram &program, const SemanticLoss::Outputs &outputs,
              std::size_t batch)
        : program_(program), batch_(batch) {
        for (const auto &[call, tensor] : outputs)
            given_.emplace(base::without_blanks(call), tensor);
    }

    // The row of an example's call among the outputs of its network.
    std::uint32_t row(const NetworkCall &call, std::size_t example) {
        const std::string name = fmt::format("{}({})", program_.networks()[call.network].name,
                                             base::without_blanks(call.terms));
        auto place = first_.find(name);
        if (place == first_.end()) place = first_.emplace(name, add(call, name)).first;
        return static_cast<std::uint32_t>(place->second + example);
    }

    std::vector<torch::Tensor> outputs() const {
        std::vector<torch::Tensor> result;
        for (std::size_t m = 0; m < program_.networks().size(); ++m) {
            const auto found = parts_.find(m);
            result.push_back(found == parts_.end() ? torch::Tensor() : torch::cat(found->second));
        }
        return result;
    }

  private:
    std::size_t add(const NetworkCall &call, const std::string &name) {
        const NetworkShape &shape = program_.networks()[call.network];
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
                "SemanticLoss: the output for {} must have {}, one for each observation", name,
                base::counted(batch_, "row")));
        }
        const auto type =
            found->second.scalar_type() == torch::kDouble ? torch::kDouble : torch::kFloat;
        const torch::Tensor rows = neural::probabilities(
            found->second.to(torch::kCPU, type), {shape.name, shape.events, shape.outcomes, false});
        neural::check_distributions(rows, shape.name, [&](std::size_t row) {
            return fmt::format("{} of example {}", call.terms, row);
        });
        const bool one_column = found->second.numel() ==
                                found->second.size(0) * static_cast<std::int64_t>(shape.events);
        const GradientConvention convention = program_.options().convention;
        auto &parts = parts_[call.network];
        parts.push_back(one_column && convention == GradientConvention::proposition1
                            ? learning::with_half_gradient(rows)
                            : rows);
        return (parts.size() - 1) * batch_;
    }

    const TrainingProgram &program_;
    std::size_t batch_;
    std::map<std::string, torch::Tensor> given_;
    std::map<std::string, std::size_t> first_; // the first row of each call
    std::map<std::size_t, std::vector<torch::Tensor>> parts_;
};

// Prepares all observations. Throws: LimitError if that is not possible within the limits.
std::vector<ObservationId>
prepare(TrainingProgram &program, std::span<const Observation> observations, const Limits &limits) {
    auto ids = program.prepare(observations, limits);
    if (ids.size() < observations.size()) {
        throw LimitError(fmt::format("only {} of {} could be prepared", ids.size(),
                                     base::counted(observations.size(), "observation")),
                         "those already prepared are kept; call again", limits.stop.raised());
    }
    return ids;
}

torch::Tensor mean_loss(const torch::Tensor &log) {
    const torch::Tensor possible = torch::isfinite(log);
    const auto count = possible.sum().item<std::int64_t>();
    if (count == 0) return {};
    return -torch::where(possible, log, torch::zeros_like(log)).sum() / static_cast<double>(count);
}

std::vector<Observation> as_observations(const std::vector<std::string> &texts) {
    std::vector<Observation> observations;
    for (const std::string &text : texts) observations.push_back({text});
    return observations;
}

} // namespace

SemanticLoss::SemanticLoss(Program program, SemanticLossOptions options, Limits grounding)
    : parts_(new Parts{
          TrainingProgram(std::move(program), std::move(options), std::move(grounding))}) {}
SemanticLoss::~SemanticLoss() = default;
SemanticLoss::SemanticLoss(SemanticLoss &&) noexcept = default;
SemanticLoss &SemanticLoss::operator=(SemanticLoss &&) noexcept = default;

TrainingProgram &SemanticLoss::program() noexcept { return parts_->program; }

void SemanticLoss::set_seed(std::uint64_t seed) {
    parts_->seed = seed;
    parts_->calls = 0;
}

torch::Tensor SemanticLoss::rule_probabilities() const {
    return torch::tensor(parts_->program.rule_numbers(), torch::kDouble);
}

torch::Tensor SemanticLoss::log_probability(const Outputs &outputs,
                                            std::span<const Observation> observations,
                                            const torch::Tensor &rules, const Limits &limits) {
    const base::Stopwatch stopwatch;
    TrainingProgram &program = parts_->program;
    const std::vector<ObservationId> ids = prepare(program, observations, limits);
    CallTable table(program, outputs, observations.size());
    std::vector<std::vector<std::uint32_t>> rows(ids.size());
    std::vector<BatchExample> examples;
    for (std::size_t e = 0; e < ids.size(); ++e) {
        const PreparedObservation &observation = program.at(ids[e]);
        for (std::size_t c = 0; c < observation.relevant_calls; ++c) {
            rows[e].push_back(table.row(observation.calls[c], e));
        }
        examples.push_back({ids[e], rows[e]});
    }
    learning::BatchSettings settings{parts_->seed, parts_->calls++, limits};
    if (limits.seconds) {
        settings.limits.seconds = std::max(0.0, *limits.seconds - stopwatch.seconds());
    }
    const torch::Tensor numbers = rules.defined()
                                      ? rules.to(torch::kCPU, torch::kDouble).reshape({-1})
                                      : rule_probabilities();
    return learning::log_probability(program, table.outputs(), numbers, examples, settings);
}

torch::Tensor SemanticLoss::log_probability(const Outputs &outputs,
                                            const std::vector<std::string> &observations,
                                            const torch::Tensor &rules, const Limits &limits) {
    return log_probability(outputs, std::span<const Observation>(as_observations(observations)),
                           rules, limits);
}

torch::Tensor SemanticLoss::operator()(const Outputs &outputs,
                                       std::span<const Observation> observations,
                                       const torch::Tensor &rules, const Limits &limits) {
    return mean_loss(log_probability(outputs, observations, rules, limits));
}

torch::Tensor SemanticLoss::operator()(const Outputs &outputs,
                                       const std::vector<std::string> &observations,
                                       const torch::Tensor &rules, const Limits &limits) {
    return mean_loss(log_probability(outputs, observations, rules, limits));
}

} // namespace neurasp
