// Terms and atoms reduced to what their syntax says about the ground atoms that they may become.
#pragma once

#include "language/literals.hpp"
#include "language/statement.hpp"

#include <string>
#include <vector>

namespace neurasp::language {

// A term. `any` stands for everything that only grounding can evaluate: variables, arithmetic, pools, intervals,
// calls of scripts.
struct TermPattern {
    enum class Kind { any, literal, function, tuple };
    Kind kind = Kind::any;
    bool negative = false;              // -f(x)
    std::string text;                   // of a literal; name of a function
    std::vector<TermPattern> arguments; // of a function or tuple
};

// An atom in the text, and its place.
struct AtomPattern {
    SourceSpan span;
    std::string name;
    bool negative = false;
    std::vector<TermPattern> arguments;

    Signature signature() const { return {name, arguments.size()}; }
};

TermPattern term_pattern(const SourceMap &sources, const Statement &statement, TokenRange range);

// The atoms that a literal stands for: one, or one for each alternative of a pool. `c=v` is the atom
// c(..,v).
std::vector<AtomPattern> atom_patterns(const SourceMap &sources, const Statement &statement,
                                       const LiteralShape &shape);

// Whether two terms may become the same ground term. A variable matches anything, each time that it occurs. So
// the answer is yes in cases of doubt, and no only if it is certain (apart from #const and numbers in other bases).
bool may_unify(const TermPattern &a, const TermPattern &b);
bool may_unify(const AtomPattern &a, const AtomPattern &b);

} // namespace neurasp::language
