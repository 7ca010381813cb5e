// Simplifies a ground program for completion.
//
// Completion wants normal rules and choices: one head atom (or a choice of several), and a body that is a conjunction or a
// weight constraint that is not recursive. This file brings every ground program that can be compiled into that form, and
// names an obstacle for the others (#edge, disjunctions with head cycles, recursive aggregates that are too large).
//
// Relevance. Only the rules that the question depends on are copied (asp/analysis.hpp). Atoms keep their ids.
//
// Disjunctions are shifted: a | b :- body becomes a :- body, not b and b :- body, not a. This has the same stable models if
// no two head atoms lie on one positive cycle (Ben-Eliyahu and Dechter 1994). Otherwise deciding a model is harder
// than for normal programs, and we leave the program to enumeration.
//
// Random outcomes cannot be derived: the choice of an outcome is made elsewhere, and exactly one outcome of a variable
// holds. So a rule that has one in its head is a constraint: if its body holds, some head atom must. In choices,
// outcomes are dropped from the head, because they are chosen anyway.
//
// Recursive weight bodies. Loops need to know which atoms support which, and a weight body hides that. So a weight
// body with an atom of the same cycle as the head is unfolded into normal rules with new atoms reached(i, n), "the
// literals from i on weigh at least n": either they do so without literal i, or literal i holds and the rest weighs at least
// n minus its weight. Weights are positive, so the new atoms are monotone in the literals, and stable models correspond one
// to one. The weight body of a rule with several head atoms or a random outcome in its head is unfolded, too. All others
// stay, and become decision diagrams (weight_diagram.hpp).
//
// Externals that are true become facts, free ones choices, false ones nothing; nor do those that rules define.
//
// Cost. Linear, except for unfolding: at most literals * bound new atoms, two rules each, and no more than 500,000 rules.
#include "circuit/normal_program.hpp"

#include "asp/analysis.hpp"
#include "asp/dependency_graph.hpp"

#include <algorithm>
#include <map>

namespace neurasp::circuit {

namespace {

using asp::AtomId;
using asp::DependencyGraph;
using asp::GroundProgram;
using asp::Literal;
using asp::RuleView;

class Normaliser {
  public:
    Normaliser(const GroundProgram &program, const std::vector<bool> &is_random,
               const std::vector<bool> &relevant)
        : program_(program), is_random_(is_random), relevant_(relevant),
          next_atom_(program.atom_limit()) {}

    NormalProgram run() {
        result_.rules.reserve_atoms(program_.atom_limit());
        if (!program_.edges().empty()) return give_up("#edge statements");
        if (needs_components()) {
            component_ =
                DependencyGraph(program_, DependencyGraph::Edges::positive, relevant_).components();
        }
        for (std::size_t i = 0; i < program_.rule_count(); ++i) {
            if (!relevant_.empty() && !relevant_[i]) continue;
            add(program_.rule(i));
            if (!result_.obstacle.empty()) return std::move(result_);
        }
        for (const asp::External &external : asp::undefined_externals(program_)) {
            const AtomId head[] = {external.atom};
            if (external.value == asp::ExternalValue::is_false || random(external.atom)) continue;
            result_.rules.add_rule(external.value == asp::ExternalValue::free, head, {});
        }
        return std::move(result_);
    }

  private:
    NormalProgram give_up(std::string why) {
        result_.obstacle = std::move(why);
        return std::move(result_);
    }
    bool random(AtomId atom) const {
        return atom.index() < is_random_.size() && is_random_[atom.index()];
    }
    bool needs_components() const {
        for (std::size_t i = 0; i < program_.rule_count(); ++i) {
            const RuleView rule = program_.rule(i);
            if ((!rule.choice && rule.head.size() > 1) || rule.weighted()) return true;
        }
        return false;
    }
    bool in_one_cycle(AtomId a, AtomId b) const {
        return component_[a.index()] == component_[b.index()];
    }

    void add(const RuleView &rule) {
        const bool any_random = std::any_of(rule.head.begin(), rule.head.end(),
                                            [&](AtomId atom) { return random(atom); });
        if (rule.weighted() && (any_random || rule.head.size() > 1 || is_recursive(rule))) {
            add_unfolded(rule);
        } else if (rule.choice && any_random) {
            add_choice(rule);
        } else if (!rule.choice && (any_random || rule.head.size() > 1)) {
            add_shifted(rule);
        } else {
            result_.rules.add(rule);
        }
    }

    // Drops random outcomes, which are chosen anyway.
    void add_choice(const RuleView &rule) {
        std::vector<AtomId> head(rule.head.begin(), rule.head.end());
        std::erase_if(head, [&](AtomId atom) { return random(atom); });
        if (!head.empty()) result_.rules.add_rule(true, head, rule.body);
    }

    // Shifts the disjunction: each head atom is derived if the others are false. For random outcomes, adds a constraint
    // instead.
    void add_shifted(const RuleView &rule) {
        for (std::size_t i = 0; i < rule.head.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (!random(rule.head[i]) && !random(rule.head[j]) &&
                    in_one_cycle(rule.head[i], rule.head[j])) {
                    give_up_on_disjunction();
                    return;
                }
            }
        }
        bool constrained = false;
        for (const AtomId atom : rule.head) {
            std::vector<Literal> body(rule.body.begin(), rule.body.end());
            const bool derives = !random(atom);
            if (!derives && constrained) continue; // all outcomes give the same constraint
            for (const AtomId other : rule.head) {
                if (!derives || other != atom) body.emplace_back(other, false);
            }
            if (derives) {
                result_.rules.add_rule(false, std::span(&atom, 1), body);
            } else {
                result_.rules.add_rule(false, {}, body);
                constrained = true;
            }
        }
    }
    void give_up_on_disjunction() {
        result_.obstacle = "a disjunction whose atoms depend on each other";
    }

    bool is_recursive(const RuleView &rule) const {
        for (const Literal literal : rule.body) {
            if (!literal.positive()) continue;
            for (const AtomId head : rule.head) {
                if (in_one_cycle(head, literal.atom())) return true;
            }
        }
        return false;
    }

    // A weight body as normal rules; the atom for (i, n) says that the literals from i on weigh at least n.
    void add_unfolded(const RuleView &rule) {
        constexpr std::size_t most_rules = 500'000;
        std::map<std::pair<std::size_t, std::int64_t>, AtomId> atoms;
        std::vector<std::pair<std::size_t, std::int64_t>> open;
        const auto body_for = [&](std::size_t i, std::int64_t n) -> std::vector<Literal> {
            if (n <= 0) return {};
            const auto [place, is_new] = atoms.try_emplace({i, n}, AtomId(next_atom_));
            if (is_new) {
                ++next_atom_;
                open.emplace_back(i, n);
            }
            return {Literal(place->second)};
        };
        add({rule.choice, rule.head, body_for(0, rule.bound), {}, 0});
        std::size_t made = 0;
        while (!open.empty()) {
            const auto [i, n] = open.back();
            open.pop_back();
            const AtomId head[] = {atoms.at({i, n})};
            result_.rules.reserve_atoms(next_atom_);
            if (i == rule.body.size()) continue; // cannot be derived
            result_.rules.add_rule(false, head, body_for(i + 1, n));
            std::vector<Literal> body = body_for(i + 1, n - rule.weights[i]);
            body.push_back(rule.body[i]);
            result_.rules.add_rule(false, head, body);
            made += 2;
            if (made > most_rules) {
                result_.obstacle = "a recursive aggregate that is too large";
                return;
            }
        }
    }

    const GroundProgram &program_;
    const std::vector<bool> &is_random_;
    const std::vector<bool> &relevant_;
    std::vector<std::uint32_t> component_;
    std::uint32_t next_atom_;
    NormalProgram result_;
};

} // namespace

NormalProgram normalise(const asp::GroundProgram &program, const std::vector<bool> &is_random,
                        const std::vector<bool> &relevant) {
    return Normaliser(program, is_random, relevant).run();
}

} // namespace neurasp::circuit
