// Compiled questions: the rules as an arithmetic circuit, which is evaluated for many network outputs at once.
// Training uses these; docs/performance.md says what they cost.
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
struct Access; // gives the library's own layers access; not for users
}

// The kind of circuit to make. Of Limits, compiling observes seconds, nodes (ten million by default) and bytes
// (two billion by default).
struct CompileSettings {
    bool optimal = false;         // only the least-cost models of program and observation count
    bool smooth = false;          // all branches of a sum mention the same variables
    bool external_inputs = false; // #external atoms are inputs of the circuit: true or false
    std::string circuit_folder;   // where circuits are stored for later runs; empty: nowhere
};

struct CircuitStatistics {
    std::size_t ground_rules = 0; // only those that the observation depends on
    std::size_t variables = 0;    // of the propositional theory
    std::size_t clauses = 0;
    std::size_t random_variables = 0;
    std::size_t recursive_atoms = 0; // atoms on positive cycles
    std::size_t nodes = 0;
    std::size_t edges = 0;
    std::uint64_t decisions = 0;
    std::uint64_t steps = 0; // of the compiler: counted work, about proportional to its time
    std::uint64_t conflicts = 0;
    std::uint64_t cache_lookups = 0;
    std::uint64_t cache_hits = 0;
    bool reused = false; // the circuit came from a cache
    double seconds_translate = 0.0;
    double seconds_order = 0.0;
    double seconds_search = 0.0;
};

// A random variable that the circuit depends on, or an external atom (true, false) that is an input. Its outcomes
// are in rows first_input, first_input + 1, ... of the evaluator's arrays.
struct CircuitVariable {
    std::string name;
    std::vector<std::string> atoms;
    std::size_t first_input = 0;
    bool external = false;
    VariableSource source = {}; // if it is a random variable
};

// One outcome for each variable of a circuit, and the logarithm of what this choice contributes to P(O).
struct WeightedChoice {
    std::vector<std::uint32_t> outcomes;
    double log_weight = 0.0;
};

// A view of a circuit node by node, for drawings and other frameworks. Children come before their parents. The value of
// a node is the sum (or product) over its edges of weight(input) * value(child). Input 0 has weight 1. Inputs 1 to
// input_count() are the outcomes of CompiledQuestion::variables(), in their order. If choices do not determine the
// model, free atoms of weight 1 follow; constants come last.
class CircuitView {
  public:
    enum class Kind { sum, product };
    struct Edge {
        std::uint32_t input = 0; // 0: none, weight 1
        std::uint32_t child = 0; // node 0 has the value 1
    };
    struct Node {
        Kind kind = Kind::product;
        // The one that a sum branches on: its edges carry different outcomes of it. Nothing for products, and for sums
        // that branch on something else: each of their edges may carry an outcome of any variable, or none.
        std::optional<std::uint32_t> variable;
        std::vector<Edge> edges;
    };
    std::size_t node_count() const;
    std::size_t edge_count() const;
    std::uint32_t root() const;
    bool smooth() const;
    Node node(std::uint32_t id) const; // Throws: ContractError if there is no such node.
    // The weight of an input that is a constant, such as 1 / Num; nothing for outcomes and free atoms.
    std::optional<double> constant(std::uint32_t input) const;

  private:
    friend class CompiledQuestion;
    struct State;
    explicit CircuitView(std::shared_ptr<const State> state);
    std::shared_ptr<const State> state_;
};

// A circuit in layers, for frameworks that evaluate it with tensors. Every number is a row: 1, the outcomes in the order of
// CompiledQuestion::variables(), `constants`, 0; and from `fixed` on the sums, group by group. A sum adds up products of two
// earlier rows. The derivatives of the root are sums as well, of products of a derivative and a value.
struct CircuitLayers {
    // Sums that are computed together, all with `width` terms: those that had fewer are padded with terms that add 0.
    struct Group {
        std::uint32_t width = 0;
        std::uint32_t rows = 0;
        std::vector<std::uint32_t>
            outcomes; // the right operands of every row, if all have the same ones
    };
    // The rows of operands, one group after the other; those of a group are a table of width * rows, row by row.
    struct Sums {
        std::vector<Group> groups;
        std::vector<std::int64_t> left;
        std::vector<std::int64_t> right;
    };
    std::size_t fixed = 0;
    std::size_t root = 0;
    std::vector<double> constants;
    Sums values;
    Sums
        derivatives; // rows 0 and 1 are 0 and the root's; left operands are derivatives, right ones values
    std::vector<std::int64_t>
        input_places; // by outcome, the row of its derivative; 0 if it has none
};

// Cheap to copy. Never changes, so any number of threads may use it.
class CompiledQuestion {
  public:
    const std::vector<CircuitVariable> &variables() const;
    std::size_t input_count() const; // the number of outcomes of all these variables
    const CircuitStatistics &statistics() const;
    // The probabilities of all outcomes, from the outputs and the probabilistic rules, in the order of the evaluator's
    // rows; externals have the values of the program. Throws: InputError.
    std::vector<double> weights(const NetworkOutputs &outputs) const;

    // The `count` most probable total choices that satisfy the observation, most probable first; `weights` is what
    // weights() returns.
    std::vector<WeightedChoice> most_probable(const std::vector<double> &weights,
                                              std::size_t count) const;
    // Independent total choices, drawn exactly from the distribution given the observation; none if
    // P(O) = 0.
    std::vector<WeightedChoice> sample(const std::vector<double> &weights, std::size_t count,
                                       std::uint64_t seed) const;

    // P(O); `weights` are as above.
    Probability probability(const std::vector<double> &weights) const;

    std::string to_nnf() const;  // the nnf format of c2d, one literal per outcome, with comments
    std::string to_dot() const;  // for Graphviz
    std::string to_text() const; // our own format
    // The drawing with probabilities: of the outcomes, of every node, and how likely each arrow is passed, given
    // O. `weights` are as above.
    std::string to_dot(const std::vector<double> &weights) const;
    // The number of total choices that satisfy the observation, in decimal; nothing if choices do not determine
    // the model.
    std::optional<std::string> choice_count() const;
    // Throws: std::logic_error if the circuit is not deterministic, decomposable and (if it claims so) smooth.
    void verify() const;
    CircuitView view() const;
    // `least_shared`: so many terms with the same outcomes are worth a group of their own.
    CircuitLayers layers(std::size_t least_shared = 256) const;

  private:
    friend struct internal::Access;
    struct State;
    explicit CompiledQuestion(std::shared_ptr<const State> state);
    std::shared_ptr<const State> state_;
};

struct Compilation {
    std::optional<CompiledQuestion> circuit;
    std::string note;      // why there is no circuit
    bool is_limit = false; // a limit was the reason: more time, nodes or memory may help
};

// Evaluates a circuit for a batch of examples: log P(O), and d log P(O) / d p for every outcome.
// If the circuit is not smooth, the derivatives of a variable may all lack the same constant, which has no effect
// behind a softmax. Real is float or double.
template <class Real> class CircuitEvaluator {
  public:
    explicit CircuitEvaluator(const CompiledQuestion &question);
    ~CircuitEvaluator();
    CircuitEvaluator(CircuitEvaluator &&) noexcept;
    CircuitEvaluator &operator=(CircuitEvaluator &&) noexcept;

    // `weights` and `gradient` hold input_count() rows of `batch` numbers each (row i, example k at
    // [i * batch + k]); `log_probability` holds `batch` numbers. If P(O) = 0, it is minus infinity and the gradient
    // is 0. If `gradient` is empty, it is not computed. Throws: ContractError if a size does not fit.
    void run(std::span<const Real> weights, std::size_t batch, std::span<Real> log_probability,
             std::span<Real> gradient);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

extern template class CircuitEvaluator<float>;
extern template class CircuitEvaluator<double>;

} // namespace neurasp
