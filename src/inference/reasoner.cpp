// Reasoner: prepares questions in worlds and hands them to an engine.
#include "asp/aspif.hpp"
#include "asp/clingo_call.hpp"
#include "inference/compilation.hpp"
#include "inference/consistency.hpp"
#include "inference/engine.hpp"
#include "inference/enumeration.hpp"
#include "inference/program_parts.hpp"
#include "inference/question_state.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace neurasp {

using inference::Task;
using inference::Weights;
using inference::World;

struct ReasonerParts {
    static constexpr std::size_t circuit_cache_bytes = 512U << 20U;

    explicit ReasonerParts(Program p) : program(std::move(p)) {}

    Program program;
    std::shared_ptr<World> program_world; // the program alone; grounded when first needed
    std::uint32_t questions = 0;          // asked so far
    std::uint32_t first_question = 0;     // of those in `program_world`
    std::uint32_t queries = 0;
    std::map<std::string, Question> asked;
    std::shared_ptr<circuit::CircuitCache> circuits =
        std::make_shared<circuit::CircuitCache>(circuit_cache_bytes);

    void give_compilations(World &world) const {
        world.set_compilations(std::make_shared<inference::Compilations>(circuits));
    }
    const std::shared_ptr<World> &base_world() {
        // clingo's cost of adding a part grows with the parts there are
        constexpr std::uint32_t questions_per_world = 256;
        if (!program_world || questions - first_question >= questions_per_world) {
            first_question = questions;
            const Program::Parts &parts = program.parts();
            program_world =
                std::make_shared<World>(parts.sources, parts.program, parts.options.constants);
            give_compilations(*program_world);
        }
        return program_world;
    }
    void extend_base(const base::SourceMap &sources, const language::Program &delta) {
        try {
            program_world->extend(sources, delta);
        } catch (...) {
            program_world
                .reset(); // clingo does not recover from a refused text; later questions start anew
            throw;
        }
    }
    Question prepare(const std::vector<NamedText> &observations,
                     const std::vector<std::string> &queries_asked);
};

namespace {

constexpr std::size_t questions_kept = 4096;

// A budget and an engine for one call.
struct Call {
    Call(const Question &question, const AnswerOptions &options)
        : engine(inference::engine_for(options.engine)),
          budget(options.time_limit, options.model_limit, options.memory_limit, options.stop),
          state(question.state()), world(*state.world), settings(options) {}

    const inference::Engine &engine;
    base::Budget budget;
    const Question::State &state;
    World &world;
    const AnswerOptions &settings;

    Task task(const Weights &weights, bool focused) { return task(weights, focused, budget); }
    Task task(const Weights &weights, bool focused, base::Budget &granted) {
        return {world,
                state.atoms,
                state.queries,
                weights,
                granted,
                settings.optimal,
                settings.all_atoms,
                settings.circuit_folder,
                focused ? state.focus() : world.problem()};
    }
    // The mass, if it is known or found within the models that the caller grants for it.
    std::optional<Interval> mass(const Weights &weights) {
        if (settings.mass_models == 0 && !world.consistency().coherent) return std::nullopt;
        base::Budget granted = budget.part(0.2, settings.mass_models);
        Task part = task(weights, false, granted);
        const Interval mass = engine.mass(part);
        if (!mass.exact) return std::nullopt;
        return mass;
    }
};

Interval ratio(const Interval &a, const Interval &b) {
    const auto divide = [](const Probability &x, const Probability &y) {
        if (y.value == 1.0) return x;
        const double log = x.log - y.log;
        return Probability{std::exp(log), log};
    };
    if (a.exact && b.exact) {
        const Probability value = divide(a.lower, b.lower);
        return {value, value, true};
    }
    Interval result{divide(a.lower, b.upper), {1.0, 0.0}, false};
    if (!std::isinf(b.lower.log)) {
        const Probability upper = divide(a.upper, b.lower);
        if (upper.log < 0.0) result.upper = upper;
    }
    return result;
}

std::string key_of(const std::vector<NamedText> &observations,
                   const std::vector<std::string> &queries) {
    std::string key;
    const auto append = [&](const std::string &text) {
        key += std::to_string(text.size()) + ":" + text;
    };
    for (const NamedText &observation : observations) append(observation.text);
    key += "?";
    for (const std::string &query : queries) append(query);
    return key;
}

} // namespace

Question ReasonerParts::prepare(const std::vector<NamedText> &observations,
                                const std::vector<std::string> &queries_asked) {
    const Program::Parts &parts = program.parts();
    base::SourceMap sources = parts.sources;
    std::vector<language::SourceUnit> units;
    for (const NamedText &observation : observations) {
        units.push_back({sources.add(observation.name, observation.text),
                         language::Role::observation, questions});
    }
    for (std::size_t i = 0; i < queries_asked.size(); ++i) {
        units.push_back({sources.add("<query>", queries_asked[i]), language::Role::query,
                         queries + static_cast<std::uint32_t>(i)});
    }
    auto state = std::make_shared<Question::State>();
    state->queries = queries_asked;
    base::DiagnosticSink diagnostics;
    const language::Program delta =
        language::read(sources, units, parts.read_options(), &parts.program, diagnostics);
    diagnostics.throw_if_errors();
    if (delta.extends_program) {
        std::vector<language::SourceUnit> all = parts.units;
        all.insert(all.end(), units.begin(), units.end());
        base::DiagnosticSink again;
        language::Program whole =
            language::read(sources, all, parts.read_options(), nullptr, again);
        again.throw_if_errors();
        state->world =
            std::make_shared<World>(std::move(sources), std::move(whole), parts.options.constants);
        give_compilations(*state->world);
    } else {
        state->world = base_world();
        if (!units.empty()) extend_base(sources, delta);
    }
    state->atoms = state->world->question_atoms(questions, queries, queries_asked.size());
    ++questions;
    queries += static_cast<std::uint32_t>(queries_asked.size());
    return Question(std::move(state));
}

Reasoner::Reasoner(Program program) : parts_(std::make_unique<ReasonerParts>(std::move(program))) {}
Reasoner::~Reasoner() = default;
Reasoner::Reasoner(Reasoner &&) noexcept = default;
Reasoner &Reasoner::operator=(Reasoner &&) noexcept = default;

Question Reasoner::ask(const std::vector<NamedText> &observations,
                       const std::vector<std::string> &queries) {
    const std::string key = key_of(observations, queries);
    if (const auto found = parts_->asked.find(key); found != parts_->asked.end()) {
        return found->second;
    }
    Question question = parts_->prepare(observations, queries);
    if (parts_->asked.size() >= questions_kept) parts_->asked.clear();
    parts_->asked.emplace(key, question);
    return question;
}

Question Reasoner::ask(std::string_view observation, const std::vector<std::string> &queries) {
    if (observation.empty()) return ask(std::vector<NamedText>{}, queries);
    return ask(std::vector<NamedText>{{"<observation>", std::string(observation)}}, queries);
}

ProbabilityAnswer Reasoner::probability(const Question &question, const NetworkOutputs &outputs,
                                        const AnswerOptions &options) {
    Call call(question, options);
    const Weights weights = inference::make_weights(call.world, outputs);
    Task task = call.task(weights, true);
    ProbabilityAnswer answer = call.engine.probability(task);
    const bool asks_everything = !call.state.atoms.violated && !options.optimal;
    base::Budget rest = call.budget.part(1.0, options.model_limit);
    Task mass_task = call.task(weights, false, rest);
    answer.mass = asks_everything ? answer.probability : call.engine.mass(mass_task);
    // what satisfies O is consistent
    if (!answer.mass.exact && answer.mass.lower.log < answer.probability.lower.log) {
        answer.mass.lower = answer.probability.lower;
    }
    if (!std::isinf(answer.mass.upper.log)) {
        answer.given_consistency = ratio(answer.probability, answer.mass);
    }
    answer.info.seconds = call.budget.seconds_used();
    return answer;
}

ModelsAnswer Reasoner::models(const Question &question, const NetworkOutputs &outputs,
                              std::uint64_t count, const AnswerOptions &options,
                              const OnModel &on_model) {
    Call call(question, options);
    const Weights weights = inference::make_weights(call.world, outputs);
    Task task = call.task(weights, false);
    ModelsAnswer answer = call.engine.models(task, count, on_model);
    answer.mass = call.mass(weights);
    return answer;
}

ModelsAnswer Reasoner::most_probable(const Question &question, const NetworkOutputs &outputs,
                                     std::uint64_t count, bool ties, const AnswerOptions &options) {
    Call call(question, options);
    const Weights weights = inference::make_weights(call.world, outputs);
    Task task = call.task(weights, false);
    ModelsAnswer answer = call.engine.most_probable(task, count, ties);
    answer.mass = call.mass(weights);
    return answer;
}

MarginalsAnswer Reasoner::marginals(const Question &question, const NetworkOutputs &outputs,
                                    const AnswerOptions &options) {
    Call call(question, options);
    const Weights weights = inference::make_weights(call.world, outputs);
    Task task = call.task(weights, false);
    return call.engine.marginals(task);
}

ModelsAnswer Reasoner::sample(const Question &question, const NetworkOutputs &outputs,
                              std::uint64_t count, std::uint64_t seed,
                              const AnswerOptions &options) {
    Call call(question, options);
    const Weights weights = inference::make_weights(call.world, outputs);
    Task task = call.task(weights, false);
    ModelsAnswer answer = call.engine.sample(task, count, seed);
    answer.mass = call.mass(weights);
    return answer;
}

GradientAnswer Reasoner::gradient(const Question &question, const NetworkOutputs &outputs,
                                  GradientConvention convention, const AnswerOptions &options) {
    Call call(question, options);
    const Weights weights = inference::make_weights(call.world, outputs);
    Task task = call.task(weights, true);
    return call.engine.gradient(task, convention);
}

CoherenceAnswer Reasoner::coherence(const Question &question, const AnswerOptions &options) {
    Call call(question, options);
    return inference::check_coherence(call.world, call.budget);
}

ConsistencyAnswer Reasoner::argmax_consistency(const Question &question,
                                               const NetworkOutputs &outputs,
                                               const AnswerOptions &options) {
    Call call(question, options);
    const Weights weights = inference::make_weights(call.world, outputs);
    return inference::check_argmax(call.world, call.state.atoms, weights, call.budget);
}

ProgramSummary Reasoner::summary(const Question &question) {
    const Question::State &state = question.state();
    World &world = *state.world;
    ProgramSummary summary;
    summary.neural_rules = world.text().neural_rules.size();
    summary.probabilistic_rules = world.text().probabilistic_rules.size();
    summary.random_variables = world.variables().size();
    for (const auto &variable : world.variables()) {
        summary.log10_total_choices += std::log10(static_cast<double>(variable.atoms.size()));
    }
    summary.ground_atoms = world.rules().named_atoms().size();
    summary.ground_rules = world.program_rule_count();
    summary.constraints = world.analysis().constraints;
    for (const auto &minimize : world.rules().minimize()) {
        summary.weak_constraints += minimize.literals.size();
    }
    summary.largest_scc = world.analysis().largest_scc;
    summary.tight = world.analysis().tight;
    summary.determined = world.analysis().determined;
    summary.coherent = world.consistency().coherent;
    const asp::Relevance relevance = state.relevance();
    summary.relevant_rules = relevance.rule_count;
    for (const auto &variable : world.variables()) {
        const bool relevant =
            std::any_of(variable.atoms.begin(), variable.atoms.end(),
                        [&](inference::AtomId atom) { return relevance.atoms[atom.index()]; });
        if (relevant) ++summary.relevant_variables;
    }
    for (const auto &engine : inference::engines()) {
        if (engine->name() != "auto") summary.engines.emplace_back(engine->name());
    }
    return summary;
}

std::string Reasoner::aspif(const Question &question) {
    const Question::State &state = question.state();
    World &world = *state.world;
    std::vector<asp::ShownTerm> shown;
    for (const inference::Shown &entry : world.shown(false)) {
        for (const auto &condition : entry.conditions) shown.push_back({entry.symbol, condition});
    }
    return asp::to_aspif(world.rules(), world.problem().groups(), shown,
                         inference::observed(state.atoms));
}

std::vector<Diagnostic> Reasoner::diagnostics(const Question &question) const {
    std::vector<Diagnostic> all = parts_->program.parts().diagnostics;
    const auto &ground = question.state().world->diagnostics();
    all.insert(all.end(), ground.begin(), ground.end());
    return all;
}

std::vector<std::string> engine_names() {
    std::vector<std::string> names;
    for (const auto &engine : inference::engines()) names.emplace_back(engine->name());
    return names;
}

std::string clingo_version_string() { return asp::clingo_version_text(); }

} // namespace neurasp
