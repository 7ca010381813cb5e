// TrainingProgram, the public class of this layer, and project_to_simplex.
#include "inference/access.hpp"
#include "training/batch_run.hpp"
#include "training/preparation.hpp"

#include <algorithm>
#include <functional>

namespace neurasp {

using training::FamilyPlanner;
using training::RunContext;
using training::ScratchPool;
using training::Vocabulary;
using training::WarningBook;
using training::Workshop;

struct TrainingProgram::Parts {
    Workshop workshop;
    ScratchPool scratch; // for runs, several of which may go on at once

    RunContext context() {
        return {workshop.options, workshop.vocabulary, workshop.observations, scratch};
    }
};

namespace {

Workshop open_workshop(Program program, TrainingOptions options, Limits grounding) {
    const auto rules = program.probabilistic_rules();
    Reasoner reasoner(program, std::move(grounding));
    const Question alone = reasoner.ask();
    Vocabulary vocabulary(rules, alone.variables());
    FamilyPlanner families(options.families);
    return {std::move(program),
            std::move(reasoner),
            std::move(options),
            std::move(vocabulary),
            {},
            {},
            WarningBook(alone),
            std::move(families),
            {},
            internal::Access::state(alone).library,
            internal::Access::state(alone).scope->grounding().program_rule_count(),
            {}};
}

} // namespace

TrainingProgram::TrainingProgram(Program program, TrainingOptions options, Limits grounding)
    : parts_(new Parts{open_workshop(std::move(program), std::move(options), std::move(grounding)),
                       {}}) {}
TrainingProgram::~TrainingProgram() = default;
TrainingProgram::TrainingProgram(TrainingProgram &&) noexcept = default;
TrainingProgram &TrainingProgram::operator=(TrainingProgram &&) noexcept = default;

const std::vector<NetworkShape> &TrainingProgram::networks() const noexcept {
    return parts_->workshop.vocabulary.networks();
}

std::size_t TrainingProgram::network_index(const std::string &name) const {
    return parts_->workshop.vocabulary.network_index(name);
}

const std::vector<LearnableRule> &TrainingProgram::rules() const noexcept {
    return parts_->workshop.vocabulary.rules();
}

std::vector<double> TrainingProgram::rule_numbers() const {
    return parts_->workshop.vocabulary.written_numbers();
}

const TrainingOptions &TrainingProgram::options() const noexcept {
    return parts_->workshop.options;
}

std::vector<ObservationId> TrainingProgram::prepare(std::span<const Observation> observations,
                                                    const Limits &limits) {
    return training::prepare(parts_->workshop, observations, limits);
}

ObservationId TrainingProgram::prepare(const Observation &observation) {
    return prepare(std::span(&observation, 1)).front();
}

const PreparedObservation &TrainingProgram::at(ObservationId id) const {
    const training::Prepared *prepared = parts_->workshop.observations.find(id);
    if (prepared == nullptr) {
        throw ContractError("TrainingProgram::at: the observation is not prepared");
    }
    return prepared->facts;
}

Question TrainingProgram::ask(const std::vector<Observation> &observations,
                              const std::vector<std::string> &queries, const Limits &limits) {
    Question question = parts_->workshop.reasoner.ask(observations, queries, limits);
    parts_->workshop.warnings.note(question);
    return question;
}

std::vector<Diagnostic> TrainingProgram::diagnostics() const {
    return parts_->workshop.warnings.all();
}

void TrainingProgram::expect(std::span<const Observation> observations) {
    training::expect(parts_->workshop, observations);
}

void TrainingProgram::meet(const Question &question) {
    parts_->workshop.vocabulary.meet(question.variables());
}

void TrainingProgram::run(const TrainingBatch<float> &batch, const TrainingResult<float> &result,
                          const Limits &limits) const {
    training::run(parts_->context(), batch, result, limits);
}

void TrainingProgram::run(const TrainingBatch<double> &batch, const TrainingResult<double> &result,
                          const Limits &limits) const {
    training::run(parts_->context(), batch, result, limits);
}

NetworkOutputs TrainingProgram::outputs_of(const TrainingBatch<float> &batch,
                                           std::size_t example) const {
    return training::outputs_of(parts_->context(), batch, example);
}

NetworkOutputs TrainingProgram::outputs_of(const TrainingBatch<double> &batch,
                                           std::size_t example) const {
    return training::outputs_of(parts_->context(), batch, example);
}

TrainingStatistics TrainingProgram::statistics() const {
    TrainingStatistics statistics = parts_->workshop.statistics;
    for (const auto &[number, kind] : parts_->workshop.kinds) statistics.kinds.push_back(kind);
    return statistics;
}

void project_to_simplex(std::span<double> numbers, double least) {
    const double mass = 1.0 - least * static_cast<double>(numbers.size());
    // Adding a constant to all numbers does not change the result. With the greatest at 0, no digits are lost.
    const double greatest = *std::max_element(numbers.begin(), numbers.end());
    for (double &x : numbers) x -= greatest;
    std::vector<double> sorted(numbers.begin(), numbers.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    double sum = 0.0;
    double shift = 0.0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        sum += sorted[i];
        const double candidate = (sum - mass) / static_cast<double>(i + 1);
        if (sorted[i] - candidate > 0.0) shift = candidate;
    }
    for (double &x : numbers) x = least + std::max(x - shift, 0.0);
}

} // namespace neurasp
