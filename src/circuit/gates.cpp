// Gates: named functions of literals.
//
// The idea is Tseitin's (1968): instead of writing a nested formula out as clauses, each subformula gets a variable and the
// clauses that make the variable equal to it. The clauses have the gate as their owner, so that the search can drop
// them when the gate is not needed any more (components.hpp). Since a gate has exactly one value for each assignment of
// its inputs, gates do not change the number of models.
//
// Sharing. Equal functions are one gate: conjunctions are kept by their sorted literals, a disjunction is the negation of a
// conjunction of negations, and a multiplexer is kept under the sign that makes its first input that is not constant
// positive, so that a function and its negation share a variable. Trivial cases return a literal or a constant.
//
// Multiplexers. A function of one random variable is a multiplexer with one input per outcome, two clauses each; a literal
// of a choice needs no gate at all. Unit propagation through it goes both ways once the outcome is known. If all
// inputs that are not constant agree, that input already follows from the gate (or the other way round) before the
// outcome is known; new_multiplexer() adds these clauses as well.
//
// Monotone switches are if-then-else on a literal where the else-branch implies the then-branch, as in counters
// (weight_diagram.hpp). Two of their four clauses hold whatever the test is, so more propagates.
//
// Invariant. A multiplexer has one input for each outcome of its choice.
//
// Cost. One lookup in an ordered map per gate, and clauses linear in the number of inputs.
#include "circuit/gates.hpp"

#include "base/assert.hpp"

#include <algorithm>

namespace neurasp::circuit {

Lit Gates::conjunction(std::vector<Lit> literals) {
    std::sort(literals.begin(), literals.end());
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    std::erase(literals, true_lit);
    for (std::size_t i = 0; i < literals.size(); ++i) {
        if (literals[i] == false_lit) return false_lit;
        if (i > 0 && literals[i].var() == literals[i - 1].var()) return false_lit;
    }
    if (literals.empty()) return true_lit;
    if (literals.size() == 1) return literals[0];
    if (const auto place = conjunctions_.find(literals); place != conjunctions_.end()) {
        return place->second;
    }
    const Var gate = theory_.add_variable(VarKind::defined);
    std::vector<Lit> all{Lit(gate)};
    for (const Lit lit : literals) {
        const Lit pair[] = {Lit(gate, false), lit};
        theory_.add_clause(pair, gate);
        all.push_back(~lit);
    }
    theory_.add_clause(all, gate);
    conjuncts_.emplace(Lit(gate), literals);
    conjunctions_.emplace(std::move(literals), Lit(gate));
    return Lit(gate);
}

std::vector<Lit> Gates::conjuncts(Lit lit) const {
    const auto place = conjuncts_.find(lit);
    return place == conjuncts_.end() ? std::vector<Lit>() : place->second;
}

Lit Gates::disjunction(std::vector<Lit> literals) {
    for (Lit &lit : literals) lit = ~lit;
    return ~conjunction(std::move(literals));
}

Lit Gates::multiplexer(std::uint32_t choice, std::vector<Lit> inputs) {
    NEURASP_ASSERT(choice < theory_.choices().size() &&
                       inputs.size() == theory_.choices()[choice].outcomes.size(),
                   "a multiplexer has one input for each outcome of its choice");
    if (std::all_of(inputs.begin(), inputs.end(), [&](Lit lit) { return lit == inputs[0]; })) {
        return inputs[0];
    }
    const auto &outcomes = theory_.choices()[choice].outcomes;
    const auto truths = std::count(inputs.begin(), inputs.end(), true_lit);
    const auto falsities = std::count(inputs.begin(), inputs.end(), false_lit);
    if (truths + falsities == static_cast<std::ptrdiff_t>(inputs.size())) {
        const auto at = [&](Lit lit) {
            return outcomes[static_cast<std::size_t>(std::find(inputs.begin(), inputs.end(), lit) -
                                                     inputs.begin())];
        };
        if (truths == 1) return at(true_lit);
        if (falsities == 1) return ~at(false_lit);
    }
    // choose the sign so that a function and its negation share a variable
    const auto first = std::find_if(inputs.begin(), inputs.end(),
                                    [](Lit lit) { return lit != true_lit && lit != false_lit; });
    const bool negate = first == inputs.end() ? inputs[0] == true_lit : !first->positive();
    if (negate) {
        for (Lit &lit : inputs) lit = ~lit;
    }
    auto key = std::pair(choice, std::move(inputs));
    auto place = multiplexers_.find(key);
    if (place == multiplexers_.end()) {
        const Lit gate = new_multiplexer(choice, key.second);
        place = multiplexers_.emplace(std::move(key), gate).first;
    }
    return negate ? ~place->second : place->second;
}

Lit Gates::new_multiplexer(std::uint32_t choice, const std::vector<Lit> &inputs) {
    const Lit gate(theory_.add_variable(VarKind::defined));
    for (std::size_t o = 0; o < inputs.size(); ++o) {
        const Lit outcome = theory_.choices()[choice].outcomes[o];
        const Lit forth[] = {~outcome, ~gate, inputs[o]};
        const Lit back[] = {~outcome, gate, ~inputs[o]};
        theory_.add_clause(forth, gate.var());
        theory_.add_clause(back, gate.var());
    }
    // if all inputs that are not constant are equal, gate and input imply each other at once
    Lit common;
    bool several = false;
    for (const Lit input : inputs) {
        if (input.var() == 0) continue;
        several = several || (common.var() != 0 && common != input);
        common = input;
    }
    if (!several && common.var() != 0) {
        if (std::find(inputs.begin(), inputs.end(), true_lit) == inputs.end()) {
            const Lit pair[] = {~gate, common};
            theory_.add_clause(pair, gate.var());
        }
        if (std::find(inputs.begin(), inputs.end(), false_lit) == inputs.end()) {
            const Lit pair[] = {gate, ~common};
            theory_.add_clause(pair, gate.var());
        }
    }
    return gate;
}

Lit Gates::monotone_switch(Lit test, Lit if_true, Lit if_false) {
    if (if_true == if_false) return if_true;
    if (if_false == false_lit) return conjunction({test, if_true});
    if (if_true == true_lit) return disjunction({test, if_false});
    const std::vector<Lit> key{test, if_true, if_false};
    if (const auto place = switches_.find(key); place != switches_.end()) return place->second;
    const Lit gate(theory_.add_variable(VarKind::defined));
    const Lit when_true[] = {~test, gate, ~if_true};
    const Lit when_false[] = {test, ~gate, if_false};
    const Lit at_most[] = {~gate, if_true};
    const Lit at_least[] = {gate, ~if_false};
    theory_.add_clause(when_true, gate.var());
    theory_.add_clause(when_false, gate.var());
    theory_.add_clause(at_most, gate.var());
    theory_.add_clause(at_least, gate.var());
    switches_.emplace(key, gate);
    return gate;
}

} // namespace neurasp::circuit
