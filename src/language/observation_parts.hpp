// The statements of an observation, one by one, if each of them is a fact or a constraint, weak ones included.
// Observations of one kind (a template with different values) share most of their statements, so reading each distinct
// one is enough.
#pragma once

#include "language/edits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::language {

// Cuts a text after every dot that ends a statement, or after the brackets behind it; the parts have no blanks around
// them. Nothing if the text has a comment or does not end with a statement. A cut in a wrong place (a decimal) leaves a part
// that read_part refuses. Cost: linear, without reading statements.
std::optional<std::vector<std::string_view>> cut_at_dots(std::string_view text);

struct ObservationPart {
    enum class Kind { constraint, fact }; // a weak constraint is a constraint, too
    Kind kind = Kind::constraint;
    std::string text; // with blanks only where they are needed
    // Parts of the same kind: the predicate of a fact ("-name/2"), or a constraint without the constants in its
    // arguments (":-not sum(#)."), such as a template leaves it.
    std::string form;
};

// What one statement contributes: a constraint, or facts (one for each tuple of a pool, `p(1;2).`). Nothing if it is
// something else, or has mistakes.
std::optional<std::vector<ObservationPart>> read_part(std::string_view statement);

// Makes a fact or constraint count only if its guard is true (program.hpp). `has_body`: as a lowered constraint has.
void add_guard(const Statement &statement, bool has_body, Edits &edits);
// Declares the guards from 1 to `greatest`.
std::string guard_declaration(std::uint32_t greatest);

} // namespace neurasp::language
