// Reasoner: prepares questions in worlds and hands them to an engine.
#include "asp/clingo_call.hpp"
#include "inference/compilation.hpp"
#include "inference/consistency.hpp"
#include "inference/engine.hpp"
#include "inference/enumeration.hpp"
#include "inference/estimate.hpp"
#include "inference/program_parts.hpp"
#include "inference/question_state.hpp"
#include "inference/unknown_call.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace neurasp {

using inference::Task;
using inference::Weights;
using inference::World;

struct ReasonerParts {
    static constexpr std::size_t circuit_cache_bytes = 512U << 20U;

    ReasonerParts(Program p, GroundingLimits l) : program(std::move(p)), limits(l) {}

    Program program;
    GroundingLimits limits;
    std::shared_ptr<World> program_world; // the program alone; grounded when first needed
    std::uint32_t questions = 0;          // asked so far
    std::uint32_t first_question = 0;     // of those in `program_world`
    std::uint32_t queries = 0;
    std::map<std::string, Question> asked;
    std::size_t rules = 0; // ground rules in their worlds
    std::shared_ptr<circuit::CircuitCache> circuits =
        std::make_shared<circuit::CircuitCache>(circuit_cache_bytes);

    void give_compilations(World &world) const {
        world.set_compilations(std::make_shared<inference::Compilations>(circuits));
    }
    const std::shared_ptr<World> &base_world() {
        // clingo's cost of adding a part grows with the parts there are
        constexpr std::uint32_t questions_per_world = 32;
        if (!program_world || questions - first_question >= questions_per_world) {
            first_question = questions;
            const Program::Parts &parts = program.parts();
            program_world = std::make_shared<World>(parts.sources, parts.program,
                                                    parts.options.constants, limits);
            give_compilations(*program_world);
            rules += program_world->rules().rule_count();
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

// Prepared questions are kept for the next time they are asked, up to so many, and so many ground rules in
// their worlds.
constexpr std::size_t questions_kept = 4096;
constexpr std::size_t rules_kept = 1'000'000;

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
        // A circuit of all models may cost far more than the answer: where there is a choice of engines, it
        // gets no more time than that took.
        const bool chooses = settings.engine == "auto";
        const double least = 0.02;
        std::optional<double> for_circuit;
        if (chooses) for_circuit = std::max(budget.seconds_used(), least);
        base::Budget granted = budget.part(0.2, settings.mass_models, for_circuit);
        Task part = task(weights, false, granted);
        Interval mass = engine.mass(part);
        if (!mass.exact && chooses) {
            base::Budget for_models = budget.part(0.2, settings.mass_models);
            Task rest = task(weights, false, for_models);
            mass = inference::engine_for("enumerate").mass(rest);
        }
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
    state->warnings = diagnostics.all();
    if (delta.extends_program) {
        std::vector<language::SourceUnit> all = parts.units;
        all.insert(all.end(), units.begin(), units.end());
        base::DiagnosticSink again;
        language::Program whole =
            language::read(sources, all, parts.read_options(), nullptr, again);
        again.throw_if_errors();
        state->world = std::make_shared<World>(std::move(sources), std::move(whole),
                                               parts.options.constants, limits);
        give_compilations(*state->world);
    } else {
        state->world = base_world();
        if (!units.empty()) extend_base(sources, delta);
    }
    state->atoms = state->world->question_atoms(questions, queries, queries_asked.size());
    for (std::size_t i = 0; i < queries_asked.size(); ++i) {
        if (state->atoms.queries[i]) continue;
        const auto warning = inference::unknown_call(*state->world, queries_asked[i]);
        if (warning) state->warnings.push_back(*warning);
    }
    ++questions;
    queries += static_cast<std::uint32_t>(queries_asked.size());
    return Question(std::move(state));
}

Reasoner::Reasoner(Program program, GroundingLimits limits)
    : parts_(std::make_unique<ReasonerParts>(std::move(program), limits)) {}
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
    if (question.state().world != parts_->program_world) {
        parts_->rules += question.state().world->rules().rule_count();
    }
    if (parts_->asked.size() >= questions_kept || parts_->rules > rules_kept) {
        forget();
    }
    parts_->asked.emplace(key, question);
    return question;
}

void Reasoner::forget() {
    parts_->asked.clear();
    parts_->rules = 0;
}

Question Reasoner::ask(std::string_view observation, const std::vector<std::string> &queries) {
    if (observation.empty()) return ask(std::vector<NamedText>{}, queries);
    return ask(std::vector<NamedText>{{"<observation>", std::string(observation)}}, queries);
}

namespace {

// What is left of the time for samples where the answer may not be found in it.
constexpr double time_for_samples = 0.2;

// Certain bounds, and what samples say.
ProbabilityAnswer estimated(Call &call, const Weights &weights) {
    ProbabilityAnswer answer;
    const inference::ScaledReal none;
    const Interval open = inference::interval(none, weights.total());
    answer.probability = open;
    answer.mass =
        call.world.consistency().coherent ? inference::exact_interval(weights.total()) : open;
    for (const std::string &query : call.state.queries) {
        answer.queries.push_back(
            {query, open, inference::interval(none, inference::ScaledReal(1.0L))});
    }
    Task task = call.task(weights, true);
    answer.sampled =
        inference::estimate_probability(task, call.settings.samples, call.settings.sample_seed);
    answer.info.exact = false;
    answer.info.engine = "samples";
    answer.info.note = "estimated from samples";
    answer.info.interrupted = call.budget.reached() == base::LimitReached::stopped;
    return answer;
}

void add_mass(ProbabilityAnswer &answer, Call &call, const Weights &weights) {
    const bool asks_everything = !call.state.atoms.violated && !call.settings.optimal;
    base::Budget rest = call.budget.part(1.0 - time_for_samples, call.settings.model_limit);
    Task task = call.task(weights, false, rest);
    answer.mass = asks_everything ? answer.probability : call.engine.mass(task);
    // what satisfies O is consistent
    if (!answer.mass.exact && answer.mass.lower.log < answer.probability.lower.log) {
        answer.mass.lower = answer.probability.lower;
    }
}

} // namespace

Question Reasoner::without_constraints(const Question &question) {
    auto state = std::make_shared<Question::State>();
    state->world = question.state().world;
    state->atoms = question.state().atoms;
    state->atoms.violated.reset();
    state->queries = question.state().queries;
    return Question(std::move(state));
}

ProbabilityAnswer Reasoner::probability(const Question &question, const NetworkOutputs &outputs,
                                        const AnswerOptions &options) {
    Call call(question, options);
    const Weights weights = inference::make_weights(call.world, outputs);
    ProbabilityAnswer answer;
    if (options.samples > 0) {
        if (options.optimal) {
            throw ContractError("Reasoner::probability: samples know no optimal mode");
        }
        answer = estimated(call, weights);
    } else {
        const bool may_sample = options.engine == "auto" && options.time_limit && !options.optimal;
        base::Budget granted =
            call.budget.part(may_sample ? 1.0 - time_for_samples : 1.0, options.model_limit);
        Task task = call.task(weights, true, granted);
        answer = call.engine.probability(task);
        add_mass(answer, call, weights);
        if (may_sample && !answer.info.exact && !answer.info.interrupted) {
            constexpr std::uint64_t most_samples = 1'000'000;
            Task rest = call.task(weights, true);
            answer.sampled =
                inference::estimate_probability(rest, most_samples, options.sample_seed);
        }
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

std::vector<Diagnostic> Reasoner::diagnostics(const Question &question) const {
    std::vector<Diagnostic> all = parts_->program.parts().diagnostics;
    const auto &own = question.state().warnings;
    all.insert(all.end(), own.begin(), own.end());
    // Where reading has found something, clingo has nothing to add.
    const std::vector<Diagnostic> read = all;
    for (const Diagnostic &found : question.state().world->diagnostics()) {
        const auto same_place = [&](const Diagnostic &other) {
            return other.location == found.location;
        };
        if (std::none_of(read.begin(), read.end(), same_place)) all.push_back(found);
    }
    return all;
}

std::vector<std::string> engine_names() {
    std::vector<std::string> names;
    for (const auto &engine : inference::engines()) names.emplace_back(engine->name());
    return names;
}

std::string clingo_version_string() { return asp::clingo_version_text(); }

} // namespace neurasp
