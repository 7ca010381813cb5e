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
// So many examples of one observation are evaluated at once: their numbers stay in a near cache, and threads
// can share the examples of an observation.
constexpr std::size_t most_columns = 128;

struct Group {
    const Prepared *prepared = nullptr;
    std::vector<std::uint32_t> members; // places in the batch
    std::vector<double> log_probability;
    std::vector<double> gradient; // of input i, member k: [i * members + k]
    bool evaluated = false;       // false: a limit came before
};

// In the order in which observations are met.
template <class Real> std::vector<Group> group_by_observation(const BatchView<Real> &view) {
    std::vector<Group> groups;
    std::unordered_map<const Prepared *, std::size_t> last; // group of an observation
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

// A seed for one example of one step that has nothing to do with its neighbours' (splitmix64).
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

    // Numbers go where they belong while they are in the cache.
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

    // A thread has nobody to throw to. What the first group throws is what the caller gets.
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

    // The gradient of column k from samples or the best choices.
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

    // Hands over what is known of a group.
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

    // The gradient of enumeration is exact, so the method does not matter.
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
    std::exception_ptr failure_; // that of the first group
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
            "one number for each outcome of a learnable rule");
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
