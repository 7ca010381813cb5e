// Probabilistic rules: `p1 : c=v1 | p2 : c=v2 :- Body.`, `p : a.`, `@p1 a1; @p2 a2.`
#pragma once

#include "language/atom_index.hpp"
#include "language/edits.hpp"
#include "language/literals.hpp"
#include "language/reporter.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace neurasp::language {

struct ParsedOutcome {
    TokenRange part; // probability and atom
    TokenRange probability;
    TokenRange atom;
    LiteralShape shape;
};

struct ParsedProbabilisticRule {
    ProbabilisticRule rule;
    std::vector<ParsedOutcome> outcomes; // as written
    std::vector<std::string> atoms;      // in normal form, with the complement of `p : a.`
    std::vector<std::string> variables;  // of the head, in order of appearance
    bool has_complement = false;
    bool has_body = false;
};

// How much a sum of probabilities may differ from 1: by 1e-6, so that three times 0.333333 is accepted, and a
// little more for rounding.
inline constexpr double sum_tolerance = 1e-6 + 1e-12;

std::optional<ParsedProbabilisticRule>
parse_probabilistic_rule(const SourceMap &sources, const Statement &statement, Reporter &reporter);

// Adds the outcomes to the index, and constants among them to `constants`.
void register_outcomes(const SourceMap &sources, const Statement &statement,
                       const ParsedProbabilisticRule &parsed, AtomIndex &index,
                       std::set<Signature> &constants, Reporter &reporter);

// Replaces the head, in place, by an atom of the helper predicate.
void lower_probabilistic_head(const SourceMap &sources, const Statement &statement,
                              const ParsedProbabilisticRule &parsed, std::size_t number,
                              Edits &edits);

// The choice rule over the outcomes.
std::string probabilistic_choice(const ParsedProbabilisticRule &parsed, std::size_t number);

} // namespace neurasp::language
