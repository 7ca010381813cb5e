// Passes a ground program to clasp, and later the rules that were added to it.
#include "asp/solver_impl.hpp"

#include <algorithm>

namespace neurasp::asp {

std::uint32_t Solver::Impl::atom_limit() const {
    std::uint32_t limit = program.atom_limit();
    for (std::size_t i = groups_loaded; i < groups.size(); ++i) {
        for (const AtomId atom : groups[i]) limit = std::max(limit, atom.value + 1);
    }
    return limit;
}

void Solver::Impl::load() {
    const std::uint32_t limit = atom_limit();
    const bool news = ids.size() < limit || rules_loaded < program.rule_count() ||
                      groups_loaded < groups.size() ||
                      externals_loaded < program.externals().size() ||
                      edges_loaded < program.edges().size();
    if (!news) return;
    clingo_backend *backend = nullptr;
    check(clingo_control_backend(control, &backend));
    check(clingo_backend_begin(backend));
    clingo_atom_t atom = 0;
    const std::size_t old = ids.size();
    while (ids.size() < limit) {
        check(clingo_backend_add_atom(backend, nullptr, &atom));
        ids.push_back(atom);
    }
    if (disjunctive) check(clingo_backend_project(backend, ids.data() + old, ids.size() - old));
    load_rules(backend);
    for (; groups_loaded < groups.size(); ++groups_loaded) {
        load_group(backend, groups[groups_loaded]);
    }
    for (; externals_loaded < program.externals().size(); ++externals_loaded) {
        const External &external = program.externals()[externals_loaded];
        const int type = external.value == ExternalValue::free      ? clingo_external_type_free
                         : external.value == ExternalValue::is_true ? clingo_external_type_true
                                                                    : clingo_external_type_false;
        check(clingo_backend_external(backend, ids[external.atom.index()], type));
    }
    for (; edges_loaded < program.edges().size(); ++edges_loaded) {
        const AcyclicityEdge &edge = program.edges()[edges_loaded];
        const auto condition = translate(std::span(edge.condition), ids);
        check(clingo_backend_acyc_edge(backend, edge.from, edge.to, condition.data(),
                                       condition.size()));
    }
    if (options.minimize) load_minimize(backend);
    check(clingo_backend_add_atom(backend, nullptr, &atom));
    check(clingo_backend_rule(backend, false, &atom, 1, nullptr, 0));
    check(clingo_backend_end(backend));
}

void Solver::Impl::load_rules(clingo_backend *backend) {
    std::vector<clingo_weighted_literal_t> weighted;
    for (; rules_loaded < program.rule_count(); ++rules_loaded) {
        const RuleView rule = program.rule(rules_loaded);
        const auto head = translate(rule.head, ids);
        if (!rule.weighted()) {
            const auto body = translate(rule.body, ids);
            check(clingo_backend_rule(backend, rule.choice, head.data(), head.size(), body.data(),
                                      body.size()));
            continue;
        }
        weighted.clear();
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            weighted.push_back({translate(rule.body[i], ids), rule.weights[i]});
        }
        check(clingo_backend_weight_rule(backend, rule.choice, head.data(), head.size(), rule.bound,
                                         weighted.data(), weighted.size()));
    }
}

// {a1;..;an}. :- not a1, .., not an. :- 2 {a1;..;an}.
void Solver::Impl::load_group(clingo_backend *backend, const std::vector<AtomId> &group) {
    const auto head = translate(std::span(group), ids);
    std::vector<clingo_literal_t> none;
    std::vector<clingo_weighted_literal_t> two;
    for (const AtomId atom : group) {
        none.push_back(translate(Literal(atom, false), ids));
        two.push_back({translate(Literal(atom), ids), 1});
    }
    check(clingo_backend_rule(backend, true, head.data(), head.size(), nullptr, 0));
    check(clingo_backend_rule(backend, false, nullptr, 0, none.data(), none.size()));
    check(clingo_backend_weight_rule(backend, false, nullptr, 0, 2, two.data(), two.size()));
}

void Solver::Impl::load_minimize(clingo_backend *backend) {
    // Weak constraints are never added to a program that has been loaded: it is grounded anew instead.
    if (!minimize_loaded.empty()) return;
    for (const Minimize &minimize : program.minimize()) {
        std::vector<clingo_weighted_literal_t> literals;
        for (const WeightedLiteral &element : minimize.literals) {
            literals.push_back({translate(element.literal, ids), element.weight});
        }
        check(
            clingo_backend_minimize(backend, minimize.priority, literals.data(), literals.size()));
        minimize_loaded.push_back(literals.size());
    }
}

} // namespace neurasp::asp
