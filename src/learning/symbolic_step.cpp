#include "learning/symbolic_step.hpp"

#include "learning/plan.hpp"

#include <algorithm>
#include <chrono>

namespace neurasp::learning {

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void refuse_two_shapes(const VariableSource &source, const NetworkShape &known) {
    Diagnostic diagnostic;
    diagnostic.code = "network-two-shapes";
    diagnostic.message = "the network '" + source.network + "' is called with " +
                         std::to_string(source.events) + " event(s) for '" + source.terms +
                         "', but elsewhere with " + std::to_string(known.events) +
                         " or with other outcomes";
    diagnostic.hint = "a network has one output; use another name for another one";
    throw InputError(std::move(diagnostic));
}

[[noreturn]] void refuse_learnable(const std::string &name) {
    Diagnostic diagnostic;
    diagnostic.code = "learnable-in-observation";
    diagnostic.message = "the observation has the learnable rule " + name;
    diagnostic.hint = "move it to the program; what is learned belongs to all examples";
    throw InputError(std::move(diagnostic));
}

} // namespace

SymbolicStep::SymbolicStep(Program program, StepOptions options)
    : reasoner_(program), options_(std::move(options)) {
    const auto variables = reasoner_.variables(reasoner_.ask());
    find_networks(variables);
    find_rules(program.probabilistic_rules(), variables);
}

SymbolicStep::~SymbolicStep() = default;
SymbolicStep::SymbolicStep(SymbolicStep &&) noexcept = default;

std::size_t SymbolicStep::network_index(const std::string &name) const {
    const auto found = std::find_if(networks_.begin(), networks_.end(),
                                    [&](const NetworkShape &shape) { return shape.name == name; });
    return static_cast<std::size_t>(found - networks_.begin());
}

void SymbolicStep::find_networks(const std::vector<RandomVariableInfo> &variables) {
    for (const RandomVariableInfo &variable : variables) {
        const VariableSource &source = variable.source;
        if (source.network.empty()) continue;
        if (const std::size_t known = network_index(source.network); known < networks_.size()) {
            if (networks_[known].events != source.events ||
                networks_[known].values != variable.outcomes) {
                refuse_two_shapes(source, networks_[known]);
            }
            continue;
        }
        networks_.push_back(
            {source.network, source.events, variable.outcomes.size(), variable.outcomes});
    }
}

// All of them, also those that have no instance before an observation brings facts.
void SymbolicStep::find_rules(const std::vector<ProbabilisticRule> &rules,
                              const std::vector<RandomVariableInfo> &variables) {
    for (std::size_t r = 0; r < rules.size(); ++r) {
        if (!rules[r].learnable) continue;
        LearnableRule rule{r, rules[r].text, rules[r].atoms, rules[r].probabilities, rule_numbers_};
        const auto instance = std::find_if(variables.begin(), variables.end(), [&](const auto &v) {
            return v.source.network.empty() && v.source.rule == r;
        });
        if (instance != variables.end()) {
            rule.name = instance->name;
            rule.atoms = instance->atoms;
        }
        rules_.push_back(std::move(rule));
        rule_numbers_ += rules[r].probabilities.size();
    }
}

const Plan &SymbolicStep::plan(const std::string &observation, const std::string &name) {
    auto place = plans_.find(observation);
    if (place == plans_.end()) {
        const auto begin = Clock::now();
        place = plans_.emplace(observation, make_plan(observation, name)).first;
        statistics_.compile_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    }
    return *place->second;
}

std::size_t SymbolicStep::call_of(Plan &plan, const VariableSource &source) const {
    const std::size_t network = network_index(source.network);
    for (std::size_t c = 0; c < plan.calls.size(); ++c) {
        if (plan.calls[c].network == network && plan.calls[c].terms == source.terms) return c;
    }
    plan.calls.push_back({network, source.terms});
    return plan.calls.size() - 1;
}

NumberSource SymbolicStep::source_of(Plan &plan, const CircuitVariable &variable,
                                     const std::vector<RandomVariableInfo> &variables) const {
    NumberSource source;
    source.first_input = variable.first_input;
    source.outcomes = variable.atoms.size();
    if (!variable.source.network.empty()) {
        source.kind = NumberSource::Kind::output;
        source.call = call_of(plan, variable.source);
        source.offset = variable.source.event * source.outcomes;
    } else if (variable.source.learnable) {
        source.kind = NumberSource::Kind::learnable_rule;
        const auto rule = std::find_if(rules_.begin(), rules_.end(), [&](const auto &r) {
            return r.rule == variable.source.rule;
        });
        if (rule == rules_.end()) refuse_learnable(variable.name);
        source.first = rule->first;
    } else {
        for (const RandomVariableInfo &info : variables) {
            if (info.name == variable.name) source.fixed = info.probabilities;
        }
    }
    return source;
}

std::unique_ptr<Plan> SymbolicStep::make_plan(const std::string &observation,
                                              const std::string &name) {
    std::vector<NamedText> texts;
    if (!observation.empty()) texts.push_back({"<observation of " + name + ">", observation});
    const Question question = reasoner_.ask(texts);
    const auto variables = reasoner_.variables(question);
    find_networks(variables);
    auto plan = std::make_unique<Plan>();
    ++statistics_.plans;
    if (options_.circuits) compile(*plan, question, variables);
    // a plan needs its question no more, and a question keeps a ground program
    constexpr std::size_t plans_between = 64;
    if (statistics_.plans % plans_between == 0) reasoner_.forget();
    for (const RandomVariableInfo &variable : variables) {
        if (!variable.source.network.empty()) call_of(*plan, variable.source);
    }
    if (!plan->has_circuit) plan->relevant_calls = options_.circuits ? plan->calls.size() : 0;
    return plan;
}

void SymbolicStep::compile(Plan &plan, const Question &question,
                           const std::vector<RandomVariableInfo> &variables) {
    CompileOptions options;
    options.optimal = options_.optimal;
    options.smooth = true;
    options.time_limit = options_.compile_seconds;
    options.cache_folder = options_.circuit_folder;
    const auto compiled = reasoner_.compile(question, options).circuit;
    if (!compiled) {
        plan.question = question;
        ++statistics_.without_circuit;
        return;
    }
    plan.has_circuit = true;
    plan.input_count = compiled->input_count();
    plan.make_evaluator(*compiled);
    for (const CircuitVariable &variable : compiled->variables()) {
        plan.sources.push_back(source_of(plan, variable, variables));
    }
    if (options_.method != GradientMethod::exact) plan.compiled = compiled;
    plan.relevant_calls = plan.calls.size();
    statistics_.largest_circuit =
        std::max(statistics_.largest_circuit, compiled->statistics().edges);
}

const std::vector<NetworkCall> &SymbolicStep::calls(const Plan &plan) const { return plan.calls; }

std::size_t SymbolicStep::relevant_calls(const Plan &plan) const { return plan.relevant_calls; }

void SymbolicStep::set_random_state(std::uint64_t seed, std::uint64_t step) {
    seed_ = seed;
    step_ = step;
}

NetworkOutputs SymbolicStep::outputs_of(const Batch &batch, std::size_t example) const {
    NetworkOutputs outputs;
    const StepExample &chosen = batch.examples[example];
    for (std::size_t c = 0; c < chosen.rows.size(); ++c) {
        const NetworkCall &call = chosen.plan->calls[c];
        const std::size_t size = networks_[call.network].size();
        const auto row = batch.outputs[call.network].subspan(chosen.rows[c] * size, size);
        outputs.set(networks_[call.network].name, call.terms, {row.begin(), row.end()});
    }
    add_rules(outputs, batch.rule_numbers);
    return outputs;
}

void SymbolicStep::add_rules(NetworkOutputs &outputs, std::span<const double> rule_numbers) const {
    for (const LearnableRule &rule : rules_) {
        const auto numbers = rule_numbers.subspan(rule.first, rule.probabilities.size());
        outputs.set_rule(rule.rule, {numbers.begin(), numbers.end()});
    }
}

} // namespace neurasp::learning
