// Derivations for people: as an indented table, or as the bare list of rules that fired.
#pragma once

#include "cli/table.hpp"
#include "neurasp/derivation.hpp"

#include <string>
#include <vector>

namespace neurasp::cli {

// One row for each step, indented below what rests on it; a step that was shown before is only referred to.
std::vector<Row> derivation_rows(const Derivation &derivation,
                                 const std::vector<DerivationLink> &roots);

// "... 3 more steps", if a limit left some out.
std::string left_out_text(const Derivation &derivation);

// The rules that fired, from the outcomes up to the query; for a negated literal of it, that none does.
std::vector<std::string> fired_rules(const Derivation &derivation);

} // namespace neurasp::cli
