// Question::explain: which outcomes carry the probability of a query q given O, and how the best model without
// q differs. Two circuits, for O with q and for O without q, give the reasons; where there are none, the engine
// still answers with the probability and the most probable models.
#include "inference/explanation.hpp"

#include "inference/circuit_answers.hpp"
#include "inference/enumeration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace neurasp::inference {

namespace {

class Explainer {
  public:
    Explainer(Call &call, ExplanationAnswer &answer) : call_(call), answer_(answer) {}

    void run(std::uint64_t count);

  private:
    std::optional<Request> request_for(const Task &task, bool query) const;
    bool explain_by_circuits(const Task &task, std::uint64_t count);
    void explain_by_engine(const Task &task);
    std::optional<StableModel> find_best(const Task &task, bool query);
    void find_models(const Task &task);
    void note(const std::string &text);
    void note_zeros();

    const std::optional<AtomId> &query() const { return call_.scope().query_atoms().front(); }

    Call &call_;
    ExplanationAnswer &answer_;
};

void Explainer::note(const std::string &text) {
    answer_.note += (answer_.note.empty() ? "" : "; ") + text;
}

// O and the query, or O and its contrary. A query without atom never holds: then nothing satisfies the former.
std::optional<Request> Explainer::request_for(const Task &task, bool query_holds) const {
    if (query()) return task.request.with(Literal(*query(), query_holds));
    return query_holds ? std::nullopt : std::optional(task.request);
}

bool Explainer::explain_by_circuits(const Task &task, std::uint64_t count) {
    const std::array requests{request_for(task, true).value_or(task.request),
                              *request_for(task, false)};
    std::string obstacle;
    const auto circuits = call_.engine().circuits(task, requests, obstacle);
    if (circuits.empty()) {
        answer_.how.why = fmt::format("no circuit ({})", obstacle);
        note(fmt::format("there are no reasons: they need a circuit, and there is none ({})",
                         obstacle));
        return false;
    }
    Side with(task.weights, circuits[0]);
    Side without(task.weights, circuits[1]);
    const ScaledReal joint = query() ? with.value() : ScaledReal();
    const ScaledReal total = joint + without.value();
    answer_.observation = exactly(total * task.weights.total());
    if (!total.is_zero()) answer_.probability = exactly(joint / total);
    if (!joint.is_zero()) find_reasons(task, with, without, count, answer_);
    finish(answer_.how, task.budget, *circuits[0]);
    return true;
}

void Explainer::explain_by_engine(const Task &task) {
    const std::string why = answer_.how.why;
    base::Budget budget = task.budget.part(base::time_plan::explaining_probability);
    const ProbabilityAnswer found = call_.engine().probability(task.with(budget));
    answer_.observation = found.probability;
    answer_.probability = found.queries.front().conditional;
    answer_.how = found.how;
    if (answer_.how.why.empty()) answer_.how.why = why;
    if (!found.how.exact && !call_.budget().exhausted()) {
        answer_.how.limit = "the probability was not found at once; a time limit allows more time";
    }
}

std::optional<StableModel> Explainer::find_best(const Task &task, bool query_holds) {
    const auto request = request_for(task, query_holds);
    if (!request) return std::nullopt;
    base::Budget budget = task.budget.part(base::time_plan::explaining_model);
    const ModelsAnswer best =
        call_.engine().most_probable(task.with(*request).with(budget), 1, false);
    if (!best.how.exact) answer_.models_known = false;
    if (best.models.empty() || best.models.front().probability.is_zero()) return std::nullopt;
    return best.models.front();
}

void Explainer::find_models(const Task &task) {
    answer_.models_known = true;
    answer_.with_query = find_best(task, true);
    answer_.without_query = find_best(task, false);
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
    if (!answer_.how.exact) return;
    const bool observes = call_.scope().violated().has_value();
    if (!answer_.probability) {
        note(observes ? "P(O) = 0: no possible stable model satisfies the observation"
                      : "the program has no possible stable model");
    } else if (answer_.probability->is_zero()) {
        note(observes
                 ? "no possible stable model that satisfies the observation satisfies the query"
                 : "no possible stable model satisfies the query");
    }
}

void Explainer::run(std::uint64_t count) {
    const auto task = call_.task();
    if (task) {
        const bool explained = explain_by_circuits(*task, count);
        if (!call_.budget().exhausted()) find_models(*task);
        if (!explained) explain_by_engine(*task);
    } else {
        note("there are no reasons: the least cost is not known");
        answer_.observation = between({}, call_.weights().total());
        answer_.probability = between({}, ScaledReal(1.0L));
        answer_.how.engine = call_.engine().name();
    }
    if (!answer_.models_known) note("the most probable models were not found in time");
    if (call_.budget().exhausted()) note_limit(answer_.how, call_.budget());
    answer_.how.seconds = call_.budget().seconds_used();
    note_zeros();
}

} // namespace

ExplanationAnswer explain(Call &call, std::uint64_t count) {
    ExplanationAnswer answer;
    answer.query = call.scope().queries().front();
    Explainer(call, answer).run(count);
    return answer;
}

} // namespace neurasp::inference
