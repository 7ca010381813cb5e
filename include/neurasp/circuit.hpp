// A question compiled: its rules as an arithmetic circuit that is evaluated for many network outputs at
// once. This is what training runs on; see docs/performance.md for what it costs.
#pragma once

#include "neurasp/answers.hpp"
#include "neurasp/network_outputs.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neurasp {

namespace internal {
struct Access; // how the library's own layers get inside; not for users
}

// The kind of circuit to make. Compiling heeds Limits: seconds, nodes (by default two million) and bytes
// (two billion).
struct CompileSettings {
    bool optimal = false;         // only the least-cost models of program and observation count
    bool smooth = false;          // every branch mentions the same variables
    bool external_inputs = false; // #external atoms are inputs of the circuit: true or false
    std::string circuit_folder;   // circuits are kept there and found again; empty: nowhere
};

struct CircuitStatistics {
    std::size_t ground_rules = 0; // that the observation depends on
    std::size_t variables = 0;    // of the propositional theory
    std::size_t clauses = 0;
    std::size_t random_variables = 0;
    std::size_t recursive_atoms = 0; // atoms on positive cycles
    std::size_t nodes = 0;
    std::size_t edges = 0;
    std::uint64_t decisions = 0;
    std::uint64_t conflicts = 0;
    std::uint64_t cache_lookups = 0;
    std::uint64_t cache_hits = 0;
    bool reused = false; // the circuit came from a cache
    double seconds_translate = 0.0;
    double seconds_order = 0.0;
    double seconds_search = 0.0;
};

// A random variable that the circuit depends on, or an external atom (true, false) that is an input. Its
// outcomes are the rows first_input, first_input + 1, ... of the evaluator's arrays.
struct CircuitVariable {
    std::string name;
    std::vector<std::string> atoms;
    std::size_t first_input = 0;
    bool external = false;
    VariableSource source = {}; // if it is a random variable
};

// An outcome for each variable of a circuit, and the logarithm of its share of P(O).
struct WeightedChoice {
    std::vector<std::uint32_t> outcomes;
    double log_weight = 0.0;
};

// A circuit node by node, for drawings and for other frameworks; refers to the circuit. Children come before
// their parents. The value of a node is the sum (product) over its edges of weight(input) * value(child). Input 0
// weighs 1; inputs 1 to input_count() are the outcomes of CompiledQuestion::variables(), in their order; then,
// where choices do not determine the model, come free atoms, of weight 1, and last the constants.
class CircuitView {
  public:
    enum class Kind { sum, product };
    struct Edge {
        std::uint32_t input = 0; // 0: none
        std::uint32_t child = 0; // node 0 has the value 1
    };
    struct Node {
        Kind kind = Kind::product;
        std::optional<std::uint32_t> variable; // of a sum: what it branches on
        std::vector<Edge> edges;
    };
    std::size_t node_count() const;
    std::size_t edge_count() const;
    std::uint32_t root() const;
    bool smooth() const;
    Node node(std::uint32_t id) const; // Throws: ContractError if there is none.
    // The weight of an input that is neither an outcome nor a free atom, e.g. 1 / Num; nothing for others.
    std::optional<double> constant(std::uint32_t input) const;

  private:
    friend class CompiledQuestion;
    struct State;
    explicit CircuitView(std::shared_ptr<const State> state);
    std::shared_ptr<const State> state_;
};

// Cheap to copy; never changes, so any number of threads may use it.
class CompiledQuestion {
  public:
    const std::vector<CircuitVariable> &variables() const;
    std::size_t input_count() const; // outcomes of all these variables
    const CircuitStatistics &statistics() const;
    // The rows that outputs (and the numbers of probabilistic rules) stand for, in the evaluator's order;
    // externals have the value that the program gives them. Throws: InputError.
    std::vector<double> weights(const NetworkOutputs &outputs) const;

    // The `count` most probable total choices that satisfy the observation, most probable first; `weights`
    // are as above.
    std::vector<WeightedChoice> most_probable(const std::vector<double> &weights,
                                              std::size_t count) const;
    // Independent total choices, drawn exactly from the distribution given the observation; none if
    // P(O) = 0.
    std::vector<WeightedChoice> sample(const std::vector<double> &weights, std::size_t count,
                                       std::uint64_t seed) const;

    // P(O); `weights` are as above.
    Probability probability(const std::vector<double> &weights) const;

    std::string to_nnf() const;  // the usual nnf text, one literal per outcome, with comments
    std::string to_dot() const;  // for Graphviz
    std::string to_text() const; // our own format
    // The drawing with probabilities: of the outcomes, of every node, and how likely each arrow is passed, given
    // O. `weights` are as above.
    std::string to_dot(const std::vector<double> &weights) const;
    // How many total choices satisfy the observation, in decimal; nothing where choices do not determine
    // the model.
    std::optional<std::string> choice_count() const;
    // Throws: std::logic_error if the circuit is not deterministic, decomposable and (if asked for) smooth.
    void verify() const;
    CircuitView view() const;

  private:
    friend struct internal::Access;
    struct State;
    explicit CompiledQuestion(std::shared_ptr<const State> state);
    std::shared_ptr<const State> state_;
};

struct Compilation {
    std::optional<CompiledQuestion> circuit;
    std::string note;      // why there is none
    bool is_limit = false; // because of a limit: with more time, nodes or memory there may be one
};

// Evaluates a circuit for a batch of examples: log P(O) and d log P(O) / d p for every outcome.
// Where the circuit is not smooth, the derivative leaves out a constant per variable, which a softmax
// does not see. Makes all its buffers when it is made. Real is float or double.
template <class Real> class CircuitEvaluator {
  public:
    explicit CircuitEvaluator(const CompiledQuestion &question);
    ~CircuitEvaluator();
    CircuitEvaluator(CircuitEvaluator &&) noexcept;
    CircuitEvaluator &operator=(CircuitEvaluator &&) noexcept;

    // `weights` and `gradient` hold input_count() rows of `batch` numbers each (row i, example k at
    // [i * batch + k]); `log_probability` holds `batch` numbers, minus infinity where P(O) = 0, and the
    // gradient is 0 there. `gradient` may be empty: then it is not computed. Throws: ContractError if
    // a size does not fit.
    void run(std::span<const Real> weights, std::size_t batch, std::span<Real> log_probability,
             std::span<Real> gradient);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

extern template class CircuitEvaluator<float>;
extern template class CircuitEvaluator<double>;

} // namespace neurasp
