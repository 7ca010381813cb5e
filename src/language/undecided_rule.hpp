// How to write a probabilistic rule whose body depends on chance.
//
// Bodies of probabilistic rules are decided by grounding, so `0.9 : alarm :- burglary.` is refused if
// `burglary` is uncertain. What is meant are two lines, a random variable of its own and a rule that uses it:
//
//     0.9 : alarm_if_burglary.
//     alarm :- burglary, alarm_if_burglary.
//
// The variable keeps those literals of the body that are decided, as far as they bind the variables of the head;
// where they do not, the values that grounding found are listed.
#pragma once

#include "language/program.hpp"

#include <functional>
#include <string>
#include <vector>

namespace neurasp::language {

// What grounding knows about the rule.
struct UndecidedRule {
    SourceSpan span;
    // The values of the variables of the head, in order of their appearance, one row for each instance.
    std::vector<std::vector<std::string>> instances;
    // Whether grounding decides all atoms of a signature; `negative`: of its strong negation.
    std::function<bool(const Signature &signature, bool negative)> is_decided;
};

struct DecidedForm {
    std::vector<std::string>
        lines; // the random variable first; none where there are too many outcomes
    std::string
        facts; // an atom that the first line uses and facts must define: too many values to list
};

// The lines that stand for the rule.
DecidedForm decided_form(const SourceMap &sources, const Program &program,
                         const UndecidedRule &rule);

} // namespace neurasp::language
