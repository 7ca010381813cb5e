// Ground programs with random variables, theories made by hand, and the simplest ways to count their models, as a
// reference for the tests of the compiler.
#pragma once

#include "asp/grounder.hpp"
#include "circuit/gates.hpp"
#include "circuit/translation.hpp"
#include "circuit/unfounded.hpp"

#include <map>
#include <string>
#include <vector>

namespace neurasp::circuit::test {

// A program whose random variables are given by the names of their outcomes; the text must mention these
// as choices, e.g. "{coin(1;2)}.".
class Example {
  public:
    explicit Example(const std::string &text,
                     const std::vector<std::vector<std::string>> &variables = {});

    const asp::GroundProgram &program() const { return grounder_.program(); }
    const std::vector<std::vector<asp::AtomId>> &variables() const { return variables_; }
    asp::AtomId atom(const std::string &name) const;
    // "a" or "not a".
    asp::Literal literal(const std::string &text) const;
    std::vector<bool> is_random() const; // by atom

    // The input of a translation with this evidence.
    TranslationInput input(const std::vector<std::string> &evidence, bool whole = false) const;
    // The number of stable models that satisfy the literals.
    std::uint64_t count(const std::vector<asp::Literal> &literals) const;
    // The stable models of each total choice that has any: all of them, and those that satisfy the evidence. A total
    // choice has a number for each random variable: which of its outcomes is chosen.
    struct Models {
        double all = 0.0;
        double observed = 0.0;
    };
    std::map<std::vector<std::size_t>, Models>
    models_by_choice(const std::vector<std::string> &evidence) const;
    // The sum, over total choices, of the product of their weights times the share of models with the evidence.
    double probability(const std::vector<std::string> &evidence,
                       const std::vector<std::vector<double>> &weights) const;

  private:
    asp::Grounder grounder_;
    std::vector<std::vector<asp::AtomId>> variables_;
};

// A row of numbers that sum to 1 for each variable.
std::vector<std::vector<double>> some_weights(const Example &example);
// The rows of the theory's choices, one after the other.
std::vector<double> weights_of(const Theory &theory,
                               const std::vector<std::vector<double>> &weights);

// The number of assignments of all variables that are models and satisfy the evidence, by a search without any of
// the compiler's tricks.
std::uint64_t count_models(const Theory &theory);

// Propagation with the exclusion of unfounded sets, to the fixpoint.
bool propagate_all(Propagator &propagator, UnfoundedSets &unfounded);

// A new choice of `count` outcomes (two: one Boolean).
std::vector<Lit> add_choice(Theory &theory, std::uint32_t count);
void add_clause(Theory &theory, const std::vector<Lit> &literals, Var owner = 0);

} // namespace neurasp::circuit::test
