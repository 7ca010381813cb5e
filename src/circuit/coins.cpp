// Replaces free choices by fair coins (coins.hpp).
//
// The probability of a total choice is spread evenly over its stable models. If the models come about by deciding
// some atoms freely and independently, tossing a fair coin for each of them spreads it in the same way: `{f} :- B` becomes
// `f :- B, coin(f)`. Then no models need to be counted, and the coins are decided like random variables.
//
// When this is right. Call an atom chosen if a choice rule has it in its head, and dependent if it is chosen or some body
// of a rule for it mentions a dependent atom. The conditions:
//   1. Bodies of choice rules mention no dependent atoms. Otherwise some choices open others: `{f}. {g} :- f.` has three
//      models, and f holds in two of them, not in half.
//   2. Nor do other rules for chosen atoms: `{f}. {g}. f :- g.` has three models, too, and f holds in two.
//   3. Nor do constraints: `{f}. {g}. :- f, g.` has three models. (Bounds of choices are constraints.)
//   4. Without choices, the rules are determined: no cycles through negation, no disjunction.
// Proof. Fix a total choice. By 1 and 2, the same atoms are free for every way in which coins fall: those with a body of a
// choice rule that holds, and no other rule that derives them. Let there be k. By 4 the rest is stratified, so each of the 2^k
// ways to choose them extends to exactly one stable model, unless a constraint excludes it, and by 3 constraints exclude
// all of them or none. So each model has 1 / 2^k of the mass, which is also the probability that the k coins fall that way; the
// coins of atoms that are not free make no difference.
//
// The conditions are about all rules, not only those that the evidence depends on: in the first example, g changes the
// probability of f although f does not depend on it.
//
// Sums only. A coin is not an outcome: two of its branches belong to the same total choice, so the most probable total choice,
// or one model after the other, cannot be read from a circuit with coins. TranslationInput::sums_only asks for them.
//
// Cost. Linear.
#include "circuit/coins.hpp"

#include "asp/analysis.hpp"

#include <algorithm>
#include <map>

namespace neurasp::circuit {

namespace {

using asp::AtomId;
using asp::GroundProgram;
using asp::Literal;
using asp::RuleView;

std::vector<bool> chosen_atoms(const GroundProgram &rules) {
    std::vector<bool> chosen(rules.atom_limit(), false);
    for (std::size_t i = 0; i < rules.rule_count(); ++i) {
        if (!rules.rule(i).choice) continue;
        for (const AtomId atom : rules.rule(i).head) chosen[atom.index()] = true;
    }
    return chosen;
}

// The chosen atoms, and all that depend on them.
std::vector<bool> dependent_atoms(const GroundProgram &rules, std::vector<bool> dependent) {
    std::vector<std::vector<std::size_t>> rules_with(rules.atom_limit()); // by atom of the body
    for (std::size_t i = 0; i < rules.rule_count(); ++i) {
        for (const Literal literal : rules.rule(i).body) {
            rules_with[literal.atom().index()].push_back(i);
        }
    }
    std::vector<std::size_t> open;
    for (std::size_t atom = 0; atom < dependent.size(); ++atom) {
        if (dependent[atom]) open.push_back(atom);
    }
    while (!open.empty()) {
        const std::size_t atom = open.back();
        open.pop_back();
        for (const std::size_t i : rules_with[atom]) {
            for (const AtomId head : rules.rule(i).head) {
                if (dependent[head.index()]) continue;
                dependent[head.index()] = true;
                open.push_back(head.index());
            }
        }
    }
    return dependent;
}

// The first three conditions.
bool choices_are_independent(const GroundProgram &rules, const std::vector<bool> &chosen) {
    const std::vector<bool> dependent = dependent_atoms(rules, chosen);
    for (std::size_t i = 0; i < rules.rule_count(); ++i) {
        const RuleView rule = rules.rule(i);
        const bool decides =
            rule.head.empty() || std::any_of(rule.head.begin(), rule.head.end(),
                                             [&](AtomId atom) { return chosen[atom.index()]; });
        const bool depends = std::any_of(rule.body.begin(), rule.body.end(), [&](Literal literal) {
            return dependent[literal.atom().index()];
        });
        if (decides && depends) return false;
    }
    return true;
}

// The rules with coins; one for each chosen atom, however many choice rules it has.
CoinProgram toss_coins(const GroundProgram &rules) {
    CoinProgram result;
    result.rules.reserve_atoms(rules.atom_limit());
    std::uint32_t next = rules.atom_limit();
    const auto new_atom = [&] {
        const AtomId atom(next++);
        result.rules.reserve_atoms(next);
        return atom;
    };
    std::map<AtomId, AtomId> coin_of;
    for (std::size_t i = 0; i < rules.rule_count(); ++i) {
        const RuleView rule = rules.rule(i);
        if (!rule.choice) {
            result.rules.add(rule);
            continue;
        }
        std::vector<Literal> body(rule.body.begin(), rule.body.end());
        if (rule.weighted()) {
            const AtomId head[] = {new_atom()};
            result.rules.add({false, head, rule.body, rule.weights, rule.bound});
            body.assign(1, Literal(head[0]));
        }
        for (const AtomId atom : rule.head) {
            const auto [place, is_new] = coin_of.try_emplace(atom);
            if (is_new) {
                place->second = new_atom();
                result.coins.push_back(place->second);
            }
            body.emplace_back(place->second);
            result.rules.add_rule(false, std::span(&atom, 1), body);
            body.pop_back();
        }
    }
    return result;
}

} // namespace

std::optional<CoinProgram> with_coins(const GroundProgram &rules) {
    const std::vector<bool> chosen = chosen_atoms(rules);
    if (std::none_of(chosen.begin(), chosen.end(), [](bool is_chosen) { return is_chosen; }) ||
        !choices_are_independent(rules, chosen)) {
        return std::nullopt;
    }
    CoinProgram result = toss_coins(rules);
    if (!asp::analyse(result.rules).determined) return std::nullopt;
    return result;
}

} // namespace neurasp::circuit
