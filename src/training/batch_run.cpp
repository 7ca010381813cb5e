// Runs a batch: log P(O) of every example, and derivatives.
//
// The idea. Many examples of a batch share an observation, and so a circuit. Examples are grouped by observation, and each
// group is evaluated side by side (circuit/batch_evaluator.hpp). Their weights are gathered from the network outputs where
// these lie, with strides, into one column per example; afterwards derivatives are scattered back to where the numbers came
// from. Nothing in between knows about networks.
//
// Threads share the groups, not the examples: each takes the next group that is not evaluated. A group has at most 128
// examples, so that a common observation is split among threads and the numbers of a group stay in the near cache. With one
// thread, a group is finished (its derivatives added) right after it is evaluated; with several, after all are, in
// the calling thread. Since derivatives are added in the order of the groups either way, sums have the same bits
// whatever the number of threads. Errors are deterministic as well: the exception of the first group wins.
//
// Gradients. `exact` uses the backward pass of the circuit. `sampling` and `top_k` draw total choices from the circuit and
// estimate the gradient from them (derivatives.cpp); each example of each step has its own seed, mixed so that
// neighbouring seeds have nothing in common. Observations without a circuit are enumerated, one example at a time, in the
// calling thread; this gradient is exact, whatever the method.
//
// Limits. The budget is that of the whole batch. A group whose turn comes after the deadline is not evaluated, and its
// examples are `unanswered`.
//
// Invariants. run() changes only its result and borrowed scratch, so runs can overlap. An example that is impossible
// or unanswered adds nothing to the gradient.
//
// Cost. Per example, linear in the edges of its circuit; in training on sums of digits, rules take 1 to 2 % of a step with
// batches of 64 (docs/performance.md).
#include "training/batch_run.hpp"

#include "base/budget.hpp"
#include "base/proposition1.hpp"
#include "training/batch_view.hpp"

#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace neurasp::training {

namespace {

constexpr double impossible_log = -std::numeric_limits<double>::infinity();
// The most examples of one observation that are evaluated at once.
constexpr std::size_t most_columns = 128;

struct Group {
    const Prepared *prepared = nullptr;
    std::vector<std::uint32_t> members; // indices of its examples in the batch
    std::vector<double> log_probability;
    std::vector<double> gradient; // of input i, member k: [i * members + k]
    bool evaluated = false;       // stays false if a limit was reached before its turn
};

// The groups, in the order in which their observations first occur.
template <class Real> std::vector<Group> group_by_observation(const BatchView<Real> &view) {
    std::vector<Group> groups;
    std::unordered_map<const Prepared *, std::size_t> last; // the last group of each observation
    for (std::uint32_t e = 0; e < view.size(); ++e) {
        const Prepared *prepared = &view.prepared(e);
        const auto [place, is_new] = last.try_emplace(prepared, groups.size());
        if (!is_new && groups[place->second].members.size() >= most_columns) {
            place->second = groups.size();
        }
        if (place->second == groups.size()) groups.push_back({prepared, {}, {}, {}});
        groups[place->second].members.push_back(e);
    }
    return groups;
}

// A seed for one example of one step, unrelated to those of its neighbours (splitmix64).
std::uint64_t mixed(std::uint64_t seed, std::uint64_t step, std::uint64_t example) {
    std::uint64_t x = seed + 0x9e3779b97f4a7c15U * (step + 1) + 0xbf58476d1ce4e5b9U * (example + 1);
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

template <class Real> class BatchRun {
  public:
    BatchRun(const RunContext &context, const BatchView<Real> &view, const Limits &limits)
        : context_(context), options_(context.options), view_(view), limits_(limits),
          whole_(without_progress(limits)), groups_(group_by_observation(view)) {}

    void run() {
        const std::size_t threads = std::min(thread_count(options_), groups_.size());
        if (threads <= 1) {
            run_alone();
        } else {
            run_together(threads);
        }
        for (const Group &group : groups_) {
            if (group.prepared->program) continue;
            for (const std::uint32_t member : group.members) enumerate(member);
        }
    }

  private:
    static Limits without_progress(Limits limits) {
        limits.on_progress = nullptr;
        return limits;
    }

    // Finishes each group at once, while its numbers are in the cache.
    void run_alone() {
        const ScratchPool::Loan scratch(context_.scratch);
        base::Budget budget = whole_;
        for (Group &group : groups_) {
            evaluate(group, *scratch, budget);
            finish(group);
        }
    }

    void run_together(std::size_t threads) {
        std::atomic<std::size_t> next{0};
        {
            std::vector<std::jthread> helpers;
            for (std::size_t t = 1; t < threads; ++t) helpers.emplace_back([&] { work(next); });
            work(next);
        }
        if (failure_) std::rethrow_exception(failure_);
        for (Group &group : groups_) finish(group);
    }

    // An exception must not leave a thread, so it is stored. The caller gets that of the first group.
    void work(std::atomic<std::size_t> &next) {
        std::size_t g = groups_.size();
        try {
            const ScratchPool::Loan scratch(context_.scratch);
            base::Budget budget = whole_;
            for (g = next++; g < groups_.size(); g = next++) {
                evaluate(groups_[g], *scratch, budget);
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failure_ || g < failed_) failure_ = std::current_exception();
            failed_ = std::min(failed_, g);
        }
    }

    void evaluate(Group &group, Scratch &scratch, base::Budget &budget) const {
        if (!group.prepared->program || budget.exhausted()) return;
        const std::size_t columns = group.members.size();
        const std::size_t numbers = group.prepared->input_count() * columns;
        scratch.inputs.resize(numbers);
        group.log_probability.resize(columns);
        group.gradient.resize(view_.differentiates() ? numbers : 0);
        for (std::size_t k = 0; k < columns; ++k) {
            view_.gather(group.members[k], columns, k, scratch.inputs);
        }
        const bool exact = options_.method == GradientMethod::exact;
        scratch.workspace.run(*group.prepared->program, scratch.inputs, columns,
                              group.log_probability,
                              exact ? std::span(group.gradient) : std::span<double>());
        group.evaluated = true;
        if (!view_.differentiates()) return;
        for (std::size_t k = 0; k < columns; ++k) {
            if (std::isinf(group.log_probability[k])) continue;
            if (!exact) estimate(group, scratch, k);
            if (options_.convention == GradientConvention::proposition1) absorb(group, k);
        }
    }

    static void absorb(Group &group, std::size_t k) {
        const std::size_t columns = group.members.size();
        for (const NumberSource &source : group.prepared->sources) {
            base::absorb_changes(&group.gradient[source.first_input * columns + k], source.outcomes,
                                 columns);
        }
    }

    // Estimates the gradient of column k from samples or from the most probable choices.
    void estimate(Group &group, Scratch &scratch, std::size_t k) const {
        const std::size_t rows = group.prepared->input_count();
        const std::size_t columns = group.members.size();
        const auto &batch = view_.batch();
        scratch.column.resize(rows);
        scratch.column_gradient.resize(rows);
        for (std::size_t i = 0; i < rows; ++i) scratch.column[i] = scratch.inputs[i * columns + k];
        const CompiledQuestion &compiled = *group.prepared->compiled;
        const bool top = options_.method == GradientMethod::top_k;
        const auto choices = top ? compiled.most_probable(scratch.column, options_.k)
                                 : compiled.sample(scratch.column, options_.samples,
                                                   mixed(batch.seed, batch.step, group.members[k]));
        gradient_from_choices(group.prepared->sources, choices, top, scratch.column,
                              scratch.column_gradient);
        for (std::size_t i = 0; i < rows; ++i) {
            group.gradient[i * columns + k] = scratch.column_gradient[i];
        }
    }

    // Writes the results of a group.
    void finish(Group &group) const {
        if (!group.prepared->program) return;
        for (std::size_t k = 0; k < group.members.size(); ++k) {
            const std::uint32_t member = group.members[k];
            double log = impossible_log;
            if (group.evaluated) log = group.log_probability[k];
            const bool possible = !std::isinf(log);
            view_.set(member, log,
                      !group.evaluated ? ExampleStatus::unanswered
                      : possible       ? ExampleStatus::exact
                                       : ExampleStatus::impossible);
            if (possible && view_.differentiates()) {
                view_.scatter(member, group.members.size(), k, group.gradient);
            }
        }
        group.gradient = {};
        group.log_probability = {};
    }

    Limits limits_left() const {
        Limits left = limits_;
        if (limits_.seconds) left.seconds = whole_.seconds_left();
        return left;
    }

    // Enumerates the models of one example. The gradient is exact, whatever the method.
    void enumerate(std::size_t example) {
        if (whole_.exhausted()) {
            view_.set(example, impossible_log, ExampleStatus::unanswered);
            return;
        }
        Settings settings;
        settings.optimal = options_.optimal;
        settings.engine = "enumerate";
        const GradientAnswer answer = view_.prepared(example).question->gradient(
            outputs_of(context_, view_.batch(), example), options_.convention, settings,
            limits_left());
        const bool complete = answer.how.exact;
        view_.set(example, answer.defined ? answer.probability.log : impossible_log,
                  answer.defined ? complete ? ExampleStatus::exact : ExampleStatus::lower_bound
                  : complete     ? ExampleStatus::impossible
                                 : ExampleStatus::unanswered);
        if (!answer.defined || !view_.differentiates()) return;
        for (const VariableGradient &variable : answer.variables) view_.scatter(example, variable);
    }

    const RunContext &context_;
    const TrainingOptions &options_;
    const BatchView<Real> &view_;
    const Limits &limits_;
    base::Budget whole_;
    std::vector<Group> groups_;
    std::mutex mutex_;
    std::exception_ptr failure_; // of the first group that failed
    std::size_t failed_ = std::numeric_limits<std::size_t>::max();
};

} // namespace

template <class Real>
void run(const RunContext &context, const TrainingBatch<Real> &batch,
         const TrainingResult<Real> &result, const Limits &limits) {
    const BatchView<Real> view(context, batch, result);
    BatchRun<Real>(context, view, limits).run();
}

template <class Real>
NetworkOutputs outputs_of(const RunContext &context, const TrainingBatch<Real> &batch,
                          std::size_t example) {
    NetworkOutputs outputs;
    if (example >= batch.examples.size()) {
        throw ContractError("TrainingProgram::outputs_of: there is no such example");
    }
    const BatchExample &chosen = batch.examples[example];
    const Prepared *prepared = context.observations.find(chosen.observation);
    const auto require = [](bool condition, const char *what) {
        if (!condition) throw ContractError(std::string("TrainingProgram::outputs_of: ") + what);
    };
    require(prepared != nullptr, "the observation is not prepared");
    require(chosen.rows.size() <= prepared->facts.calls.size(), "more rows than calls");
    for (std::size_t c = 0; c < chosen.rows.size(); ++c) {
        const NetworkCall &call = prepared->facts.calls[c];
        const NetworkShape &shape = context.vocabulary.networks()[call.network];
        require(call.network < batch.outputs.size() &&
                    chosen.rows[c] < batch.outputs[call.network].count,
                "a row is not among its network's outputs");
        std::vector<double> numbers;
        numbers.reserve(shape.size());
        for (std::size_t e = 0; e < shape.events; ++e) {
            for (std::size_t o = 0; o < shape.outcomes; ++o) {
                numbers.push_back(batch.outputs[call.network].at(chosen.rows[c], e, o));
            }
        }
        outputs.set(shape.name, call.terms, std::move(numbers));
    }
    std::span<const double> rule_numbers = batch.rule_numbers;
    if (rule_numbers.empty()) rule_numbers = context.vocabulary.written_numbers();
    require(rule_numbers.size() == context.vocabulary.written_numbers().size(),
            "expected one number for each outcome of a learnable rule");
    for (const LearnableRule &rule : context.vocabulary.rules()) {
        const auto numbers = rule_numbers.subspan(rule.first, rule.probabilities.size());
        outputs.set_rule(rule.rule, {numbers.begin(), numbers.end()});
    }
    return outputs;
}

template void run(const RunContext &, const TrainingBatch<float> &, const TrainingResult<float> &,
                  const Limits &);
template void run(const RunContext &, const TrainingBatch<double> &, const TrainingResult<double> &,
                  const Limits &);
template NetworkOutputs outputs_of(const RunContext &, const TrainingBatch<float> &, std::size_t);
template NetworkOutputs outputs_of(const RunContext &, const TrainingBatch<double> &, std::size_t);

} // namespace neurasp::training
