// Training through rules without Torch: observations are prepared once; then a batch of network outputs gives
// log P(O) of every example and its derivatives by every output and every learnable rule probability. The
// loss for LibTorch and the trainer stand on this header alone, and so can any other framework.
#pragma once

#include "neurasp/limits.hpp"
#include "neurasp/program.hpp"
#include "neurasp/question.hpp"
#include "neurasp/reasoner.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neurasp {

enum class GradientMethod {
    exact,
    sampling, // from total choices drawn given O
    top_k,    // from the k most probable total choices
};

struct TrainingOptions {
    GradientMethod method = GradientMethod::exact;
    std::size_t samples = 100; // for sampling
    std::size_t k = 10;        // for top_k
    GradientConvention convention = GradientConvention::plain;
    bool optimal = false;                  // only least-cost models count
    std::optional<double> compile_seconds; // for one observation; nothing: as long as it takes
    std::string circuit_folder;            // compiled circuits are kept there; empty: nowhere
    std::size_t threads = 1;               // that compile and evaluate; 0: one per processor
    // False: observations are only asked for their calls, and run() is not used.
    bool circuits = true;
};

// How the program calls a network: what it outputs for one input.
struct NetworkShape {
    std::string name;
    std::size_t events = 1;
    std::size_t outcomes = 2;
    std::vector<std::string> values; // of the outcomes, as in the program

    std::size_t size() const { return events * outcomes; }
};

// A learnable probabilistic rule; its ground instances share its numbers.
struct LearnableRule {
    std::size_t rule = 0; // as in VariableSource
    std::string name;     // of its first instance, for people
    std::vector<std::string> atoms;
    std::vector<double> probabilities; // as written
    std::size_t first = 0;             // place of its numbers among those of all learnable rules
};

// A call that an observation's program makes: network and input terms.
struct NetworkCall {
    std::size_t network = 0; // in TrainingProgram::networks()
    std::string terms;
};

struct ObservationId {
    std::uint32_t value = 0;
    friend auto operator<=>(ObservationId, ObservationId) = default;
};

struct PreparedObservation {
    std::vector<NetworkCall> calls; // those that log P(O) depends on first
    std::size_t relevant_calls = 0; // how many these are
    bool has_circuit = false;       // false: its models are enumerated in every step
    std::string obstacle;           // why there is no circuit
    std::size_t nodes = 0;
    std::size_t edges = 0;
};

// Rows of numbers anywhere in memory: that of row r, event e, outcome o at
// data[r * row_stride + e * event_stride + o * outcome_stride].
template <class Number> struct Rows {
    Number *data = nullptr;
    std::size_t count = 0;
    std::ptrdiff_t row_stride = 0;
    std::ptrdiff_t event_stride = 0;
    std::ptrdiff_t outcome_stride = 1;

    Number &at(std::size_t row, std::size_t event, std::size_t outcome) const {
        return data[static_cast<std::ptrdiff_t>(row) * row_stride +
                    static_cast<std::ptrdiff_t>(event) * event_stride +
                    static_cast<std::ptrdiff_t>(outcome) * outcome_stride];
    }
    // Rows that follow each other without gaps.
    static Rows contiguous(std::span<Number> numbers, const NetworkShape &shape) {
        const auto size = static_cast<std::ptrdiff_t>(shape.size());
        return {numbers.data(), shape.size() == 0 ? 0 : numbers.size() / shape.size(), size,
                static_cast<std::ptrdiff_t>(shape.outcomes), 1};
    }
};

struct BatchExample {
    ObservationId observation;
    // For each call of the observation, at least the relevant ones: the row of the network's outputs. Examples
    // may share rows.
    std::span<const std::uint32_t> rows;
    double weight = 1.0; // of the example's gradient; one that is not finite counts as 0
};

// Real is float or double.
template <class Real> struct TrainingBatch {
    // Distributions, by network; may end before the last network.
    std::vector<Rows<const Real>> outputs;
    // Of the learnable rules, one after the other; empty: as written.
    std::span<const double> rule_numbers;
    std::span<const BatchExample> examples;
    // For sampling: new samples for every step, the same for the same seed and step.
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
};

enum class ExampleStatus : std::uint8_t {
    exact,
    lower_bound, // a limit ended the search; log P(O) and the gradient are those of the models found
    impossible,  // P(O) = 0; no gradient
    unanswered, // a limit ended the search before there was a model; log P(O) is minus infinity, no gradient
};

template <class Real> struct TrainingResult {
    std::span<double> log_probability; // one per example
    std::span<ExampleStatus> status;   // likewise, or empty
    // To these the examples' weighted derivatives of log P(O) are added, unless they are empty, always in the
    // same order. None is infinite or NaN: beside a probability of 0 a derivative has no bound, and infinity
    // would become NaN behind a saturated softmax, whose own derivative is 0 there.
    std::vector<Rows<Real>> output_gradients; // by network, as many rows as `outputs` has
    // One per rule number; or so many for each example, one after the other.
    std::span<double> rule_gradients;
};

struct TrainingStatistics {
    std::size_t observations = 0;
    std::size_t without_circuit = 0;
    std::size_t largest_circuit = 0; // edges
    double prepare_seconds = 0.0;    // wall-clock, grounding included
};

// Threads: `run`, `at` and whatever else is const may be called from any number of threads at once. The others
// need the program for themselves.
class TrainingProgram {
  public:
    // Throws: InputError, LimitError.
    explicit TrainingProgram(Program program, TrainingOptions options = {}, Limits grounding = {});
    ~TrainingProgram();
    TrainingProgram(TrainingProgram &&) noexcept;
    TrainingProgram &operator=(TrainingProgram &&) noexcept;

    // What the program without observations calls; preparing may add networks that facts bring.
    const std::vector<NetworkShape> &networks() const noexcept;
    std::size_t network_index(const std::string &name) const; // networks().size(): there is none
    const std::vector<LearnableRule> &rules() const noexcept;
    // The probabilities of all learnable rules as written, one after the other.
    std::vector<double> rule_numbers() const;
    const TrainingOptions &options() const noexcept;

    // Grounds and compiles what was not met before. The result has one id for each observation, the same for
    // the same text (holes filled in; names do not matter). Where time or the stop token ended the work it is
    // shorter; what was done is kept, and preparing again goes on from there. So it is when an observation is
    // wrong: it throws InputError, or LimitError where a single one exceeds `limits.ground_rules`.
    std::vector<ObservationId> prepare(std::span<const Observation> observations,
                                       const Limits &limits = {});
    ObservationId prepare(const Observation &observation); // without limits
    const PreparedObservation &at(ObservationId id) const;
    // Any question about the program. Throws: InputError, LimitError.
    Question ask(const std::vector<Observation> &observations,
                 const std::vector<std::string> &queries = {}, const Limits &limits = {});
    // Warnings about the program and all that was prepared or asked so far, each once. An atom that no rule
    // derives is a warning (undefined-atom) only if no observation among these, and none that was expected,
    // brings facts or rules for it.
    std::vector<Diagnostic> diagnostics() const;
    // Observations that may come later. Cost: each is read, not grounded. Mistakes are left to `prepare`.
    void expect(std::span<const Observation> observations);
    // Adds the networks that a question calls. Throws: InputError (network-two-shapes).
    void meet(const Question &question);

    // Numbers do not depend on the number of threads. `limits.seconds` is for the whole batch, `models` for
    // each example whose models are enumerated. Throws: ContractError if a size does not fit; InputError
    // (output-not-distribution) if an output is negative or not finite and, where models are enumerated, if
    // a row does not sum to 1. Gradients are not complete then.
    void run(const TrainingBatch<float> &batch, const TrainingResult<float> &result,
             const Limits &limits = {}) const;
    void run(const TrainingBatch<double> &batch, const TrainingResult<double> &result,
             const Limits &limits = {}) const;
    // The outputs of one example for other questions. Requires: rows for all calls.
    NetworkOutputs outputs_of(const TrainingBatch<float> &batch, std::size_t example) const;
    NetworkOutputs outputs_of(const TrainingBatch<double> &batch, std::size_t example) const;

    TrainingStatistics statistics() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// The distribution nearest to these numbers (Euclidean; Wang and Carreira-Perpinan, 2013), with nothing below
// `least`, so that no outcome is ruled out for good. Requires: finite numbers, at least one.
void project_to_simplex(std::span<double> numbers, double least = 1e-6);

} // namespace neurasp
