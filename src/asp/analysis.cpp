// Structural analysis of a ground program: which rules matter, and whether it is tight and determined.
//
// Determined. Fix the truth values of the atoms that no rule defines (the random outcomes). If no rule is a choice or
// a disjunction, no external is free and no cycle of the dependency graph runs through negation, the rest is a
// stratified program with constraints, and a stratified program has exactly one stable model (Apt, Blair and Walker
// 1988; Gelfond and Lifschitz 1988). Constraints can only remove it. So Num(C) <= 1 for every total choice C, and
// probabilities need no division by Num. The converse does not hold: a program that we call undetermined may still
// have at most one model for every choice.
//
// Tight. A program whose positive dependency graph has no cycle has the models of its completion as its stable
// models (Fages 1994). `largest_scc` says how much of a program is on cycles.
//
// Relevant rules. An atom depends on the rules that have it in their head, on the atoms of their bodies, and on the
// other atoms of their heads (a choice or a disjunction ties these together). Whatever the roots depend on in this way
// can influence them. Other rules can do so only by destroying models. Constraints do that, and so can rules on a
// cycle through negation (`p :- not p.`); we also count disjunctions and #edge as such, without looking closer. All
// that these depend on is kept (`constraints`). The rules left out are stratified apart from choices: whatever the
// kept part looks like, they extend each of its stable models to at least one of the whole program (the splitting set
// theorem, Lifschitz and Turner 1994). So neither the roots nor the existence of a model depend on them, but the
// number of models may, if choices are among them.
//
// Cost. Linear in the size of the program. The graph over all edges is needed only to find cycles through negation,
// and there are none unless some negated literal stands below an atom that a body uses. One pass over the rules decides
// this, and for most large programs it is enough: on a program of a million rules it took `neurasp prob` from 1.47 to
// 1.30 s and from 203 to 181 MB (docs/performance.md).
#include "asp/analysis.hpp"

#include "asp/dependency_graph.hpp"
#include "asp/rules_by_head.hpp"

#include <algorithm>

namespace neurasp::asp {

namespace {

// Whether a rule lies on a cycle through negation: a head and a negated body atom share a component.
bool negates_own_component(const RuleView &rule, const std::vector<std::uint32_t> &component) {
    for (const Literal literal : rule.body) {
        if (literal.positive()) continue;
        for (const AtomId head : rule.head) {
            if (component[head.index()] == component[literal.atom().index()]) return true;
        }
    }
    return false;
}

// Finds the rules that lie on a cycle through negation among those that `rules` marks (all if it is empty).
class NegativeCycles {
  public:
    NegativeCycles(const GroundProgram &program, const std::vector<bool> &rules) {
        if (!may_exist(program, rules)) return;
        component_ = DependencyGraph(program, DependencyGraph::Edges::all, rules).components();
    }
    bool contain(const RuleView &rule) const {
        return !component_.empty() && negates_own_component(rule, component_);
    }

  private:
    // A cycle needs a rule with a negated literal whose head occurs in some body. Most large programs have no such
    // rule, and finding that out costs far less than their dependency graph.
    static bool may_exist(const GroundProgram &program, const std::vector<bool> &rules) {
        std::vector<bool> used(program.atom_limit(), false);
        std::vector<AtomId> below_negation;
        for (std::size_t i = 0; i < program.rule_count(); ++i) {
            if (!rules.empty() && !rules[i]) continue;
            const RuleView rule = program.rule(i);
            bool negates = false;
            for (const Literal literal : rule.body) {
                used[literal.atom().index()] = true;
                negates = negates || !literal.positive();
            }
            if (negates) {
                below_negation.insert(below_negation.end(), rule.head.begin(), rule.head.end());
            }
        }
        return std::any_of(below_negation.begin(), below_negation.end(),
                           [&](AtomId atom) { return used[atom.index()]; });
    }

    std::vector<std::uint32_t> component_; // by atom; empty if there is no such cycle
};

bool is_disjunctive(const RuleView &rule) { return !rule.choice && rule.head.size() > 1; }

} // namespace

std::vector<std::size_t> destructive_rules(const GroundProgram &program) {
    std::vector<std::size_t> found;
    const NegativeCycles cycles(program, {});
    for (std::size_t i = 0; i < program.rule_count(); ++i) {
        const RuleView rule = program.rule(i);
        if (rule.head.empty() || is_disjunctive(rule) || cycles.contain(rule)) found.push_back(i);
    }
    return found;
}

Relevance relevant_rules(const GroundProgram &program, std::span<const AtomId> roots,
                         bool constraints) {
    Relevance result;
    result.atoms.assign(program.atom_limit(), false);
    result.rules.assign(program.rule_count(), false);
    std::vector<AtomId> open;
    const auto reach = [&](AtomId atom) {
        if (result.atoms[atom.index()]) return;
        result.atoms[atom.index()] = true;
        open.push_back(atom);
    };
    const auto take = [&](std::size_t index) {
        if (result.rules[index]) return;
        result.rules[index] = true;
        ++result.rule_count;
        const RuleView rule = program.rule(index);
        for (const AtomId head : rule.head) reach(head);
        for (const Literal literal : rule.body) reach(literal.atom());
    };
    for (const AtomId root : roots) reach(root);
    if (constraints) {
        for (const std::size_t i : destructive_rules(program)) take(i);
        for (const AcyclicityEdge &edge : program.edges()) {
            for (const Literal literal : edge.condition) reach(literal.atom());
        }
    }
    const RulesByHead rules(program);
    while (!open.empty()) {
        const AtomId atom = open.back();
        open.pop_back();
        for (const std::size_t index : rules.of(atom)) take(index);
    }
    return result;
}

Analysis analyse(const GroundProgram &program, const std::vector<bool> &rules) {
    Analysis result;
    const auto chosen = [&](std::size_t i) { return rules.empty() || rules[i]; };
    const DependencyGraph positive(program, DependencyGraph::Edges::positive, rules);
    const auto positive_component = positive.components();
    std::vector<std::size_t> sizes(program.atom_limit() + 1, 0);
    for (std::uint32_t atom = 1; atom < positive.size(); ++atom) {
        result.largest_scc = std::max(result.largest_scc, ++sizes[positive_component[atom]]);
        for (const std::uint32_t next : positive.successors(atom)) {
            if (positive_component[next] == positive_component[atom]) result.tight = false;
        }
    }
    const NegativeCycles cycles(program, rules);
    for (std::size_t i = 0; i < program.rule_count(); ++i) {
        if (!chosen(i)) continue;
        const RuleView rule = program.rule(i);
        if (rule.head.empty()) {
            ++result.constraints;
        } else if (rule.choice || is_disjunctive(rule) || cycles.contain(rule)) {
            result.determined = false;
        }
    }
    if (!program.edges().empty()) ++result.constraints;
    for (const External &external : undefined_externals(program)) {
        if (external.value == ExternalValue::free) result.determined = false;
    }
    return result;
}

std::vector<External> undefined_externals(const GroundProgram &program) {
    if (program.externals().empty()) return {};
    std::vector<bool> defined(program.atom_limit(), false);
    for (std::size_t i = 0; i < program.rule_count(); ++i) {
        for (const AtomId head : program.rule(i).head) defined[head.index()] = true;
    }
    std::vector<External> result;
    for (const External &external : program.externals()) {
        if (!defined[external.atom.index()]) result.push_back(external);
    }
    return result;
}

} // namespace neurasp::asp
