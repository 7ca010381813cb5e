// SymbolicStep::run: examples by plan, circuits side by side, enumeration for what has no circuit.
#include "learning/plan.hpp"
#include "learning/symbolic_step.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

namespace neurasp::learning {

namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();

using Members = std::vector<std::uint32_t>; // places in the batch

struct Group {
    const Plan *plan = nullptr;
    Members members;
};

// In the order in which plans are met, so that sums come out the same every time.
std::vector<Group> group_by_plan(std::span<const StepExample> examples) {
    std::vector<Group> groups;
    for (std::uint32_t i = 0; i < examples.size(); ++i) {
        const Plan *plan = examples[i].plan;
        const auto found = std::find_if(groups.begin(), groups.end(),
                                        [&](const Group &group) { return group.plan == plan; });
        Group &group = found != groups.end() ? *found : groups.emplace_back(Group{plan, Members{}});
        group.members.push_back(i);
    }
    return groups;
}

// A seed for one example of one step that has nothing to do with its neighbours' (splitmix64).
std::uint64_t mixed(std::uint64_t seed, std::uint64_t step, std::uint64_t example) {
    std::uint64_t x = seed + 0x9e3779b97f4a7c15U * (step + 1) + 0xbf58476d1ce4e5b9U * (example + 1);
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

// The part of the rules' derivatives that belongs to one example; empty if they are not wanted.
std::span<double> rule_gradient_of(const SymbolicStep::Result &result,
                                   const SymbolicStep::Batch &batch, std::size_t example) {
    if (result.rule_gradients.empty()) return {};
    const std::size_t size = batch.rule_numbers.size();
    return result.rule_gradients.subspan(example * size, size);
}

} // namespace

// One group on its circuit.
class CircuitRun {
  public:
    CircuitRun(const StepOptions &options, std::span<const NetworkShape> networks,
               const SymbolicStep::Batch &batch, const SymbolicStep::Result &result)
        : options_(options), networks_(networks), batch_(batch), result_(result) {}

    void run(const Plan &plan, const Members &members, std::uint64_t seed, std::uint64_t step) {
        const std::size_t columns = members.size();
        const std::size_t rows = plan.input_count;
        const bool differentiate =
            !result_.output_gradients.empty() || !result_.rule_gradients.empty();
        batch_inputs_.resize(rows * columns);
        log_probability_.resize(columns);
        batch_gradient_.resize(differentiate ? rows * columns : 0);
        for (std::size_t k = 0; k < columns; ++k) {
            plan.gather(batch_, batch_.examples[members[k]], networks_, columns, k, batch_inputs_);
        }
        const bool exact = options_.method == GradientMethod::exact;
        plan.evaluator().run(batch_inputs_, columns, log_probability_,
                             exact ? std::span(batch_gradient_) : std::span<double>());
        for (std::size_t k = 0; k < columns; ++k) {
            result_.log_probability[members[k]] = log_probability_[k];
            if (!differentiate || std::isinf(log_probability_[k])) continue;
            if (!exact) estimate(plan, columns, k, mixed(seed, step, members[k]));
            if (options_.convention == GradientConvention::proposition1) {
                for (const NumberSource &source : plan.sources) {
                    absorb_changes(batch_gradient_, source.first_input, source.outcomes, columns,
                                   k);
                }
            }
            plan.scatter(result_, batch_.examples[members[k]], networks_, columns, k,
                         batch_gradient_, rule_gradient_of(result_, batch_, members[k]));
        }
    }

  private:
    // The gradient of column k from samples or the best choices.
    void estimate(const Plan &plan, std::size_t columns, std::size_t k, std::uint64_t seed) {
        const std::size_t rows = plan.input_count;
        inputs_.resize(rows);
        gradient_.resize(rows);
        for (std::size_t i = 0; i < rows; ++i) inputs_[i] = batch_inputs_[i * columns + k];
        const bool top = options_.method == GradientMethod::top_k;
        const auto choices = top ? plan.compiled->most_probable(inputs_, options_.k)
                                 : plan.compiled->sample(inputs_, options_.samples, seed);
        gradient_from_choices(plan.sources, choices, top, inputs_, gradient_);
        for (std::size_t i = 0; i < rows; ++i) batch_gradient_[i * columns + k] = gradient_[i];
    }

    const StepOptions &options_;
    std::span<const NetworkShape> networks_;
    const SymbolicStep::Batch &batch_;
    const SymbolicStep::Result &result_;
    // for all columns
    std::vector<double> batch_inputs_;
    std::vector<double> batch_gradient_;
    std::vector<double> log_probability_;
    // for one of them
    std::vector<double> inputs_;
    std::vector<double> gradient_;
};

// One example by enumeration. The reasoner's own gradient is exact, so the method does not matter.
void SymbolicStep::enumerate(const Batch &batch, const Result &result, std::size_t example) {
    const StepExample &chosen = batch.examples[example];
    AnswerOptions options;
    options.optimal = options_.optimal;
    options.engine = "enumerate";
    const GradientAnswer answer = reasoner_.gradient(
        *chosen.plan->question, outputs_of(batch, example), options_.convention, options);
    result.log_probability[example] = answer.defined ? answer.probability.lower.log : impossible;
    if (!answer.defined) return;
    for (const VariableGradient &variable : answer.variables) {
        const VariableSource &source = variable.source;
        const std::size_t outcomes = variable.values.size();
        if (source.network.empty()) {
            const auto place = rule_gradient_of(result, batch, example);
            for (const LearnableRule &rule : rules_) {
                if (rule.rule != source.rule || place.empty()) continue;
                for (std::size_t o = 0; o < outcomes; ++o) {
                    place[rule.first + o] += variable.values[o];
                }
            }
            continue;
        }
        if (result.output_gradients.empty()) continue;
        const auto &calls = chosen.plan->calls;
        const std::size_t network = network_index(source.network);
        const auto call = std::find_if(calls.begin(), calls.end(), [&](const NetworkCall &c) {
            return c.network == network && c.terms == source.terms;
        });
        const std::size_t row = chosen.rows[static_cast<std::size_t>(call - calls.begin())];
        float *place = &result.output_gradients[network][row * networks_[network].size() +
                                                         source.event * outcomes];
        for (std::size_t o = 0; o < outcomes; ++o) {
            place[o] += finite(variable.values[o]);
        }
    }
}

void SymbolicStep::run(const Batch &batch, const Result &result) {
    const std::vector<Group> groups = group_by_plan(batch.examples);
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex mutex;
    const auto work = [&] {
        CircuitRun circuit(options_, networks_, batch, result);
        try {
            for (std::size_t g = next++; g < groups.size(); g = next++) {
                if (groups[g].plan->has_circuit) {
                    circuit.run(*groups[g].plan, groups[g].members, seed_, step_);
                }
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
    };
    std::vector<std::jthread> threads;
    const std::size_t helpers = std::min(options_.threads, groups.size());
    for (std::size_t t = 1; t < helpers; ++t) threads.emplace_back(work);
    work();
    threads.clear();
    if (failure) std::rethrow_exception(failure);
    for (const Group &group : groups) {
        if (group.plan->has_circuit) continue;
        for (const std::uint32_t member : group.members) enumerate(batch, result, member);
    }
}

} // namespace neurasp::learning
