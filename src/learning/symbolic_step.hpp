// The symbolic part of a training step: network outputs of a batch in, log P(O) of every example and its
// derivatives out. Knows no Torch.
//
// Each distinct observation text has a plan: its question, compiled once, and where the numbers of its
// circuit come from. Examples with the same plan are evaluated side by side. Where there is no circuit,
// enumeration answers example by example.
#pragma once

#include "neurasp/reasoner.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neurasp::learning {

enum class GradientMethod {
    exact,
    sampling, // from total choices drawn given O
    top_k,    // from the k most probable total choices
};

struct StepOptions {
    GradientMethod method = GradientMethod::exact;
    std::size_t samples = 100; // for sampling
    std::size_t k = 10;        // for top_k
    GradientConvention convention = GradientConvention::plain;
    bool optimal = false;                  // only least-cost models count
    std::optional<double> compile_seconds; // for one observation; nothing: as long as it takes
    std::string circuit_folder;            // compiled circuits are kept there; empty: nowhere
    std::size_t threads = 1;
    bool circuits = true; // false: plans only know their calls, and run() is not used
};

// What a call of a network in the program looks like: the output rows of one input.
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
    std::vector<double> probabilities;
    std::size_t first = 0; // place of its numbers among those of all learnable rules
};

// A call that an observation's program makes: network and input terms.
struct NetworkCall {
    std::size_t network = 0; // in SymbolicStep::networks()
    std::string terms;
};

class Plan;
struct NumberSource;

// One example of a batch: its plan, and for each call of the plan (at least the relevant ones) the row of
// the network's outputs.
struct StepExample {
    const Plan *plan = nullptr;
    std::span<const std::uint32_t> rows;
};

class SymbolicStep {
  public:
    SymbolicStep(Program program, StepOptions options);
    ~SymbolicStep();
    SymbolicStep(SymbolicStep &&) noexcept;

    // What the program without observations calls; plans may add networks that their facts bring.
    const std::vector<NetworkShape> &networks() const noexcept { return networks_; }
    std::size_t network_index(const std::string &name) const; // networks().size(): there is none
    // Adds the networks that a question calls.
    void meet(const Question &question) { find_networks(reasoner_.variables(question)); }
    const std::vector<LearnableRule> &rules() const noexcept { return rules_; }
    std::size_t rule_number_count() const noexcept { return rule_numbers_; }

    // Grounds and compiles an observation when it is met first. The plan stays where it is. `name` is the
    // text's name in diagnostics. Throws: InputError.
    const Plan &plan(const std::string &observation, const std::string &name = "<observation>");
    // All calls of the observation's program, and how many of them (the first ones) log P(O) depends on.
    const std::vector<NetworkCall> &calls(const Plan &plan) const;
    std::size_t relevant_calls(const Plan &plan) const;

    // `outputs[m]`: rows of networks()[m].size() probabilities; `rule_numbers`: those of the learnable
    // rules, one after the other. `log_probability` has one number per example (minus infinity where P(O)
    // = 0). Derivatives of log P(O) are added to `output_gradients` (same shape as `outputs`) and
    // `rule_gradients` (for each example, one per rule number), unless these are empty. No two examples
    // share a row.
    struct Batch {
        std::vector<std::span<const float>> outputs;
        std::span<const double> rule_numbers;
        std::span<const StepExample> examples;
    };
    struct Result {
        std::span<double> log_probability;
        std::vector<std::span<float>> output_gradients;
        std::span<double> rule_gradients;
    };
    void run(const Batch &batch, const Result &result);
    // New samples for every step, the same for the same seed and step.
    void set_random_state(std::uint64_t seed, std::uint64_t step);

    Reasoner &reasoner() noexcept { return reasoner_; }
    // The outputs of one example for the reasoner's other questions. Requires: rows for all calls.
    NetworkOutputs outputs_of(const Batch &batch, std::size_t example) const;

    struct Statistics {
        std::size_t plans = 0;
        std::size_t without_circuit = 0;
        std::size_t largest_circuit = 0; // edges
        double compile_seconds = 0.0;    // grounding included
    };
    const Statistics &statistics() const noexcept { return statistics_; }

  private:
    void find_networks(const std::vector<RandomVariableInfo> &variables);
    void find_rules(const std::vector<ProbabilisticRule> &rules,
                    const std::vector<RandomVariableInfo> &variables);
    std::unique_ptr<Plan> make_plan(const std::string &observation, const std::string &name);
    void compile(Plan &plan, const Question &question,
                 const std::vector<RandomVariableInfo> &variables);
    // The place of a call among those of the plan; added if it is new.
    std::size_t call_of(Plan &plan, const VariableSource &source) const;
    NumberSource source_of(Plan &plan, const CircuitVariable &variable,
                           const std::vector<RandomVariableInfo> &variables) const;
    void enumerate(const Batch &batch, const Result &result, std::size_t example);
    void add_rules(NetworkOutputs &outputs, std::span<const double> rule_numbers) const;

    Reasoner reasoner_;
    StepOptions options_;
    std::vector<NetworkShape> networks_;
    std::vector<LearnableRule> rules_;
    std::size_t rule_numbers_ = 0;
    std::map<std::string, std::unique_ptr<Plan>> plans_;
    Statistics statistics_;
    std::uint64_t seed_ = 0;
    std::uint64_t step_ = 0;
};

} // namespace neurasp::learning
