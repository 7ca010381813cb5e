// Reasoner::explain: which outcomes carry the probability of a query q given O, and how the best model
// without q differs. Two circuits, for O with q and for O without q, answer everything; without them
// enumeration finds what it can.
#include "inference/explanation.hpp"

#include "circuit/best_assignments.hpp"
#include "inference/circuit_request.hpp"
#include "inference/model_finder.hpp"
#include "inference/question_state.hpp"
#include "neurasp/reasoner.hpp"

#include <algorithm>
#include <cmath>

namespace neurasp {

namespace inference {

namespace {

class Explainer {
  public:
    Explainer(Task &task, const Engine &engine, ExplanationAnswer &answer)
        : task_(task), engine_(engine), answer_(answer) {}

    void run(std::uint64_t count);

  private:
    using Compiled = std::shared_ptr<const CompiledProblem>;
    base::Budget granted(double share) const;
    Compiled compile(const CircuitRequest &request);
    CircuitRequest request_for(bool query) const;
    bool explain_by_circuits(std::uint64_t count);
    void explain_by_enumeration();
    std::optional<StableModel> find_best(bool query);
    std::optional<StableModel> best_of_all(const CircuitRequest &request);
    void find_models();
    void note(const std::string &text);
    void note_zeros();

    Task &task_;
    const Engine &engine_;
    ExplanationAnswer &answer_;
    ObservedRequest observation_;
};

void Explainer::note(const std::string &text) {
    answer_.note += (answer_.note.empty() ? "" : "; ") + text;
}

// A share of the time that is left, or some seconds: who sets no limit still wants an answer.
base::Budget Explainer::granted(double share) const {
    constexpr double seconds = 10.0;
    if (task_.budget.seconds_left()) return task_.budget.part(share, std::nullopt);
    return base::Budget(seconds, std::nullopt, std::nullopt, task_.budget.stop_flag());
}

Explainer::Compiled Explainer::compile(const CircuitRequest &request) {
    base::Budget budget = granted(0.25);
    return task_.world.compilations().get(task_.world, request, {{}, task_.circuit_folder}, budget);
}

// O and the query, or O and its contrary. A query without atom never holds.
CircuitRequest Explainer::request_for(bool query) const {
    CircuitRequest request = observation_.request;
    if (const auto atom = task_.atoms.queries.front()) request.evidence.emplace_back(*atom, query);
    return request;
}

bool Explainer::explain_by_circuits(std::uint64_t count) {
    const Compiled compiled = compile(request_for(true));
    const Compiled contrary = compiled->circuit ? compile(request_for(false)) : nullptr;
    if (!contrary || !contrary->circuit) {
        answer_.info.detail = no_circuit(contrary ? *contrary : *compiled);
        note(fmt::format("there are no reasons: they need a circuit, and there is none ({})",
                         contrary ? contrary->obstacle : compiled->obstacle));
        return false;
    }
    Side with(task_.weights, compiled);
    Side without(task_.weights, contrary);
    const ScaledReal joint = task_.atoms.queries.front() ? with.value() : ScaledReal();
    const ScaledReal total = joint + without.value();
    answer_.observation = exact_interval(total * task_.weights.total());
    if (!total.is_zero()) answer_.probability = exact_interval(joint / total);
    if (!joint.is_zero()) find_reasons(task_, with, without, count, answer_);
    finish(answer_.info, task_.budget, *compiled);
    return true;
}

void Explainer::explain_by_enumeration() {
    const std::string detail = answer_.info.detail;
    const ProbabilityAnswer found = engine_.probability(task_);
    answer_.observation = found.probability;
    answer_.probability = found.queries.front().conditional;
    answer_.info = found.info;
    if (answer_.info.detail.empty()) answer_.info.detail = detail;
}

// The most probable model that the request allows, by looking at all of them.
std::optional<StableModel> Explainer::best_of_all(const CircuitRequest &request) {
    std::optional<std::vector<std::int64_t>> cost;
    if (!request.cost.empty()) cost = request.cost.front();
    base::Budget budget = granted(0.5);
    ScaledReal best;
    std::optional<StableModel> model;
    Enumeration enumeration(task_.world.problem(), task_.weights, budget);
    const auto end = enumeration.run(request.evidence, cost, [&](const Found &found) {
        if (found.probability() > best) {
            best = found.probability();
            model = describe_model(task_, found.view, best);
        }
        return true;
    });
    if (end == asp::SearchEnd::exhausted) return model;
    answer_.models_known = false;
    return std::nullopt;
}

std::optional<StableModel> Explainer::find_best(bool query) {
    if (query && !task_.atoms.queries.front()) return std::nullopt;
    CircuitRequest request = request_for(query);
    request.models = true;
    const Compiled compiled =
        engine_.name() == "enumerate" ? std::make_shared<CompiledProblem>() : compile(request);
    if (!compiled->circuit) return best_of_all(request);
    circuit::BestAssignments best(compiled->smooth(), plain_weights(*compiled, task_.weights));
    const auto assignment = best.next();
    if (!assignment || assignment->value.is_zero()) return std::nullopt;
    auto model =
        ModelFinder(task_, request, *compiled).find(assignment->outcomes, assignment->value);
    if (!model) answer_.models_known = false;
    return model;
}

void Explainer::find_models() {
    answer_.models_known = true;
    answer_.with_query = find_best(true);
    answer_.without_query = find_best(false);
    if (!answer_.with_query || !answer_.without_query) return;
    const auto missing = [](const StableModel &from, const StableModel &in) {
        std::vector<std::string> atoms;
        for (const std::string &atom : in.atoms) {
            const bool both =
                std::find(from.atoms.begin(), from.atoms.end(), atom) != from.atoms.end();
            if (!both) atoms.push_back(atom);
        }
        return atoms;
    };
    answer_.only_with = missing(*answer_.without_query, *answer_.with_query);
    answer_.only_without = missing(*answer_.with_query, *answer_.without_query);
}

void Explainer::note_zeros() {
    if (!answer_.info.exact) return;
    const bool observes = task_.atoms.violated.has_value();
    if (!answer_.probability) {
        note(observes ? "P(O) = 0: no possible stable model satisfies the observation"
                      : "the program has no possible stable model");
    } else if (answer_.probability->lower.value == 0.0 &&
               std::isinf(answer_.probability->lower.log)) {
        note(observes
                 ? "no possible stable model that satisfies the observation satisfies the query"
                 : "no possible stable model satisfies the query");
    }
}

void Explainer::run(std::uint64_t count) {
    observation_ = observed_request(task_);
    const bool enumerate = engine_.name() == "enumerate";
    if (enumerate)
        note("there are no reasons: they need a circuit, and the engine enumerate makes none");
    if (!observation_.proven) note("there are no reasons: the least cost is not known");
    const bool circuits = !enumerate && observation_.proven && !observation_.no_model;
    if (!circuits || !explain_by_circuits(count)) explain_by_enumeration();
    answer_.models_known = observation_.no_model;
    if (observation_.proven && !observation_.no_model && !task_.budget.exhausted()) find_models();
    if (!answer_.models_known) note("the most probable models were not found in time");
    if (task_.budget.exhausted()) {
        answer_.info.exact = false;
        answer_.info.interrupted = task_.budget.reached() == base::LimitReached::stopped;
        answer_.info.note = base::describe(task_.budget.reached());
    }
    answer_.info.seconds = task_.budget.seconds_used();
    note_zeros();
}

} // namespace

} // namespace inference

ExplanationAnswer Reasoner::explain(const Question &question, const NetworkOutputs &outputs,
                                    std::uint64_t count, const AnswerOptions &options) {
    const Question::State &state = question.state();
    if (state.atoms.queries.size() != 1) {
        throw ContractError("Reasoner::explain: the question must have exactly one query");
    }
    const inference::Engine &engine = inference::engine_for(options.engine);
    base::Budget budget(options.time_limit, options.model_limit, options.memory_limit,
                        options.stop);
    const inference::Weights weights = inference::make_weights(*state.world, outputs);
    inference::Task task{*state.world, state.atoms,     state.queries,     weights,
                         budget,       options.optimal, options.all_atoms, options.circuit_folder,
                         state.focus()};
    ExplanationAnswer answer;
    answer.query = state.queries.front();
    inference::Explainer(task, engine, answer).run(count);
    return answer;
}

} // namespace neurasp
