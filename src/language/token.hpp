// Tokens of the language: clingo's, plus decimals in probability position and raw script bodies.
#pragma once

#include <cstdint>

namespace neurasp::language {

enum class TokenKind : std::uint8_t {
    identifier, // also the name of a constant, function, predicate
    variable,
    anonymous, // `_`
    number,    // an integer
    decimal,   // only where a probability may be
    string,
    directive, // `#name`, also `#sum+`
    raw,       // the body of a script, up to and including `#end`
    keyword_not,
    left_paren,
    right_paren,
    left_bracket,
    right_bracket,
    left_brace,
    right_brace,
    dot,
    dots,
    comma,
    semicolon,
    colon,
    implies, // `:-`
    weak,    // `:~`
    bar,
    equal,     // `=` and `==`
    not_equal, // `!=` and `<>`
    order,     // `<`, `<=`, `>`, `>=`
    at,
    tilde,
    minus,
    ampersand,
    arithmetic, // `+`, `*`, `**`, `/`, `\`, `?`, `^`
    end         // of the text
};

// The bytes [begin, end) of the source that is being read.
struct Token {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    TokenKind kind = TokenKind::end;
};

constexpr bool is_opening(TokenKind kind) {
    return kind == TokenKind::left_paren || kind == TokenKind::left_bracket ||
           kind == TokenKind::left_brace;
}

constexpr bool is_closing(TokenKind kind) {
    return kind == TokenKind::right_paren || kind == TokenKind::right_bracket ||
           kind == TokenKind::right_brace;
}

constexpr bool is_relation(TokenKind kind) {
    return kind == TokenKind::equal || kind == TokenKind::not_equal || kind == TokenKind::order;
}

// The closing bracket that belongs to an opening one.
constexpr TokenKind closing_of(TokenKind opening) {
    return static_cast<TokenKind>(static_cast<std::uint8_t>(opening) + 1);
}

} // namespace neurasp::language
