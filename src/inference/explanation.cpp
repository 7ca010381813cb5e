// Question::explain: which outcomes carry the probability of a query q given O, which rules lead from them to q,
// and how the best model without q differs. Two circuits, for O with q and for O without q, give the reasons; where
// there are none, the solver finds them (explanation_search.cpp).
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
    void explain_by_engine(const Task &task, std::uint64_t count);
    void take(const Task &task, FoundReasons found);
    std::optional<WholeModel> find_best(const Task &task, bool query);
    void find_models(const Task &task);
    void compare_models(const Task &task, const WholeModel &with, const WholeModel &without);
    std::optional<Derivation> derive_in(const Task &task, const WholeModel &model,
                                        const FixedOutcomes *favoured) const;
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

std::optional<Derivation> Explainer::derive_in(const Task &task, const WholeModel &model,
                                               const FixedOutcomes *favoured) const {
    if (task.settings.derivation_steps == 0) return std::nullopt;
    const DerivationTask derivation{task.grounding(), task.weights, task.settings.derivation_steps};
    return derive(derivation, model.truth, favoured, query(), task.scope.violated());
}

bool are_disjoint(const std::vector<FoundReason> &reasons) {
    const auto exclude = [](const FixedOutcomes &a, const FixedOutcomes &b) {
        return std::any_of(a.begin(), a.end(), [&](const Fixed &one) {
            return std::any_of(b.begin(), b.end(), [&](const Fixed &other) {
                return one.variable == other.variable && one.outcome != other.outcome;
            });
        });
    };
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!exclude(reasons[i].outcomes, reasons[j].outcomes)) return false;
        }
    }
    return true;
}

// Puts the reasons into the answer, those that cover most first, each with a derivation in a model of its choice.
void Explainer::take(const Task &task, FoundReasons found) {
    answer_.disjoint = are_disjoint(found.list);
    answer_.truncated = found.truncated;
    if (!found.note.empty()) note(found.note);
    std::stable_sort(
        found.list.begin(), found.list.end(),
        [](const FoundReason &a, const FoundReason &b) { return a.reason.share > b.reason.share; });
    for (FoundReason &entry : found.list) {
        if (task.settings.derivation_steps > 0 && !task.budget.exhausted()) {
            std::vector<Literal> literals{Literal(*query())};
            for (const Fixed &fixed : entry.choice) {
                literals.emplace_back(
                    task.grounding().outcome_atoms()[fixed.variable][fixed.outcome]);
            }
            if (const auto model = find_model(task, std::move(literals))) {
                entry.reason.derivation = derive_in(task, *model, &entry.outcomes);
            }
        }
        answer_.reasons.push_back(std::move(entry.reason));
    }
}

bool Explainer::explain_by_circuits(const Task &task, std::uint64_t count) {
    const std::array requests{request_for(task, true).value_or(task.request),
                              *request_for(task, false)};
    std::string obstacle;
    const auto circuits = call_.engine().circuits(task, requests, obstacle);
    if (circuits.empty()) {
        answer_.how.why = fmt::format("no circuit ({})", obstacle);
        return false;
    }
    Side with(task.weights, circuits[0]);
    Side without(task.weights, circuits[1]);
    const ScaledReal joint = query() ? with.value() : ScaledReal();
    const ScaledReal total = joint + without.value();
    answer_.observation = exactly(total * task.weights.total());
    if (!total.is_zero()) answer_.probability = exactly(joint / total);
    if (!joint.is_zero()) take(task, find_reasons(task, with, without, count));
    finish(answer_.how, task.budget, *circuits[0]);
    return true;
}

void Explainer::explain_by_engine(const Task &task, std::uint64_t count) {
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
    if (!query() || found.queries.front().joint.is_zero() || task.budget.exhausted()) return;
    base::Budget rest = task.budget.part(base::time_plan::explaining_reasons);
    const Task part = task.with(rest);
    take(part, search_reasons(part, call_.engine(), *query(), found, count));
}

std::optional<WholeModel> Explainer::find_best(const Task &task, bool query_holds) {
    const auto request = request_for(task, query_holds);
    if (!request) return std::nullopt;
    return find_best_model(task.with(*request), call_.engine(), answer_.models_known);
}

void Explainer::find_models(const Task &task) {
    answer_.models_known = true;
    const auto with = find_best(task, true);
    const auto without = find_best(task, false);
    if (with) {
        answer_.with_query = with->model;
        answer_.why = derive_in(task, *with, nullptr);
    }
    if (without) {
        answer_.without_query = without->model;
        answer_.why_not = derive_in(task, *without, nullptr);
    }
    if (with && without) compare_models(task, *with, *without);
    if (!answer_.models_known || (!with && !without) || task.budget.exhausted()) return;
    const bool first =
        with && (!without || with->model.probability.log >= without->model.probability.log);
    answer_.conflict = find_conflict(task, first ? *with : *without);
}

void Explainer::compare_models(const Task &task, const WholeModel &with,
                               const WholeModel &without) {
    const auto missing = [](const StableModel &from, const StableModel &in) {
        std::vector<std::string> atoms;
        for (const std::string &atom : in.atoms) {
            const bool both =
                std::find(from.atoms.begin(), from.atoms.end(), atom) != from.atoms.end();
            if (!both) atoms.push_back(atom);
        }
        return atoms;
    };
    answer_.only_with = missing(without.model, with.model);
    answer_.only_without = missing(with.model, without.model);
    for (std::size_t v = 0; v < with.choice.size(); ++v) {
        if (with.choice[v].outcome == without.choice[v].outcome) continue;
        answer_.changes.push_back({describe_outcomes(task, {with.choice[v]}).front(),
                                   describe_outcomes(task, {without.choice[v]}).front()});
    }
}

// Probability 0 is not the same as no model.
void Explainer::note_zeros() {
    if (!answer_.how.exact) return;
    const bool observes = call_.scope().violated().has_value();
    const bool none = answer_.models_known && !answer_.with_query;
    const std::string which = observes ? " that satisfies the observation" : "";
    const std::string both = observes ? which + " and the query" : " that satisfies the query";
    if (!answer_.probability) {
        const std::string zero = observes ? "P(O) = 0: " : "";
        if (none && !answer_.without_query) {
            note(zero + (observes ? "no stable model satisfies the observation"
                                  : "the program has no stable model"));
        } else {
            note(fmt::format("{}every stable model{} has probability 0", zero, which));
        }
    } else if (answer_.probability->is_zero()) {
        note(none ? fmt::format("no stable model{} satisfies the query", which)
                  : fmt::format("every stable model{} has probability 0", both));
    }
}

void Explainer::run(std::uint64_t count) {
    const auto task = call_.task();
    if (task) {
        find_models(*task);
        if (!explain_by_circuits(*task, count)) explain_by_engine(*task, count);
    } else {
        note("there are no reasons: the least cost is not known");
        answer_.observation = between({}, call_.weights().total());
        answer_.probability = between({}, ScaledReal(1.0L));
        answer_.how.engine = call_.engine().name();
    }
    if (!answer_.models_known) note("the most probable models were not found within the limits");
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
