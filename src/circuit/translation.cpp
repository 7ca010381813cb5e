// Translates a ground program into a theory: finds the rules that matter, normalises them, completes them.
#include "circuit/translation.hpp"

#include "asp/analysis.hpp"
#include "base/assert.hpp"
#include "circuit/coins.hpp"
#include "circuit/completion.hpp"
#include "circuit/normal_program.hpp"

#include <algorithm>

namespace neurasp::circuit {

namespace {

using asp::AtomId;
using asp::Literal;

// The rules and random variables that matter.
struct Cone {
    std::vector<bool> rules; // empty: all
    std::vector<bool> variables;
    std::size_t rule_count = 0;
};

Cone cone_of(const TranslationInput &input, bool whole) {
    Cone cone;
    cone.variables.assign(input.variables.size(), true);
    cone.rule_count = input.program.rule_count();
    if (whole) return cone;
    std::vector<AtomId> roots;
    for (const Literal literal : input.evidence) roots.push_back(literal.atom());
    for (const auto &alternative : input.alternatives) {
        for (const Literal literal : alternative) roots.push_back(literal.atom());
    }
    for (const CostLimit &limit : input.cost_limits) {
        for (const auto &element : limit.literals) roots.push_back(element.literal.atom());
    }
    for (const auto &alternatives : input.shown) {
        for (const auto &alternative : alternatives) {
            for (const Literal literal : alternative) roots.push_back(literal.atom());
        }
    }
    asp::Relevance relevance = asp::relevant_rules(input.program, roots, true);
    for (std::size_t v = 0; v < input.variables.size(); ++v) {
        cone.variables[v] = std::any_of(input.variables[v].begin(), input.variables[v].end(),
                                        [&](AtomId atom) { return relevance.atoms[atom.index()]; });
    }
    cone.rules = std::move(relevance.rules);
    cone.rule_count = relevance.rule_count;
    return cone;
}

// Coins are allowed for the whole program only (coins.cpp).
Translation translate_cone(const TranslationInput &input, const Cone &cone, bool allow_coins) {
    Translation result;
    result.rules = cone.rule_count;
    std::vector<bool> is_random(input.program.atom_limit(), false);
    const auto note = [&](AtomId atom) {
        NEURASP_ASSERT(atom.value > 0 && atom.value < input.program.atom_limit(),
                       "outcomes and inputs are atoms of the program");
        is_random[atom.index()] = true;
    };
    for (const auto &atoms : input.variables) std::for_each(atoms.begin(), atoms.end(), note);
    std::for_each(input.inputs.begin(), input.inputs.end(), note);
    const NormalProgram normal = normalise(input.program, is_random, cone.rules);
    if (!normal.obstacle.empty()) {
        result.obstacle = normal.obstacle;
        return result;
    }
    std::optional<CoinProgram> coins;
    if (allow_coins) coins = with_coins(normal.rules);
    result.theory = coins ? complete(input, coins->rules, cone.variables, coins->coins)
                          : complete(input, normal.rules, cone.variables);
    if (!result.theory) result.obstacle = "an aggregate that is too large";
    result.determined = result.theory && result.theory->determined && !coins;
    return result;
}

} // namespace

Translation translate(const TranslationInput &input) {
    Translation result = translate_cone(input, cone_of(input, input.whole), false);
    // Choices that the evidence does not depend on may themselves depend on the same atoms as the evidence; then they
    // influence Num. So a program that is not determined is translated as a whole.
    const bool undetermined = result.theory && !result.theory->determined;
    if (undetermined && !input.whole) {
        result = translate_cone(input, cone_of(input, true), input.sums_only);
    }
    if (base::assertions_are_on && result.theory) result.theory->verify();
    return result;
}

} // namespace neurasp::circuit
