// Clark's completion: an atom holds if and only if one of its bodies does. Atoms are defined in the order of their
// dependencies, so that the literals of a body are known; atoms that depend on each other get variables first. For
// atoms on positive cycles, the theory also lists what supports them, because completion alone lets them support each
// other. Bodies that differ only in random outcomes are merged into decision diagrams.
#include "circuit/completion.hpp"

#include "asp/analysis.hpp"
#include "asp/dependency_graph.hpp"
#include "asp/rules_by_head.hpp"
#include "circuit/cube_diagram.hpp"
#include "circuit/weight_diagram.hpp"

#include <algorithm>
#include <map>

namespace neurasp::circuit {

namespace {

using asp::AtomId;
using asp::DependencyGraph;
using asp::Literal;
using asp::RuleView;

using Body = std::vector<Lit>; // a conjunction

struct TooLarge {};

class Completion {
  public:
    Completion(const TranslationInput &input, const asp::GroundProgram &rules)
        : input_(input), rules_(rules), by_head_(rules), gates_(theory_),
          literal_of_(rules.atom_limit(), false_lit),
          positive_(DependencyGraph(rules, DependencyGraph::Edges::positive, {})) {}

    // `is_relevant`: by random variable.
    Theory run(const std::vector<bool> &is_relevant, std::span<const AtomId> coins) {
        theory_.determined = asp::analyse(rules_).determined;
        add_choices(is_relevant);
        add_coins(coins);
        define_atoms();
        for (std::size_t i = 0; i < rules_.rule_count(); ++i) {
            if (rules_.rule(i).head.empty()) add_constraint(rules_.rule(i));
        }
        for (const Literal literal : input_.evidence) add_evidence(literal_of(literal));
        if (!input_.alternatives.empty()) add_evidence(any_alternative(input_.alternatives));
        for (const CostLimit &limit : input_.cost_limits) add_evidence(~exceeds(limit));
        for (const auto &alternatives : input_.shown) {
            theory_.shown.push_back(shown_literal(any_alternative(alternatives)));
        }
        return std::move(theory_);
    }

  private:
    Lit literal_of(Literal literal) const {
        const Lit lit = literal_of_[literal.atom().index()];
        return literal.positive() ? lit : ~lit;
    }

    void add_choices(const std::vector<bool> &is_relevant) {
        is_random_.assign(rules_.atom_limit(), false);
        for (std::uint32_t v = 0; v < input_.variables.size(); ++v) {
            const auto &atoms = input_.variables[v];
            for (const AtomId atom : atoms) is_random_[atom.index()] = true;
            if (!is_relevant[v]) continue;
            Choice choice{{}, v};
            if (atoms.size() == 1) {
                choice.outcomes = {true_lit};
            } else if (atoms.size() == 2) {
                const Var var = theory_.add_variable(VarKind::outcome);
                choice.outcomes = {Lit(var), Lit(var, false)};
            } else {
                for (std::size_t o = 0; o < atoms.size(); ++o) {
                    choice.outcomes.emplace_back(theory_.add_variable(VarKind::outcome));
                }
            }
            for (std::size_t o = 0; o < atoms.size(); ++o) {
                literal_of_[atoms[o].index()] = choice.outcomes[o];
            }
            theory_.add_choice(std::move(choice));
        }
        for (std::uint32_t i = 0; i < input_.inputs.size(); ++i) {
            const Var var = theory_.add_variable(VarKind::outcome);
            is_random_[input_.inputs[i].index()] = true;
            literal_of_[input_.inputs[i].index()] = Lit(var);
            theory_.add_choice({{Lit(var), Lit(var, false)},
                                static_cast<std::uint32_t>(input_.variables.size() + i)});
        }
    }

    void add_coins(std::span<const AtomId> coins) {
        for (const AtomId coin : coins) {
            const Var var = theory_.add_variable(VarKind::outcome);
            is_random_[coin.index()] = true;
            literal_of_[coin.index()] = Lit(var);
            const std::size_t source =
                input_.variables.size() + input_.inputs.size() + theory_.coins++;
            theory_.add_choice({{Lit(var), Lit(var, false)}, static_cast<std::uint32_t>(source)});
        }
    }

    // Defines atoms in the order of their dependencies, component by component.
    void define_atoms() {
        const DependencyGraph graph(rules_, DependencyGraph::Edges::all, {});
        const auto component = graph.components();
        positive_component_ = positive_.components();
        std::vector<std::uint32_t> order;
        for (std::uint32_t atom = 1; atom < rules_.atom_limit(); ++atom) {
            if (!is_random_[atom] && !by_head_.of(AtomId(atom)).empty()) order.push_back(atom);
        }
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return component[a] < component[b];
        });
        for (std::size_t begin = 0; begin < order.size();) {
            std::size_t end = begin + 1;
            while (end < order.size() && component[order[end]] == component[order[begin]]) ++end;
            define_component(graph, std::span(order).subspan(begin, end - begin), component);
            begin = end;
        }
        number_cycles();
    }

    void define_component(const DependencyGraph &graph, std::span<const std::uint32_t> atoms,
                          const std::vector<std::uint32_t> &component) {
        const auto successors = graph.successors(atoms[0]);
        const bool alone = atoms.size() == 1 && std::find(successors.begin(), successors.end(),
                                                          atoms[0]) == successors.end();
        if (alone) {
            define(AtomId(atoms[0]), std::nullopt);
            return;
        }
        const bool negative = std::any_of(atoms.begin(), atoms.end(), [&](std::uint32_t atom) {
            return has_negation_inside(AtomId(atom), component);
        });
        for (const std::uint32_t atom : atoms) {
            const bool open = negative || is_chosen(AtomId(atom));
            literal_of_[atom] = Lit(theory_.add_variable(open ? VarKind::open : VarKind::defined));
            if (open) theory_.open_atoms.emplace_back(literal_of_[atom].var(), AtomId(atom));
        }
        for (const std::uint32_t atom : atoms) {
            define(AtomId(atom), literal_of_[atom].var());
        }
    }

    bool has_negation_inside(AtomId atom, const std::vector<std::uint32_t> &component) const {
        for (const std::size_t index : by_head_.of(atom)) {
            for (const Literal literal : rules_.rule(index).body) {
                if (!literal.positive() &&
                    component[literal.atom().index()] == component[atom.index()]) {
                    return true;
                }
            }
        }
        return false;
    }
    bool is_chosen(AtomId atom) const {
        const auto rules = by_head_.of(atom);
        return std::any_of(rules.begin(), rules.end(),
                           [&](std::size_t index) { return rules_.rule(index).choice; });
    }

    // The literals of the body without constants; nothing if the body cannot hold.
    std::optional<Body> body_of(const RuleView &rule) {
        if (rule.weighted()) {
            std::vector<WeightedLit> literals;
            for (std::size_t i = 0; i < rule.body.size(); ++i) {
                literals.emplace_back(literal_of(rule.body[i]), rule.weights[i]);
            }
            const Lit lit = checked(at_least(gates_, literals, rule.bound));
            if (lit == false_lit) return std::nullopt;
            return lit == true_lit ? Body{} : Body{lit};
        }
        Body body;
        for (const Literal literal : rule.body) {
            const Lit lit = literal_of(literal);
            if (lit == false_lit) return std::nullopt;
            if (lit != true_lit) body.push_back(lit);
        }
        std::sort(body.begin(), body.end());
        body.erase(std::unique(body.begin(), body.end()), body.end());
        if (excludes_itself(body)) return std::nullopt;
        return body;
    }

    // Whether a sorted body contains a literal and its negation, or two outcomes of one choice.
    bool excludes_itself(const Body &body) const {
        std::uint32_t last = nothing;
        for (std::size_t i = 0; i < body.size(); ++i) {
            if (i > 0 && body[i].var() == body[i - 1].var()) return true;
            const std::uint32_t choice = theory_.choice_of(body[i].var());
            if (choice == nothing || !body[i].positive()) continue;
            if (choice == last && theory_.choices()[choice].outcomes.size() > 2) return true;
            last = choice; // outcomes of one choice have neighbouring numbers
        }
        return false;
    }

    static Lit checked(std::optional<Lit> lit) {
        if (!lit) throw TooLarge();
        return *lit;
    }

    // The disjunction of the bodies; those that differ only in random outcomes are merged.
    Lit any_of(const std::vector<Body> &bodies) {
        std::map<Body, std::vector<Cube>> cubes_by_rest;
        for (const Body &body : bodies) {
            Body rest;
            Cube cube;
            for (const Lit lit : body) {
                const bool random = theory_.choice_of(lit.var()) != nothing;
                (random ? cube : rest).push_back(lit);
            }
            cubes_by_rest[std::move(rest)].push_back(std::move(cube));
        }
        std::vector<Lit> alternatives;
        for (auto &[rest, cubes] : cubes_by_rest) {
            std::optional<Lit> merged;
            if (cubes.size() > 1) merged = merge_cubes(gates_, cubes);
            if (merged) {
                Body body = rest;
                body.push_back(*merged);
                alternatives.push_back(gates_.conjunction(std::move(body)));
                continue;
            }
            for (const Cube &cube : cubes) {
                Body body = rest;
                body.insert(body.end(), cube.begin(), cube.end());
                alternatives.push_back(gates_.conjunction(std::move(body)));
            }
        }
        return gates_.disjunction(std::move(alternatives));
    }

    Lit any_alternative(const std::vector<std::vector<Literal>> &alternatives) {
        std::vector<Body> bodies;
        for (const auto &alternative : alternatives) {
            if (auto body = body_of({false, {}, alternative, {}, 0})) {
                bodies.push_back(std::move(*body));
            }
        }
        return any_of(bodies);
    }

    // The literal that the circuit mentions for `lit`. Where there are positive cycles, it is a variable of its own, which
    // looks at the cycle from outside; cycle_summary.hpp may leave out what is inside.
    Lit shown_literal(Lit lit) {
        const bool is_outcome = theory_.kind(lit.var()) == VarKind::outcome;
        if (theory_.recursive.empty() || lit.var() == 0 || is_outcome) return lit;
        const auto [place, is_new] = shown_.try_emplace(lit, true_lit);
        if (is_new) {
            place->second = Lit(theory_.add_variable(VarKind::defined));
            complete(place->second.var(), {lit}, {});
        }
        return place->second;
    }

    // Adds the completion of `atom`. Without `var`, this function also chooses the literal of the atom.
    void define(AtomId atom, std::optional<Var> var) {
        std::vector<Body> derives;
        std::vector<Body> allows; // bodies of choices
        std::vector<Support> supports;
        const bool recursive = var && is_on_positive_cycle(atom);
        std::vector<Lit> derive_literals;
        std::vector<Lit> allow_literals;
        for (const std::size_t index : by_head_.of(atom)) {
            const RuleView rule = rules_.rule(index);
            const auto &literals = rule.body;
            if (std::find(literals.begin(), literals.end(), Literal(atom)) != literals.end()) {
                continue; // the rule supports only itself
            }
            auto body = body_of(rule);
            if (!body) continue;
            std::vector<Var> needs;
            if (recursive) needs = needs_of(rule, atom);
            if (needs.empty()) {
                (rule.choice ? allows : derives).push_back(std::move(*body));
                continue;
            }
            std::vector<Lit> others = *body;
            std::erase_if(others, [&](Lit lit) {
                return lit.positive() && std::binary_search(needs.begin(), needs.end(), lit.var());
            });
            const Lit lit = gates_.conjunction(std::move(*body));
            supports.push_back({lit, std::move(needs), std::move(others), rule.choice});
            (rule.choice ? allow_literals : derive_literals).push_back(lit);
        }
        const bool chosen = !allows.empty() || !allow_literals.empty();
        const Lit derived = any_of(derives);
        const Lit allowed = any_of(allows);
        if (!var && (!chosen || derived == true_lit)) {
            literal_of_[atom.index()] = derived;
            if (theory_.determined) theory_.heads.push_back({derived, std::move(derives)});
            return;
        }
        if (!var) {
            var = theory_.add_variable(VarKind::open);
            theory_.open_atoms.emplace_back(*var, atom);
            literal_of_[atom.index()] = Lit(*var);
        }
        derive_literals.push_back(derived);
        allow_literals.push_back(allowed);
        complete(*var, derive_literals, allow_literals);
        if (!recursive) return;
        if (derived != false_lit) supports.push_back({derived, {}, {derived}, false});
        if (allowed != false_lit) supports.push_back({allowed, {}, {allowed}, true});
        theory_.recursive.push_back({*var, positive_component_[atom.index()], std::move(supports)});
    }

    // The atom holds if one of `derive` does, and only if one of `derive` or `allow` does.
    void complete(Var var, const std::vector<Lit> &derive, const std::vector<Lit> &allow) {
        std::vector<Lit> only_if{Lit(var, false)};
        for (const Lit lit : derive) {
            const Lit if_derived[] = {~lit, Lit(var)};
            theory_.add_clause(if_derived, var);
            only_if.push_back(lit);
        }
        only_if.insert(only_if.end(), allow.begin(), allow.end());
        theory_.add_clause(only_if, var);
    }

    bool is_on_positive_cycle(AtomId atom) const {
        const auto successors = positive_.successors(atom.value);
        return std::any_of(successors.begin(), successors.end(), [&](std::uint32_t next) {
            return positive_component_[next] == positive_component_[atom.index()];
        });
    }

    std::vector<Var> needs_of(const RuleView &rule, AtomId head) const {
        std::vector<Var> needs;
        for (const Literal literal : rule.body) {
            if (literal.positive() && !is_random_[literal.atom().index()] &&
                positive_component_[literal.atom().index()] == positive_component_[head.index()]) {
                needs.push_back(literal_of(literal).var());
            }
        }
        std::sort(needs.begin(), needs.end());
        needs.erase(std::unique(needs.begin(), needs.end()), needs.end());
        return needs;
    }

    void number_cycles() {
        std::map<std::uint32_t, std::uint32_t> number;
        for (RecursiveAtom &atom : theory_.recursive) {
            const auto next = static_cast<std::uint32_t>(number.size());
            atom.component = number.try_emplace(atom.component, next).first->second;
        }
        theory_.recursive_components = static_cast<std::uint32_t>(number.size());
    }

    void add_constraint(const RuleView &rule) {
        auto body = body_of(rule);
        if (!body) return;
        for (Lit &lit : *body) lit = ~lit;
        theory_.add_clause(*body, 0);
    }

    void add_evidence(Lit lit) {
        if (theory_.determined || lit.var() == 0) {
            theory_.add_clause(std::span(&lit, 1), 0);
            return;
        }
        // each conjunct on its own, so that evidence about independent parts does not connect them
        const std::vector<Lit> pieces = gates_.conjuncts(lit);
        for (const Lit piece : pieces) add_evidence(piece);
        if (pieces.empty()) theory_.evidence.push_back(lit);
    }

    Lit exceeds(const CostLimit &limit) {
        std::vector<WeightedLit> literals;
        for (const asp::WeightedLiteral &element : limit.literals) {
            literals.emplace_back(literal_of(element.literal), element.weight);
        }
        return checked(at_least(gates_, literals, limit.most + 1));
    }

    const TranslationInput &input_;
    const asp::GroundProgram &rules_;
    asp::RulesByHead by_head_;
    Theory theory_;
    Gates gates_;
    std::vector<Lit> literal_of_; // by atom
    std::vector<bool> is_random_; // by atom
    std::map<Lit, Lit> shown_;
    DependencyGraph positive_;
    std::vector<std::uint32_t> positive_component_;
};

} // namespace

std::optional<Theory> complete(const TranslationInput &input, const asp::GroundProgram &rules,
                               const std::vector<bool> &is_relevant,
                               std::span<const asp::AtomId> coins) {
    try {
        return Completion(input, rules).run(is_relevant, coins);
    } catch (const TooLarge &) {
        return std::nullopt;
    }
}

} // namespace neurasp::circuit
