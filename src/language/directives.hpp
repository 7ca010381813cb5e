// The names that may follow a `#`.
#pragma once

#include <string>
#include <string_view>

namespace neurasp::language {

// `#true`, `#sum` and others that occur inside statements.
bool is_term_directive(std::string_view name);

// `#show`, `#const` and others that start a statement, including those that we refuse.
bool is_statement_directive(std::string_view name);

// A hint for an unknown directive, such as "did you mean '#show'?"; may be empty.
std::string directive_hint(std::string_view name);

} // namespace neurasp::language
