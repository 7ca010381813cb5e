// Neural rules: `nn(m(e,t1,..,tk),[v1,..,vn]) :- Body.`
#pragma once

#include "language/atom_index.hpp"
#include "language/edits.hpp"
#include "language/reporter.hpp"
#include "language/statement.hpp"

#include <optional>
#include <string>
#include <vector>

namespace neurasp::language {

struct ParsedNeuralRule {
    NeuralRule rule;
    TokenRange events;
    std::vector<TokenRange> terms;
    std::vector<TokenRange> outcomes;
};

// Reads the head of a statement of kind `neural`, and reports its mistakes.
std::optional<ParsedNeuralRule> parse_neural_rule(const SourceMap &sources,
                                                  const Statement &statement, Reporter &reporter);

NetworkAtoms network_atoms(const SourceMap &sources, const Statement &statement,
                           const ParsedNeuralRule &parsed);

// Replaces the head, in place, by an atom of the helper predicate.
void lower_neural_head(const ParsedNeuralRule &parsed, std::size_t number, Edits &edits);

// The choice rule over the outcomes of the events.
std::string neural_choice(const NeuralRule &rule, std::size_t number, int event_base);

} // namespace neurasp::language
