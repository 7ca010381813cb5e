// Checks the invariants of a theory, group by group.
#include "circuit/theory.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>

namespace neurasp::circuit {

namespace {

class TheoryVerifier {
  public:
    explicit TheoryVerifier(const Theory &theory) : theory_(theory) {}

    void run() {
        check_clauses();
        check_choices();
        check_recursion();
        check_heads();
        check_evidence();
        check_open_atoms();
        check_shown();
    }

  private:
    [[noreturn]] static void fail(const std::string &where, const std::string &what) {
        throw std::logic_error("theory: " + where + ": " + what);
    }
    bool is_known(Var var) const { return var != 0 && var < theory_.variable_limit(); }
    bool is_known_or_constant(Lit lit) const { return lit.var() < theory_.variable_limit(); }

    // Whether the variable exists and is not an outcome; outcomes have no definition.
    bool is_definable(Var var) const {
        return is_known(var) && theory_.kind(var) != VarKind::outcome;
    }

    void check_clauses() const {
        bool has_empty_clause = false;
        for (std::size_t c = 0; c < theory_.clause_count(); ++c) {
            check_clause(c);
            has_empty_clause = has_empty_clause || theory_.clause(c).empty();
        }
        if (has_empty_clause != theory_.contradictory) {
            fail("clauses", "`contradictory` does not say whether one of them is empty");
        }
    }

    void check_clause(std::size_t index) const {
        const auto clause = theory_.clause(index);
        const std::string where = "clause " + std::to_string(index);
        const Var owner = theory_.owner(index);
        bool mentions_owner = false;
        for (std::size_t i = 0; i < clause.size(); ++i) {
            if (!is_known(clause[i].var())) fail(where, "a constant or an unknown variable");
            if (i > 0 && clause[i - 1].var() >= clause[i].var()) {
                fail(where, "its variables do not ascend");
            }
            mentions_owner = mentions_owner || clause[i].var() == owner;
        }
        if (owner == 0) return;
        if (!is_definable(owner)) fail(where, "its owner is an outcome or unknown");
        if (!mentions_owner) fail(where, "it does not mention its owner");
    }

    void check_coins() const {
        if (theory_.coins == 0) return;
        if (theory_.coins > theory_.choices().size()) fail("coins", "more than there are choices");
        if (!theory_.determined || !theory_.shown.empty()) {
            fail("coins", "the theory is not determined, or shows literals");
        }
        for (std::size_t c = theory_.random_count(); c < theory_.choices().size(); ++c) {
            if (theory_.choices()[c].outcomes.size() != 2) fail("coins", "not two outcomes");
        }
    }

    void check_choices() const {
        check_coins();
        std::vector<std::uint32_t> choice_of(theory_.variable_limit(), nothing);
        for (std::uint32_t c = 0; c < theory_.choices().size(); ++c) {
            check_outcomes(c);
            if (c > 0 && theory_.choices()[c - 1].source >= theory_.choices()[c].source) {
                fail(choice_name(c), "sources do not ascend");
            }
            for (const Lit outcome : theory_.choices()[c].outcomes) {
                std::uint32_t &known = choice_of[outcome.var()];
                if (outcome.var() == 0) continue;
                if (known != nothing && known != c) {
                    fail(choice_name(c), "it shares a variable with another one");
                }
                known = c;
            }
        }
        for (Var var = 1; var < theory_.variable_limit(); ++var) check_membership(var, choice_of);
    }

    static std::string choice_name(std::uint32_t choice) {
        return "choice " + std::to_string(choice);
    }

    void check_outcomes(std::uint32_t index) const {
        const std::vector<Lit> &outcomes = theory_.choices()[index].outcomes;
        const std::string where = choice_name(index);
        if (outcomes.empty()) fail(where, "it has no outcome");
        if (outcomes.size() == 1) {
            if (outcomes[0] != true_lit) fail(where, "its only outcome is not certain");
            return;
        }
        for (std::size_t o = 0; o < outcomes.size(); ++o) {
            if (!is_known(outcomes[o].var())) fail(where, "a constant or an unknown variable");
            const bool negative = outcomes.size() == 2 && o == 1;
            const Lit first = outcomes[0];
            const Lit expected =
                negative ? ~first : Lit(first.var() + static_cast<Var>(o), first.positive());
            if (!first.positive() || outcomes[o] != expected) {
                fail(where, "its outcomes are not a variable and its negation, or neighbours");
            }
        }
    }

    void check_membership(Var var, const std::vector<std::uint32_t> &choice_of) const {
        const std::string where = "variable " + std::to_string(var);
        const bool is_outcome = theory_.kind(var) == VarKind::outcome;
        if (is_outcome != (choice_of[var] != nothing)) {
            fail(where, is_outcome ? "an outcome of no choice" : "not an outcome, but in a choice");
        }
        if (theory_.choice_of(var) != choice_of[var]) fail(where, "it is noted for another choice");
    }

    void check_recursion() const {
        std::vector<std::uint32_t> component_of(theory_.variable_limit(), nothing);
        std::vector<bool> has_atom(theory_.recursive_components, false);
        for (const RecursiveAtom &atom : theory_.recursive) {
            const std::string where = atom_name(atom);
            if (!is_definable(atom.atom)) fail(where, "an outcome or unknown");
            if (component_of[atom.atom] != nothing) fail(where, "listed twice");
            if (atom.component >= theory_.recursive_components) fail(where, "no such component");
            component_of[atom.atom] = atom.component;
            has_atom[atom.component] = true;
        }
        if (std::find(has_atom.begin(), has_atom.end(), false) != has_atom.end()) {
            fail("recursion", "a component without atoms");
        }
        for (const RecursiveAtom &atom : theory_.recursive) {
            for (const Support &support : atom.supports) check_support(atom, support, component_of);
        }
    }

    static std::string atom_name(const RecursiveAtom &atom) {
        return "recursive atom " + std::to_string(atom.atom);
    }

    void check_support(const RecursiveAtom &atom, const Support &support,
                       const std::vector<std::uint32_t> &component_of) const {
        const auto is_fit = [&](Lit lit) { return is_known_or_constant(lit) && lit != false_lit; };
        const bool ascends = std::adjacent_find(support.needs.begin(), support.needs.end(),
                                                std::greater_equal<>()) == support.needs.end();
        if (!is_fit(support.body)) fail(atom_name(atom), "a body that is false or unknown");
        if (!std::all_of(support.others.begin(), support.others.end(), is_fit)) {
            fail(atom_name(atom), "a literal of a body that is false or unknown");
        }
        if (!ascends) fail(atom_name(atom), "its needs do not ascend");
        for (const Var need : support.needs) {
            if (!is_known(need) || component_of[need] != atom.component) {
                fail(atom_name(atom), "it needs what is not in its component");
            }
        }
    }

    void check_heads() const {
        if (!theory_.heads.empty() && !theory_.determined) fail("heads", "not determined");
        for (const Head &head : theory_.heads) {
            if (!is_known_or_constant(head.literal)) fail("heads", "an unknown variable");
            for (const auto &body : head.bodies) {
                for (const Lit lit : body) {
                    if (!is_known(lit.var())) fail("heads", "a constant or an unknown variable");
                }
            }
        }
    }

    void check_evidence() const {
        if (theory_.determined && !theory_.evidence.empty()) {
            fail("evidence", "a determined theory has it in its clauses");
        }
        for (const Lit lit : theory_.evidence) {
            if (!is_known(lit.var())) fail("evidence", "a constant or an unknown variable");
        }
    }

    void check_open_atoms() const {
        std::size_t open = 0;
        for (Var var = 1; var < theory_.variable_limit(); ++var) {
            if (theory_.kind(var) == VarKind::open) ++open;
        }
        for (std::size_t i = 0; i < theory_.open_atoms.size(); ++i) {
            const Var var = theory_.open_atoms[i].first;
            if (!is_known(var) || theory_.kind(var) != VarKind::open) {
                fail("open atoms", "a variable that is not open");
            }
            if (i > 0 && theory_.open_atoms[i - 1].first >= var) {
                fail("open atoms", "they do not ascend");
            }
        }
        if (open != theory_.open_atoms.size()) fail("open atoms", "an open variable is missing");
    }

    void check_shown() const {
        for (const Lit lit : theory_.shown) {
            if (!is_known_or_constant(lit)) fail("shown", "an unknown variable");
            const bool recursive =
                std::any_of(theory_.recursive.begin(), theory_.recursive.end(),
                            [&](const RecursiveAtom &atom) { return atom.atom == lit.var(); });
            if (recursive) fail("shown", "a recursive atom");
        }
    }

    const Theory &theory_;
};

} // namespace

void Theory::verify() const { TheoryVerifier(*this).run(); }

} // namespace neurasp::circuit
