#include "circuit/normal_program.hpp"

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
        for (const asp::External &external : program_.externals()) {
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

    // Random outcomes are chosen anyway.
    void add_choice(const RuleView &rule) {
        std::vector<AtomId> head(rule.head.begin(), rule.head.end());
        std::erase_if(head, [&](AtomId atom) { return random(atom); });
        if (!head.empty()) result_.rules.add_rule(true, head, rule.body);
    }

    // Each head atom is derived if the others are not: the same stable models if no two of them lie on
    // one positive cycle (Ben-Eliyahu and Dechter 1994). A random outcome cannot be derived.
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
            if (!derives && constrained) continue; // all of them make the same constraint
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

    // A weight body as normal rules: `reached(i, n)` says that the literals from i on weigh at least n.
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
            if (i == rule.body.size()) continue; // underivable
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
