// A propositional theory with multi-valued variables whose models are the stable models of a ground
// program, one to one.
//
// Each random variable is a `Choice`: a list of literals of which exactly one is true (a variable with two outcomes is
// a Boolean and its negation). Every other variable is `defined`, which means that the values of the others leave exactly
// one value for it, or `open` (choices and cycles through negation leave it free). For atoms on positive cycles, the
// theory also lists their supports: atoms that support only each other must be false.
#pragma once

#include "asp/ground_program.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace neurasp::circuit {

using Var = std::uint32_t; // from 1; 0 stands for the constant true
inline constexpr std::uint32_t nothing = ~std::uint32_t{0};

// A variable or its negation.
class Lit {
  public:
    constexpr Lit() = default;
    constexpr explicit Lit(Var var, bool positive = true) : code_(2 * var + (positive ? 0 : 1)) {}
    static constexpr Lit from_code(std::uint32_t code) {
        Lit lit;
        lit.code_ = code;
        return lit;
    }

    constexpr Var var() const noexcept { return code_ >> 1U; }
    constexpr bool positive() const noexcept { return (code_ & 1U) == 0; }
    constexpr std::uint32_t code() const noexcept { return code_; }
    constexpr Lit operator~() const noexcept { return from_code(code_ ^ 1U); }
    friend constexpr auto operator<=>(Lit, Lit) = default;

  private:
    std::uint32_t code_ = 0;
};

inline constexpr Lit true_lit{0, true};
inline constexpr Lit false_lit{0, false};

enum class VarKind : std::uint8_t { outcome, defined, open };

// A way to derive an atom on a positive cycle: a body, the atoms of the same cycle in it (`needs`), and its other literals.
struct Support {
    Lit body;
    std::vector<Var> needs;
    std::vector<Lit> others;
    bool choice = false; // the body allows the atom but does not make it true
};

struct RecursiveAtom {
    Var atom = 0;
    std::uint32_t component = 0; // strongly connected component, from 0
    std::vector<Support> supports;
};

struct Choice {
    std::vector<Lit> outcomes;
    std::uint32_t source = 0; // index in the caller's list of random variables
};

// An atom that rules define without recursion, as a literal, with the bodies that derive it (conjunctions). The search
// looks for tables among them (tables.hpp); their meaning is in the clauses.
struct Head {
    Lit literal;
    std::vector<std::vector<Lit>> bodies;
};

// Invariants (`verify` checks them):
//   clauses    the literals of a clause are in ascending order, of different known variables, and not constants;
//              if a clause has an owner, it is one of its variables and not an outcome; `contradictory` is true if
//              and only if some clause is empty;
//   coins      the last choices are coins: two outcomes each, whose probabilities are 1/2; with coins, the theory is determined
//              and shows nothing;
//   choices    a choice has one outcome (the constant true), two (a variable and its negation) or more (variables
//              with consecutive numbers); every variable of the kind `outcome` belongs to exactly one choice, and no
//              other variable does; the sources of choices are in ascending order;
//   recursion  every recursive atom is a known variable, not an outcome, and listed once; its component is below
//              `recursive_components`, and every component has an atom; `needs` are in ascending order and are
//              recursive atoms of the same component; neither a body nor any of `others` is the constant false;
//   evidence   its literals are of known variables and not constants; it is empty if the theory is determined;
//   heads      their literals are of known variables or constants, those of their bodies of known variables; the literals
//              of a body are derived before the head; there are none if the theory is not determined;
//   open       the variables of the kind `open` are those of `open_atoms`, which are in ascending order;
//   shown      its literals are of known variables or constants, and their variables are not recursive atoms.
class Theory {
  public:
    Theory() { add_variable(VarKind::defined); }

    Var add_variable(VarKind kind) {
        kinds_.push_back(kind);
        choice_of_.push_back(nothing);
        return static_cast<Var>(kinds_.size() - 1);
    }
    // `owner` is the variable that the clause helps to define; 0 for a constraint. A clause with the literal true is
    // not added, and the literal false is left out.
    void add_clause(std::span<const Lit> literals, Var owner);
    void add_choice(Choice choice);

    // Variables are 1 .. variable_limit() - 1.
    std::uint32_t variable_limit() const noexcept {
        return static_cast<std::uint32_t>(kinds_.size());
    }
    VarKind kind(Var var) const { return kinds_[var]; }
    // The choice that a variable's literals belong to, or `nothing`.
    std::uint32_t choice_of(Var var) const { return choice_of_[var]; }
    std::size_t clause_count() const noexcept { return owners_.size(); }
    std::span<const Lit> clause(std::size_t index) const {
        return std::span(literals_).subspan(begin_[index], begin_[index + 1] - begin_[index]);
    }
    Var owner(std::size_t clause) const { return owners_[clause]; }
    const std::vector<Choice> &choices() const noexcept { return choices_; }
    // The choices that are random variables of the circuit come first.
    std::size_t random_count() const noexcept { return choices_.size() - coins; }

    // Throws: std::logic_error, which says which invariant is broken and where. Cost: linear.
    void verify() const;

    std::vector<Head> heads; // in the order of their dependencies
    std::vector<RecursiveAtom> recursive;
    std::uint32_t recursive_components = 0;
    // The evidence, unless outcomes determine the model: then it is among the clauses, and this is empty. Otherwise the
    // models without the evidence are needed as well, for Num.
    std::vector<Lit> evidence;
    bool determined = true;
    std::uint32_t coins =
        0; // how many of the choices are coins (coins.hpp), which the circuit does not mention
    bool contradictory = false;                          // an empty clause was added
    std::vector<std::pair<Var, asp::AtomId>> open_atoms; // the atom behind each open variable
    // Literals whose truth the circuit mentions: each has a variable of its own in the circuit, after the free atoms. Its
    // first outcome is an input of every branch in which the literal is true; its second outcome does not occur. So
    // their definitions are never dropped. The same literal may be listed more than once; only the first one is mentioned.
    std::vector<Lit> shown;

  private:
    friend struct TheoryAccess; // for tests that break invariants on purpose

    std::vector<VarKind> kinds_;
    std::vector<std::uint32_t> choice_of_;
    std::vector<Lit> literals_;
    std::vector<std::uint32_t> begin_{0};
    std::vector<Var> owners_;
    std::vector<Choice> choices_;
    std::vector<Lit> scratch_;
};

} // namespace neurasp::circuit
