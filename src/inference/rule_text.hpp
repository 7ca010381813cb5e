// Ground rules as text for people.
//
// Grounding names what it needs: an aggregate, a condition or a projection becomes an atom without a name, with
// rules of its own, and our lowering adds helper atoms. None of these is ever shown; their definitions stand in
// their place.
#pragma once

#include "asp/rules_by_head.hpp"

#include <string>
#include <vector>

namespace neurasp::inference {

// Whether an atom is one of those that stand for something else.
bool is_auxiliary(const asp::GroundProgram &program, asp::AtomId atom);

// The literals of a body as people like to read them, for grounding does not keep the order: positive ones first, each
// kind in clingo's order of terms.
std::vector<asp::Literal> in_order(const asp::GroundProgram &program,
                                   std::vector<asp::Literal> literals);

class RuleText {
  public:
    // Requires: both outlive this.
    RuleText(const asp::GroundProgram &program, const asp::RulesByHead &by_head)
        : program_(program), by_head_(by_head) {}

    std::string literal(asp::Literal literal) const { return text(literal, 0); }
    // "head :- body."; auxiliary heads are left out, as in a constraint. A long head begins with `first`.
    std::string rule(std::size_t index, asp::AtomId first = {}) const;

  private:
    std::string text(asp::Literal literal, int depth) const;
    std::string definition(asp::AtomId atom, int depth) const;
    std::string body(const asp::RuleView &rule, int depth) const;
    std::string aggregate(const asp::RuleView &rule, int depth) const;
    std::string head(const asp::RuleView &rule, asp::AtomId first) const;

    const asp::GroundProgram &program_;
    const asp::RulesByHead &by_head_;
};

} // namespace neurasp::inference
