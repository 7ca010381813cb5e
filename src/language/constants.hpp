// Multi-valued constants and events of networks: `c=v` is the atom c(..,v). Also `~a`, which is `-a`.
#pragma once

#include "language/atom_index.hpp"
#include "language/edits.hpp"
#include "language/literals.hpp"
#include "language/reporter.hpp"

#include <optional>
#include <set>
#include <string>

namespace neurasp::language {

// What `=` gives a value to: constants that some head writes with `=`, and events of networks.
struct ValuedTerms {
    const std::set<Signature> &constants;
    const AtomIndex &index;

    bool contains(const Signature &term) const {
        return constants.contains(term) || index.is_event(term);
    }
};

// The constant that a literal `c(..)=v` compares; nothing for other literals and for pools.
std::optional<Signature> compared_constant(const SourceMap &sources, const Statement &statement,
                                           const LiteralShape &shape);

// Makes the atom of a literal `c(..)=v` whose constant is known.
void rewrite_constant(const SourceMap &sources, const Statement &statement,
                      const LiteralShape &shape, Edits &edits);

// The atom of a literal in normal form, without its `not`s.
std::string atom_text(const SourceMap &sources, const Statement &statement,
                      const LiteralShape &shape);

// Rewrites all literals of a statement (for neural and probabilistic rules, of its body).
void rewrite_literals(const SourceMap &sources, const Statement &statement,
                      const ValuedTerms &known, Edits &edits, Reporter &reporter);

} // namespace neurasp::language
