// Why each atom is true or false in one stable model: the rule that founds a true atom, and the literals that
// stop the rules of a false one.
//
// Idea: a stable model is the least model of its reduct, so every true atom is founded: some rule with it in the head has
// a body that holds and whose positive atoms were founded before. Many rules may found an atom; people want a
// short story. So atoms are founded in order of cost, cheapest first (Knuth 1977, Dijkstra's algorithm for
// hypergraphs): an atom costs a step more than the dearest literal below it, plus a little for each literal of
// the body. What founds an atom is cheaper than the atom, so no atom ever founds itself, not even within a
// positive loop.
//
// A negated literal that founds something is taken as it stands: that the model is stable says it is right.
// Its own explanation comes from a second pass over the false atoms, again cheapest first: a false atom costs a step
// more than the dearest of its rules, and a rule as much as the cheapest literal that stops it. False atoms that are
// left over stop each other in a circle (an unfounded set), or wait for such atoms.
//
// Source: offline justifications (Pontelli, Son, Elkhatib 2009), whose graphs also have edges to the literals of one
// supporting rule and, for a false atom, to one false literal of each rule. Ours differ in that the
// negated literals taken for granted are all of them (theirs: a subset, "assumptions"), and in what they do not
// have: weight bodies, which rest on the cheapest literals that reach the bound, or stop it; choices; and
// disjunctions. A disjunction with one true head founds it. One with several does so only where nothing else does
// (then the atoms depend on each other, and only minimality, a proof by cases, makes them all true): one of them is
// taken as the case at hand, and the rest follows.
//
// Invariants: a true atom is a leaf or has a founding rule whose body holds and whose used positive literals cost
// less than it; a false atom that is not circular has, in each of its rules, a stopping literal that costs less.
// Cost: O(n log n) in the rules that the roots depend on.
#pragma once

#include "asp/analysis.hpp"
#include "asp/rules_by_head.hpp"
#include "asp/solver.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace neurasp::inference {

using asp::AtomId;
using asp::Literal;

using Truth = std::vector<bool>; // by atom

Truth truth_of(const asp::GroundProgram &program, const asp::ModelView &view);

// The atoms of which no rule says why they hold: random outcomes and externals.
struct Leaf {
    bool is_leaf = false;
    bool favoured = true; // derivations go through it rather than through others
};

class Justification {
  public:
    // `truth` is a stable model of `program`; `leaves` by atom. Looks at what `roots` depend on only.
    // Requires: `program` outlives this.
    Justification(const asp::GroundProgram &program, Truth truth, std::vector<Leaf> leaves,
                  std::span<const AtomId> roots);

    const asp::GroundProgram &program() const noexcept { return program_; }
    bool is_true(Literal literal) const {
        return truth_[literal.atom().index()] == literal.positive();
    }
    bool is_leaf(AtomId atom) const { return leaves_[atom.index()].is_leaf; }

    // The rule that founds a true atom; nothing for leaves.
    std::optional<std::size_t> founder(AtomId atom) const;
    // The literals of a body that holds which suffice to make it hold.
    std::vector<Literal> used_body(std::size_t index) const;
    // The rules with this atom in their head.
    std::span<const std::size_t> rules_of(AtomId atom) const { return by_head_.of(atom); }
    const asp::RulesByHead &by_head() const noexcept { return by_head_; }
    // Literals that hold and keep the rule from deriving a false atom of its head: they falsify the body, or
    // are other atoms of the disjunction. None for a choice that was not made.
    std::vector<Literal> stoppers(std::size_t index) const;
    // Whether a false atom is one of those that stop each other in a circle, or waits for such atoms.
    bool is_circular(AtomId atom) const;
    // Of founding a true atom, or of stopping all rules of a false one; infinite for circular ones.
    double cost(AtomId atom) const { return cost_[atom.index()]; }

  private:
    class Founding;
    class Stopping;
    static constexpr double unknown = std::numeric_limits<double>::infinity();
    static constexpr std::size_t no_rule = ~std::size_t{0};

    bool body_holds(const asp::RuleView &rule) const;
    double leaf_cost(AtomId atom) const;
    double negation_cost(AtomId atom) const; // of `not atom`, where it is taken as it stands

    const asp::GroundProgram &program_;
    Truth truth_;
    std::vector<Leaf> leaves_;
    asp::Relevance relevant_;
    asp::RulesByHead by_head_;
    std::vector<std::vector<std::size_t>>
        occurrences_;                  // by atom: rules with it in the positive body
    std::vector<std::size_t> founder_; // by atom
    std::vector<double> cost_;         // by atom, of the literal that holds
};

} // namespace neurasp::inference
