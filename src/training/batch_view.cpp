// Checks a batch, gathers the numbers of its examples, and scatters derivatives.
#include "training/batch_view.hpp"

#include <fmt/format.h>

#include <limits>

namespace neurasp::training {

namespace {

void require(bool condition, const char *what) {
    if (!condition) throw ContractError(fmt::format("TrainingProgram::run: {}", what));
}

// Whether the number is finite and not negative.
bool is_weight(double number) {
    return number >= 0.0 && number <= std::numeric_limits<double>::max();
}

} // namespace

template <class Real>
BatchView<Real>::BatchView(const RunContext &context, const TrainingBatch<Real> &batch,
                           const TrainingResult<Real> &result)
    : context_(context), batch_(batch), result_(result), rule_numbers_(batch.rule_numbers) {
    require(context.options.circuits, "the program was made without circuits");
    const auto &written = context.vocabulary.written_numbers();
    if (rule_numbers_.empty()) rule_numbers_ = written;
    require(rule_numbers_.size() == written.size(),
            "expected one number for each outcome of a learnable rule");
    for (std::size_t e = 0; e < batch.examples.size(); ++e) {
        prepared_.push_back(context.observations.find(batch.examples[e].observation));
        require(prepared_.back() != nullptr, "an example's observation is not prepared");
        check_rows(e);
    }
    check_result();
}

template <class Real> void BatchView<Real>::check_rows(std::size_t example) const {
    const PreparedObservation &facts = prepared_[example]->facts;
    const auto rows = batch_.examples[example].rows;
    require(rows.size() >= facts.relevant_calls && rows.size() <= facts.calls.size(),
            "expected one row for each relevant call");
    for (std::size_t c = 0; c < rows.size(); ++c) {
        const std::size_t network = facts.calls[c].network;
        require(network < batch_.outputs.size() && rows[c] < batch_.outputs[network].count,
                "a row is not among its network's outputs");
    }
}

template <class Real> void BatchView<Real>::check_result() const {
    const std::size_t numbers = rule_numbers_.size();
    const std::size_t rules = result_.rule_gradients.size();
    require(result_.log_probability.size() == size(),
            "expected one log probability for each example");
    require(result_.status.empty() || result_.status.size() == size(),
            "expected one status for each example, or none");
    require(rules == 0 || rules == numbers || rules == numbers * size(),
            "expected one gradient for each rule number, or that many for each example, or none");
    if (result_.output_gradients.empty()) return;
    require(result_.output_gradients.size() == batch_.outputs.size(),
            "expected gradients for each network, or none");
    for (std::size_t m = 0; m < batch_.outputs.size(); ++m) {
        require(result_.output_gradients[m].count == batch_.outputs[m].count,
                "expected as many rows of gradients as of outputs");
    }
}

template <class Real>
void BatchView<Real>::refuse(std::size_t example, const NumberSource &source) const {
    Diagnostic diagnostic;
    diagnostic.code = "output-not-distribution";
    if (source.kind == NumberSource::Kind::output) {
        const NetworkCall &call = prepared_[example]->facts.calls[source.call];
        diagnostic.message = fmt::format(
            "row {} of the output of network '{}' for '{}' is not a distribution: an entry is "
            "negative or not finite",
            source.event, context_.vocabulary.networks()[call.network].name, call.terms);
    } else {
        diagnostic.message = "the probability of a rule is negative or not finite";
    }
    throw InputError(std::move(diagnostic));
}

template <class Real>
void BatchView<Real>::gather(std::size_t example, std::size_t columns, std::size_t k,
                             std::span<double> inputs) const {
    const Prepared &prepared = *prepared_[example];
    for (const NumberSource &source : prepared.sources) {
        double *place = &inputs[source.first_input * columns + k];
        bool fine = true;
        const auto put = [&](const auto *numbers, std::ptrdiff_t stride) {
            for (std::size_t o = 0; o < source.outcomes; ++o, numbers += stride) {
                place[o * columns] = static_cast<double>(*numbers);
                fine = fine && is_weight(place[o * columns]);
            }
        };
        switch (source.kind) {
        case NumberSource::Kind::output: {
            const auto &rows = batch_.outputs[prepared.facts.calls[source.call].network];
            put(&rows.at(batch_.examples[example].rows[source.call], source.event, 0),
                rows.outcome_stride);
            break;
        }
        case NumberSource::Kind::learnable_rule: put(&rule_numbers_[source.first], 1); break;
        case NumberSource::Kind::fixed: put(source.fixed.data(), 1); break;
        case NumberSource::Kind::given: {
            const auto given = context_.observations.given(batch_.examples[example].observation);
            for (std::size_t o = 0; o < source.outcomes; ++o) {
                place[o * columns] = o == given[source.call] ? 1.0 : 0.0;
            }
            break;
        }
        }
        if (!fine) refuse(example, source);
    }
}

template <class Real> double BatchView<Real>::weight(std::size_t example) const {
    const double weight = batch_.examples[example].weight;
    return std::isfinite(weight) ? weight : 0.0;
}

template <class Real>
void BatchView<Real>::add_to_output(std::size_t example, std::size_t call, std::size_t event,
                                    std::span<const double> derivatives, std::size_t stride) const {
    if (result_.output_gradients.empty()) return;
    const NetworkCall &called = prepared_[example]->facts.calls[call];
    const auto &rows = result_.output_gradients[called.network];
    const std::size_t outcomes = context_.vocabulary.networks()[called.network].outcomes;
    const double factor = weight(example);
    Real *place = &rows.at(batch_.examples[example].rows[call], event, 0);
    for (std::size_t o = 0; o < outcomes; ++o, place += rows.outcome_stride) {
        // many examples may share a row, so the sum is kept finite, too
        *place = finite<Real>(
            static_cast<double>(*place + finite<Real>(derivatives[o * stride] * factor)));
    }
}

template <class Real>
void BatchView<Real>::add_to_rule(std::size_t example, std::size_t first, std::size_t outcomes,
                                  std::span<const double> derivatives, std::size_t stride) const {
    const auto &gradients = result_.rule_gradients;
    if (gradients.empty()) return;
    const std::size_t numbers = rule_numbers_.size();
    double *place = &gradients[(gradients.size() > numbers ? example * numbers : 0) + first];
    const double factor = weight(example);
    for (std::size_t o = 0; o < outcomes; ++o) {
        place[o] = finite<double>(place[o] + finite<double>(derivatives[o * stride] * factor));
    }
}

template <class Real>
void BatchView<Real>::scatter(std::size_t example, std::size_t columns, std::size_t k,
                              std::span<const double> gradient) const {
    for (const NumberSource &source : prepared_[example]->sources) {
        const auto derivatives = gradient.subspan(source.first_input * columns + k);
        if (source.kind == NumberSource::Kind::output) {
            add_to_output(example, source.call, source.event, derivatives, columns);
        } else if (source.kind == NumberSource::Kind::learnable_rule) {
            add_to_rule(example, source.first, source.outcomes, derivatives, columns);
        }
    }
}

template <class Real>
void BatchView<Real>::scatter(std::size_t example, const VariableGradient &variable) const {
    const VariableSource &source = variable.source;
    if (const LearnableRule *rule = context_.vocabulary.rule_of(source)) {
        add_to_rule(example, rule->first, variable.values.size(), variable.values, 1);
    } else if (!source.network.empty()) {
        const std::size_t network = context_.vocabulary.network_index(source.network);
        const std::size_t call = prepared_[example]->find_call(network, source.terms);
        add_to_output(example, call, source.event, variable.values, 1);
    }
}

template <class Real>
void BatchView<Real>::set(std::size_t example, double log_probability, ExampleStatus status) const {
    result_.log_probability[example] = log_probability;
    if (!result_.status.empty()) result_.status[example] = status;
}

template class BatchView<float>;
template class BatchView<double>;

} // namespace neurasp::training
