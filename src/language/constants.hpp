// Multi-valued constants: `c=v` is the atom c(..,v). Also `~a`, which is `-a`.
#pragma once

#include "language/edits.hpp"
#include "language/literals.hpp"
#include "language/reporter.hpp"

#include <optional>
#include <set>
#include <string>

namespace neurasp::language {

// The constant that a literal `c(..)=v` compares; nothing for other literals and for pools.
std::optional<Signature> compared_constant(const SourceMap &sources, const Statement &statement,
                                           const LiteralShape &shape);

// Makes the atom of a literal `c(..)=v` whose constant is known.
void rewrite_constant(const Statement &statement, const LiteralShape &shape, Edits &edits);

// The atom of a literal in normal form, without its `not`s.
std::string atom_text(const SourceMap &sources, const Statement &statement,
                      const LiteralShape &shape);

// Rewrites all literals of a statement (for neural and probabilistic rules, of its body).
void rewrite_literals(const SourceMap &sources, const Statement &statement,
                      const std::set<Signature> &known, Edits &edits, Reporter &reporter);

} // namespace neurasp::language
