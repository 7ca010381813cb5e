// Circuit or enumeration? It is not known in advance which is quicker, so they take turns.
//
// A circuit comes first, with a small share of the time: most questions that can be compiled at all are compiled
// at once. If there can be no circuit (a real disjunction, #edge), enumeration gets all the rest. If time or
// size ended the attempt, enumeration gets a turn; if it does not finish either, the circuit gets another turn
// with more time and the caller's full limits, and so on.
//
// With a time limit, the circuit's second turn gets all the time that is left, and if it fails, the answer is
// what enumeration found. Without one, every turn is four times as long as the one before
// (time_plan::longer_turns), so all turns together cost at most a small multiple of the one that succeeds. A
// circuit is worth another turn only with at least twice the time, or with larger limits on nodes or memory.
//
// An earlier policy made one attempt at a circuit and then enumerated to the end. This was wrong whenever
// the attempt was a little too short. Shares of wall-clock time let the load of the machine decide which way an
// answer was found; so shares count processor time (docs/adr/0013-processor-time-shares.md). An enumeration does
// not continue where the one before stopped, because keeping its state would tie the engines together
// (docs/adr/0002-questions-limits-turns.md).
//
// The most probable models are different: branch and bound looks at few models, so "auto" uses it at once and
// needs no circuit.
//
// Invariants: an exact answer is returned as soon as there is one; of two answers that are not exact, the one
// that says more is kept (tighter bounds, or more models); a limit on models or a stop by the caller ends all
// turns. `HowAnswered::why` lists the turns and why each of them ended.
#include "inference/policy.hpp"

#include "inference/enumeration.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace neurasp::inference {

using base::Share;
namespace time_plan = base::time_plan;

const Policy auto_policy{"auto", time_plan::first_circuit, {500'000, 500'000'000}, false, true};
const Policy circuit_policy{"circuit", time_plan::first_circuit_by_name, {}, true, false};

namespace {

circuit::CompilerLimits smaller(const circuit::CompilerLimits &a,
                                const circuit::CompilerLimits &b) {
    return {std::min(a.nodes, b.nodes), std::min(a.bytes, b.bytes)};
}

Share longer(Share share, double factor) {
    if (share.unlimited) *share.unlimited *= factor;
    return share;
}

// Whether a circuit may be found with more time or larger limits.
bool is_worth_another_turn(const CircuitEntry &entry, const CircuitTurn &turn, const Task &task) {
    if (!entry.is_limit || task.budget.exhausted()) return false;
    if (!entry.out_of_time) {
        return turn.limits.nodes < task.most.nodes || turn.limits.bytes < task.most.bytes;
    }
    const auto left = task.budget.seconds_left();
    return !left || *left * (1.0 - time_plan::first_enumeration.of_rest) >
                        time_plan::circuit_again * entry.seconds_granted;
}

// Whether an enumeration ended because its turn was over, in one of its parts or as a whole.
bool is_out_of_turn(const base::Budget &granted, const HowAnswered &how) {
    const auto models = granted.model_limit();
    if (how.interrupted || (models && how.models_seen >= *models)) return false;
    return granted.reached() == base::LimitReached::time ||
           granted.reached() == base::LimitReached::none;
}

std::string seconds_text(const base::Budget &budget) {
    const auto seconds = budget.seconds_left();
    return seconds ? fmt::format(" within {:.2g} s", *seconds) : "";
}

template <class Answer> bool says_more(const Answer &a, const Answer &b) {
    return a.probability.upper - a.probability.lower < b.probability.upper - b.probability.lower;
}
bool says_more(const ModelsAnswer &a, const ModelsAnswer &b) {
    return a.models.size() > b.models.size();
}

} // namespace

template <class Answer, class ByCircuit, class ByEnumeration>
Answer PolicyEngine::take_turns(const Task &task, ByCircuit by_circuit,
                                ByEnumeration by_enumeration) const {
    std::string story;
    const auto with_story = [&](Answer answer) {
        answer.how.why = story + answer.how.why;
        answer.how.seconds = task.budget.seconds_used();
        // the answer may be from an earlier turn, but the caller stopped this one
        if (!answer.how.exact && task.budget.exhausted() && task.budget.stopped()) {
            note_limit(answer.how, task.budget);
        }
        return answer;
    };
    std::optional<Answer> best;
    CircuitTurn turn{policy_.first_circuit, smaller(policy_.first_limits, task.most)};
    Share enumerating = time_plan::first_enumeration;
    for (;;) {
        Attempt<Answer> attempt = by_circuit(turn);
        if (attempt.answer) return with_story(std::move(*attempt.answer));
        story += fmt::format("no circuit ({})", attempt.missing->obstacle);
        if (best && task.budget.exhausted()) return with_story(std::move(*best));
        const bool again = is_worth_another_turn(*attempt.missing, turn, task);
        base::Budget granted = task.budget.part(again ? enumerating : time_plan::all);
        const std::string how_long = seconds_text(granted);
        Answer answer = by_enumeration(task.with(granted));
        const bool out_of_turn = is_out_of_turn(granted, answer.how);
        if (!best || answer.how.exact || says_more(answer, *best)) best = std::move(answer);
        if (best->how.exact || !again || !out_of_turn || task.budget.exhausted()) {
            return with_story(std::move(*best));
        }
        story += fmt::format("; enumeration did not end{}; ", how_long);
        turn.share = task.budget.seconds_left() ? time_plan::second_circuit
                                                : longer(turn.share, time_plan::longer_turns);
        turn.limits = task.most;
        enumerating = longer(enumerating, time_plan::longer_turns);
    }
}

ProbabilityAnswer PolicyEngine::probability(const Task &task) const {
    return take_turns<ProbabilityAnswer>(
        task, [&](const CircuitTurn &turn) { return probability_by_circuit(task, turn); },
        [&](const Task &part) { return enumeration_.probability(part); });
}

ModelsAnswer PolicyEngine::most_probable(const Task &task, std::uint64_t count, bool ties) const {
    if (!policy_.best_by_circuit) {
        ModelsAnswer answer = enumeration_.most_probable(task, count, ties);
        answer.how.why = "branch and bound, which needs no circuit";
        return answer;
    }
    return take_turns<ModelsAnswer>(
        task, [&](const CircuitTurn &turn) { return best_by_circuit(task, count, ties, turn); },
        [&](const Task &part) { return enumeration_.most_probable(part, count, ties); });
}

ModelsAnswer PolicyEngine::sample(const Task &task, std::uint64_t count) const {
    return take_turns<ModelsAnswer>(
        task, [&](const CircuitTurn &turn) { return sample_by_circuit(task, count, turn); },
        [&](const Task &part) { return enumeration_.sample(part, count); });
}

MarginalsAnswer PolicyEngine::marginals(const Task &task) const {
    return take_turns<MarginalsAnswer>(
        task, [&](const CircuitTurn &turn) { return marginals_by_circuit(task, turn); },
        [&](const Task &part) { return enumeration_.marginals(part); });
}

GradientAnswer PolicyEngine::gradient(const Task &task, GradientConvention convention) const {
    return take_turns<GradientAnswer>(
        task, [&](const CircuitTurn &turn) { return gradient_by_circuit(task, convention, turn); },
        [&](const Task &part) { return enumeration_.gradient(part, convention); });
}

MassAnswer PolicyEngine::mass(const Task &task) const {
    return take_turns<MassAnswer>(
        task, [&](const CircuitTurn &turn) { return mass_by_circuit(task, turn); },
        [&](const Task &part) { return enumeration_.mass(part); });
}

PolicyEngine::Circuits PolicyEngine::circuits(const Task &task, std::span<const Request> requests,
                                              std::string &obstacle) const {
    Circuits circuits;
    for (const Request &request : requests) {
        circuits.push_back(compile(task, request, {time_plan::explaining_circuit, task.most}));
        if (circuits.back()->circuit) continue;
        obstacle = circuits.back()->obstacle;
        return {};
    }
    return circuits;
}

} // namespace neurasp::inference
