// Question: the answers. Each takes the same way: a call (outputs checked, budget started), the observed request,
// an engine.
#include "asp/clingo_call.hpp"
#include "base/template_text.hpp"
#include "inference/call.hpp"
#include "inference/consistency.hpp"
#include "inference/enumeration.hpp"
#include "inference/estimate.hpp"
#include "inference/explanation.hpp"

#include <cmath>

namespace neurasp {

using inference::Call;
using inference::Task;

Question::Question(std::shared_ptr<const State> state) : state_(std::move(state)) {}

std::string filled_text(const Observation &observation) {
    if (observation.values.empty()) return observation.text;
    std::vector<base::TemplateMistake> mistakes;
    const base::TemplateText text(observation.text, mistakes);
    const auto refuse = [&](std::string message, std::string hint) -> InputError {
        return InputError(Diagnostic{Severity::error,
                                     "template-syntax",
                                     std::move(message),
                                     {observation.name, 0, 0, 0, 0},
                                     {},
                                     std::move(hint)});
    };
    if (!mistakes.empty()) throw refuse(mistakes.front().message, mistakes.front().hint);
    if (text.placeholders().size() != observation.values.size()) {
        throw refuse("the observation has " + std::to_string(text.placeholders().size()) +
                         " holes and " + std::to_string(observation.values.size()) + " values",
                     "give one value for each {}; write {{ and }} for braces that belong to the "
                     "text");
    }
    std::string filled;
    text.fill(std::vector<std::string_view>(observation.values.begin(), observation.values.end()),
              filled);
    return filled;
}

namespace {

Probability ratio(const Probability &a, const Probability &b) {
    if (b.exact && b.value == 1.0) return a;
    if (a.exact && b.exact) {
        const double log = a.log - b.log;
        const double value = std::exp(log);
        return {value, log, value, value, true};
    }
    // in logarithms, which do not underflow; `value` is the lower end of a
    const double log = std::min(a.log - (b.exact ? b.log : std::log(b.upper)), 0.0);
    const double lower = std::exp(log);
    const double upper = b.lower > 0.0 ? std::min(a.upper / b.lower, 1.0) : 1.0;
    return {lower, log, lower, std::max(lower, upper), false};
}

// The least cost is not known, so nothing is.
template <class Answer> Answer unknown(Call &call) {
    Answer answer;
    answer.probability = inference::between({}, call.weights().total());
    answer.how.engine = call.engine().name();
    answer.how.why = "the least cost is not known";
    inference::note_limit(answer.how, call.budget());
    return answer;
}

template <> ModelsAnswer unknown(Call &call) {
    ModelsAnswer answer;
    answer.how = unknown<MarginalsAnswer>(call).how;
    answer.upper_bound = inference::exactly(call.weights().greatest());
    return answer;
}

template <> ProbabilityAnswer unknown(Call &call) {
    ProbabilityAnswer answer;
    const auto open = unknown<MarginalsAnswer>(call);
    answer.how = open.how;
    answer.probability = open.probability;
    for (const std::string &query : call.scope().queries()) {
        answer.queries.push_back(
            {query, open.probability, inference::between({}, base::ScaledReal(1.0L))});
    }
    return answer;
}

// Certain bounds, and what samples say.
ProbabilityAnswer estimated(Call &call) {
    if (call.settings().optimal) {
        throw ContractError("Question::probability: there are no samples in optimal mode");
    }
    ProbabilityAnswer answer = unknown<ProbabilityAnswer>(call);
    answer.mass = call.scope().grounding().consistency().coherent
                      ? inference::exactly(call.weights().total())
                      : answer.probability;
    answer.sampled = inference::estimate_probability(*call.task(), call.settings().samples);
    answer.how.exact = false;
    answer.how.engine = "samples";
    answer.how.why.clear();
    answer.how.limit = "estimated from samples";
    answer.how.interrupted = call.budget().stopped();
    return answer;
}

// P(O), the queries and the mass, within `budget`.
ProbabilityAnswer computed(Call &call, base::Budget budget) {
    const auto task = call.task(budget);
    ProbabilityAnswer answer =
        task ? call.engine().probability(*task) : unknown<ProbabilityAnswer>(call);
    const bool asks_everything = !call.scope().violated() && !call.settings().optimal;
    base::Budget rest = call.budget().part(base::time_plan::before_samples);
    answer.mass = asks_everything ? answer.probability : call.mass(rest).probability;
    // what satisfies O is consistent
    if (!answer.mass.exact && answer.mass.value < answer.probability.value) {
        const double upper = answer.mass.upper;
        answer.mass = answer.probability;
        answer.mass.upper = std::max(upper, answer.mass.lower);
        answer.mass.exact = false;
    }
    return answer;
}

} // namespace

ProbabilityAnswer Question::probability(const NetworkOutputs &outputs, const Settings &settings,
                                        const Limits &limits) const {
    Call call(*state_, outputs, settings, limits);
    const bool may_sample = call.engine().chooses() && limits.seconds && !settings.optimal;
    ProbabilityAnswer answer;
    if (settings.samples > 0) {
        answer = estimated(call);
    } else {
        answer = computed(call, call.budget().part(may_sample ? base::time_plan::before_samples
                                                              : base::time_plan::all));
        if (may_sample && !answer.how.exact && !answer.how.interrupted) {
            constexpr std::uint64_t most_samples = 1'000'000;
            answer.sampled = inference::estimate_probability(*call.task(), most_samples);
        }
    }
    const inference::ScopeQueries &asked = call.scope().asked();
    for (std::size_t q = 0; q < asked.list.size(); ++q) {
        answer.queries[q].instance_of = asked.list[q].instance_of;
        answer.queries[q].bindings = asked.list[q].bindings;
    }
    answer.each = asked.each;
    const bool no_mass = answer.mass.exact ? answer.mass.is_zero() : answer.mass.upper == 0.0;
    if (!no_mass) answer.given_consistency = ratio(answer.probability, answer.mass);
    answer.how.seconds = call.budget().seconds_used();
    return answer;
}

ModelsAnswer Question::most_probable(const NetworkOutputs &outputs, std::uint64_t count, bool ties,
                                     const Settings &settings, const Limits &limits) const {
    Call call(*state_, outputs, settings, limits);
    const auto task = call.task();
    ModelsAnswer answer =
        task ? call.engine().most_probable(*task, count, ties) : unknown<ModelsAnswer>(call);
    // fewer than were asked for are all there are, those of probability 0 included
    if (!answer.how.exact) {
        if (answer.how.models_seen > answer.models.size()) answer.more = true;
    } else {
        answer.more = answer.models.size() < count ? std::optional(false)
                                                   : call.remark_more(*task, answer.models.size());
    }
    answer.mass = call.remark_mass();
    return answer;
}

ModelsAnswer Question::sample(const NetworkOutputs &outputs, std::uint64_t count,
                              const Settings &settings, const Limits &limits) const {
    Call call(*state_, outputs, settings, limits);
    const auto task = call.task();
    ModelsAnswer answer = task ? call.engine().sample(*task, count) : unknown<ModelsAnswer>(call);
    answer.more = !answer.how.exact && answer.models.size() < count;
    answer.mass = call.remark_mass();
    return answer;
}

MarginalsAnswer Question::marginals(const NetworkOutputs &outputs, const Settings &settings,
                                    const Limits &limits) const {
    Call call(*state_, outputs, settings, limits);
    const auto task = call.task();
    return task ? call.engine().marginals(*task) : unknown<MarginalsAnswer>(call);
}

GradientAnswer Question::gradient(const NetworkOutputs &outputs, GradientConvention convention,
                                  const Settings &settings, const Limits &limits) const {
    Call call(*state_, outputs, settings, limits);
    if (const auto task = call.task()) return call.engine().gradient(*task, convention);
    auto answer = unknown<GradientAnswer>(call);
    answer.defined = false;
    return answer;
}

ExplanationAnswer Question::explain(const NetworkOutputs &outputs, std::uint64_t count,
                                    const Settings &settings, const Limits &limits) const {
    if (queries().size() != 1) {
        throw ContractError("Question::explain: the question must have exactly one query");
    }
    Call call(*state_, outputs, settings, limits);
    return inference::explain(call, count);
}

CoherenceAnswer Question::coherence(const Limits &limits) const {
    const inference::Grounding &grounding = state_->scope->grounding();
    base::Budget budget(limits);
    const auto lock = grounding.reading();
    return inference::check_coherence(grounding, budget);
}

ConsistencyAnswer Question::argmax_consistency(const NetworkOutputs &outputs,
                                               const Limits &limits) const {
    const Settings settings;
    Call call(*state_, outputs, settings, limits);
    return inference::check_argmax(call.scope(), call.weights(), call.budget());
}

std::string clingo_version_string() { return asp::clingo_version_text(); }

} // namespace neurasp
