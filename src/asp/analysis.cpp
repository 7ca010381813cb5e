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
    // A cycle needs a negated literal below an atom that bodies use. Most large programs have none, and to
    // see that costs far less than their dependency graph.
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
        const NegativeCycles cycles(program, {});
        for (std::size_t i = 0; i < program.rule_count(); ++i) {
            const RuleView rule = program.rule(i);
            if (rule.head.empty() || is_disjunctive(rule) || cycles.contain(rule)) take(i);
        }
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
    for (const External &external : program.externals()) {
        if (external.value == ExternalValue::free) result.determined = false;
    }
    return result;
}

} // namespace neurasp::asp
