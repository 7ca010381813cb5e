// Training through rules, without Torch. Observations are prepared once; then, for each batch of network outputs, the
// library computes log P(O) of every example and its derivatives with respect to every output and every learnable rule
// probability. The loss for LibTorch and the trainer use only this header, and any other framework can do the same.
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
    sampling, // from total choices drawn from the distribution given O
    top_k,    // from the k most probable total choices that satisfy O
};

// Observations of one kind (constraints of the same form, and facts) may share a grounding and a circuit, from which each is
// prepared quickly: a family. If the circuit would be too large, they may still share the grounding.
enum class FamilyUse {
    automatic,      // whatever is likely to be fastest
    never,          // each observation is prepared on its own
    only_grounding, // from two observations on, and no family
    always,         // a family from two observations on, however long it takes
};

struct TrainingOptions {
    GradientMethod method = GradientMethod::exact;
    std::size_t samples = 100; // for sampling
    std::size_t k = 10;        // for top_k
    GradientConvention convention = GradientConvention::plain;
    bool optimal = false;                  // only least-cost models count
    std::optional<double> compile_seconds; // for each observation; without a value: no limit
    std::string circuit_folder; // where circuits are stored for later runs; empty: nowhere
    std::size_t threads = 1;    // for compiling and evaluating; 0: one per processor
    FamilyUse families = FamilyUse::automatic;
    // If false, observations are prepared only to find their calls, and run() must not be used.
    bool circuits = true;
};

// The shape of a network's output for one input, as the program uses it.
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
    std::size_t first = 0; // index of its first number among those of all learnable rules
};

// A call of a network: the network and the input terms.
struct NetworkCall {
    std::size_t network = 0; // in TrainingProgram::networks()
    std::string terms;
};

struct ObservationId {
    std::uint32_t value = 0;
    friend auto operator<=>(ObservationId, ObservationId) = default;
};

struct PreparedObservation {
    std::vector<NetworkCall> calls; // first those that log P(O) depends on
    std::size_t relevant_calls = 0; // the number of those
    bool has_circuit = false;       // if false, its models are enumerated in every step
    std::string obstacle;           // why there is no circuit
    std::size_t nodes = 0;
    std::size_t edges = 0;
};

// Rows of numbers anywhere in memory: the number of row r, event e and outcome o is
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
    // Rows without gaps between them.
    static Rows contiguous(std::span<Number> numbers, const NetworkShape &shape) {
        const auto size = static_cast<std::ptrdiff_t>(shape.size());
        return {numbers.data(), shape.size() == 0 ? 0 : numbers.size() / shape.size(), size,
                static_cast<std::ptrdiff_t>(shape.outcomes), 1};
    }
};

struct BatchExample {
    ObservationId observation;
    // For each call of the observation, or at least for the relevant ones, the row in the network's outputs. Examples
    // may share rows.
    std::span<const std::uint32_t> rows;
    double weight = 1.0; // of the example's gradient; a weight that is not finite counts as 0
};

// Real is float or double.
template <class Real> struct TrainingBatch {
    // Distributions, by network; networks at the end may be missing if no example needs them.
    std::vector<Rows<const Real>> outputs;
    // The probabilities of all learnable rules, one after the other; if empty, those of the program are used.
    std::span<const double> rule_numbers;
    std::span<const BatchExample> examples;
    // For sampling: every step draws new samples; the same seed and step draw the same ones.
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
};

enum class ExampleStatus : std::uint8_t {
    exact,
    lower_bound, // a limit ended the search; log P(O) and the gradient are those of the models found
    impossible,  // P(O) = 0; no gradient
    unanswered, // a limit was reached before the first model; log P(O) is minus infinity, no gradient
};

template <class Real> struct TrainingResult {
    std::span<double> log_probability; // one per example
    std::span<ExampleStatus> status;   // one per example, or empty
    // The weighted derivatives of log P(O) are added to these, always in the same order, unless they are empty. The
    // sums are never infinite or NaN: a derivative with respect to a probability of 0 is unbounded, and infinity would
    // become NaN behind a saturated softmax, whose own derivative is 0 there.
    std::vector<Rows<Real>> output_gradients; // by network, with as many rows as `outputs`
    // One number per rule probability, either summed over all examples or separately for each example in turn.
    std::span<double> rule_gradients;
};

// How observations of one kind were prepared: those with constraints of the same forms in the same order, and any facts.
// Observations that have anything else are one kind.
struct KindStatistics {
    std::string example; // the text of the first one
    std::size_t observations = 0;
    // Of these:
    std::size_t in_families = 0;       // prepared from a circuit that they share,
    std::size_t direct = 0;            //   or with that circuit itself
    std::size_t grounded_together = 0; // compiled one by one from a grounding that they share
    std::size_t alone = 0;             // grounded and compiled one by one
    std::size_t without_circuit = 0;   // enumerated in every step

    std::size_t families = 0;
    std::size_t family_edges = 0;    // of the largest circuit of a family
    std::size_t largest_circuit = 0; // edges, of an observation
    double processor_seconds = 0.0;  // for all of it, grounding included
    std::string refusal;             // why they do not share more; empty if nothing more was tried
};

struct TrainingStatistics {
    std::size_t observations = 0;
    std::size_t without_circuit = 0;
    std::size_t largest_circuit = 0; // edges
    std::size_t families = 0;        // groundings and circuits that observations of one kind share
    std::size_t in_families = 0;     // observations that were prepared from these
    std::size_t grounded_together = 0; // observations that share a grounding only
    double prepare_seconds = 0.0;      // wall-clock, grounding included
    std::vector<KindStatistics> kinds; // in the order in which they became known; all others last
};

// Const functions, such as `run` and `at`, may be called from any number of threads at once; while another function
// runs, no thread may use the program.
class TrainingProgram {
  public:
    // Throws: InputError, LimitError.
    explicit TrainingProgram(Program program, TrainingOptions options = {}, Limits grounding = {});
    ~TrainingProgram();
    TrainingProgram(TrainingProgram &&) noexcept;
    TrainingProgram &operator=(TrainingProgram &&) noexcept;

    // The networks that the program calls without observations; preparing an observation with facts may add more.
    const std::vector<NetworkShape> &networks() const noexcept;
    std::size_t network_index(const std::string &name) const; // networks().size() if there is none
    const std::vector<LearnableRule> &rules() const noexcept;
    // The probabilities of all learnable rules as written, one after the other.
    std::vector<double> rule_numbers() const;
    const TrainingOptions &options() const noexcept;

    // Grounds and compiles the observations that are new. Returns one id for each observation; equal texts (with their
    // values filled in) have equal ids, whatever their names. If time runs out or the stop token is raised, the result
    // is shorter; finished observations are kept, and the next call continues from there. The same holds if an
    // observation is wrong, which throws InputError, or exceeds `limits.ground_rules`, which throws LimitError.
    std::vector<ObservationId> prepare(std::span<const Observation> observations,
                                       const Limits &limits = {});
    ObservationId prepare(const Observation &observation); // no limits
    const PreparedObservation &at(ObservationId id) const;
    // Asks any question about the program. Throws: InputError, LimitError.
    Question ask(const std::vector<Observation> &observations,
                 const std::vector<std::string> &queries = {}, const Limits &limits = {});
    // Warnings about the program and all that was prepared or asked so far, each once. An atom that no rule
    // derives is a warning (undefined-atom) only if no observation among these, and none that was expected,
    // brings facts or rules for it.
    std::vector<Diagnostic> diagnostics() const;
    // Observations that may come later: they count when a family is considered. Cost: new statements are read, nothing is
    // grounded. Mistakes are left to `prepare`.
    void expect(std::span<const Observation> observations);
    // Adds the networks that a question calls. Throws: InputError (network-two-shapes).
    void meet(const Question &question);

    // Results do not depend on the number of threads. `limits.seconds` applies to the whole batch, `limits.models` to
    // each example whose models are enumerated. Throws: ContractError if a size does not fit; InputError
    // (output-not-distribution) if an output is negative or not finite or, for examples whose models are enumerated, if
    // a row does not sum to 1. After an exception, gradients are incomplete.
    void run(const TrainingBatch<float> &batch, const TrainingResult<float> &result,
             const Limits &limits = {}) const;
    void run(const TrainingBatch<double> &batch, const TrainingResult<double> &result,
             const Limits &limits = {}) const;
    // The outputs of one example, for use with other questions. Requires: the example has rows for all calls.
    NetworkOutputs outputs_of(const TrainingBatch<float> &batch, std::size_t example) const;
    NetworkOutputs outputs_of(const TrainingBatch<double> &batch, std::size_t example) const;

    TrainingStatistics statistics() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Replaces the numbers by the nearest distribution (in Euclidean distance; Wang and Carreira-Perpinan, 2013) in which
// no probability is below `least`, so that no outcome is ruled out for good. Requires: at least one number, all
// finite.
void project_to_simplex(std::span<double> numbers, double least = 1e-6);

} // namespace neurasp
