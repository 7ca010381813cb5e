// Names in terms that a #const could give a value.
#include "language/bare_names.hpp"

#include "language/lexer.hpp"

namespace neurasp::language {

std::vector<std::string> bare_names(std::string_view term) {
    Lexer lexer(term, 0, nullptr);
    std::vector<std::string> names;
    std::size_t depth = 0; // of brackets within the arguments of a function
    for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next()) {
        if (depth > 0) {
            if (token.kind == TokenKind::left_paren) ++depth;
            if (token.kind == TokenKind::right_paren) --depth;
        } else if (token.kind == TokenKind::identifier) {
            const bool is_function = lexer.probe().next().kind == TokenKind::left_paren;
            if (!is_function) {
                names.emplace_back(lexer.text(token));
                continue;
            }
            lexer.next();
            depth = 1;
        }
    }
    return names;
}

} // namespace neurasp::language
