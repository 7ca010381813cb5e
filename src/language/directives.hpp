// The names that may follow a `#`.
#pragma once

#include <string>
#include <string_view>

namespace neurasp::language {

// `#true`, `#sum` and the like, which stand inside statements.
bool is_term_directive(std::string_view name);

// `#show`, `#const` and the like, which start a statement (also those that we refuse).
bool is_statement_directive(std::string_view name);

// "did you mean '#show'?", or nothing.
std::string directive_hint(std::string_view name);

} // namespace neurasp::language
