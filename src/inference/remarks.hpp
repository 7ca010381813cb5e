// Remarks of clingo from grounding, as warnings that users understand: atoms that nothing derives, once for each
// predicate, and arithmetic with names that have no value.
//
// Whether nothing derives an atom can be said only once everything that may derive it is known. A program grounded
// alone may still get facts from an observation. So the warnings of a question are those of the grounding that it is
// asked in, and training leaves out predicates that one of its observations brings.
#pragma once

#include "asp/grounder.hpp"
#include "language/program.hpp"
#include "neurasp/program.hpp"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace neurasp::inference {

using asp::Predicate;

struct UndefinedPredicate {
    Predicate predicate;
    Diagnostic warning; // at the first place
};

struct Remarks {
    std::vector<UndefinedPredicate> undefined; // in the order of the text, each predicate once
    std::vector<Diagnostic> others;

    // Adds those of a part that was grounded later; of predicates that are known already, nothing.
    void add(const Remarks &later);
    std::vector<Diagnostic> all() const;
};

// The part that was grounded last.
struct GroundedPart {
    const base::SourceMap &sources;
    const language::Program &part;
    const language::Program &program; // what the part was added to; or the part itself
    const asp::Grounder &grounder;
    // Where reading has found something, clingo has nothing to add.
    std::span<const Diagnostic> known;
};

// Cost: linear in the messages; where an atom is undefined, also in the size of the program.
Remarks read_remarks(const GroundedPart &grounded);

// The predicates of which the text of an observation may hold atoms: its heads, its outcomes, what it declares.
std::vector<Predicate> brought_by(const language::Program &observation);
// The same for a text that was not read before; none where it has mistakes.
std::vector<Predicate> brought_by(const Program &program, const std::string &observation);

} // namespace neurasp::inference
