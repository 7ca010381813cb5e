// How to write a probabilistic rule whose body depends on chance.
//
// Grounding must decide the body of a probabilistic rule, so `0.9 : alarm :- burglary.` is refused if
// `burglary` is uncertain. Two lines say what is meant, a random variable and a rule that uses it:
//
//     0.9 : alarm_if_burglary.
//     alarm :- burglary, alarm_if_burglary.
//
// The random variable keeps the literals of the body that are decided and bind its variables. For variables of
// the head that stay open, the values that grounding found are listed.
#pragma once

#include "language/program.hpp"

#include <functional>
#include <string>
#include <vector>

namespace neurasp::language {

// The rule, with what grounding found out about it.
struct UndecidedRule {
    SourceSpan span;
    // The values of the variables of the head, in order of their appearance, one row for each instance.
    std::vector<std::vector<std::string>> instances;
    // Whether grounding decides all atoms of a signature, or with `negative`, of its strong negation.
    std::function<bool(const Signature &signature, bool negative)> is_decided;
};

struct DecidedForm {
    std::vector<std::string>
        lines; // the random variable first; empty if there are too many outcomes
    std::string
        facts; // an atom of the first line that facts must define, if there are too many values to list
};

// The lines that mean the same as the rule.
DecidedForm decided_form(const SourceMap &sources, const Program &program,
                         const UndecidedRule &rule);

} // namespace neurasp::language
