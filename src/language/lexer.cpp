// The lexer: bytes to tokens.
//
// It follows clingo 5.4's nongroundlexer, because everything that is not ours must mean to clingo what it means
// to us. In particular block comments nest, inside a block comment a `%` without a star hides the rest of its
// line, `#!` starts a comment, and names may begin with underscores and primes.
//
// Differences from clingo's lexer:
// - Decimals. clingo has none, and `1..3` and `p(1).` need the dot. The caller knows where a probability may be
//   and asks for the next token in Mode::probability.
// - Numbers that do not fit into 32 bits are mistakes, because clingo would silently read a different number.
//   Leading zeros are mistakes as well.
// - The body of a script is one token (`script_body`): scripts are passed on or refused as a whole.
//
// Mistakes do not stop the lexer. A run of bytes that starts no token is reported once and skipped. A string
// that is not closed ends at its line with a dot of width zero: the statement ends there, so the mistake does
// not spoil the next one. Once the reporter is full, the rest of the text is skipped.
//
// Looking ahead. `probe` returns a copy that reports nothing, so no mistake is reported twice. A lexer is a view
// and an offset; copying it costs nothing.
//
// Invariants: a token lies within the text; `next` returns a token of kind `end` for ever once the text is used
// up; the offset only grows, except by `rewind`. Cost: linear in the length of the text.
#include "language/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace neurasp::language {

namespace {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_word(char c) {
    return is_lower(c) || is_upper(c) || is_digit(c) || c == '_' || c == '\'';
}
constexpr bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

struct Operator {
    std::string_view text;
    TokenKind kind;
};

// Longer ones first, so that the first match is the longest.
constexpr std::array operators{
    Operator{"..", TokenKind::dots},         Operator{":-", TokenKind::implies},
    Operator{":~", TokenKind::weak},         Operator{"**", TokenKind::arithmetic},
    Operator{"!=", TokenKind::not_equal},    Operator{"<>", TokenKind::not_equal},
    Operator{"<=", TokenKind::order},        Operator{">=", TokenKind::order},
    Operator{"==", TokenKind::equal},        Operator{"(", TokenKind::left_paren},
    Operator{")", TokenKind::right_paren},   Operator{"[", TokenKind::left_bracket},
    Operator{"]", TokenKind::right_bracket}, Operator{"{", TokenKind::left_brace},
    Operator{"}", TokenKind::right_brace},   Operator{".", TokenKind::dot},
    Operator{",", TokenKind::comma},         Operator{";", TokenKind::semicolon},
    Operator{":", TokenKind::colon},         Operator{"|", TokenKind::bar},
    Operator{"=", TokenKind::equal},         Operator{"<", TokenKind::order},
    Operator{">", TokenKind::order},         Operator{"@", TokenKind::at},
    Operator{"~", TokenKind::tilde},         Operator{"-", TokenKind::minus},
    Operator{"&", TokenKind::ampersand},     Operator{"+", TokenKind::arithmetic},
    Operator{"*", TokenKind::arithmetic},    Operator{"/", TokenKind::arithmetic},
    Operator{"\\", TokenKind::arithmetic},   Operator{"?", TokenKind::arithmetic},
    Operator{"^", TokenKind::arithmetic},
};

} // namespace

std::optional<std::int32_t> value_of_number(std::string_view text) {
    int base = 10;
    if (text.starts_with("0x")) base = 16;
    if (text.starts_with("0o")) base = 8;
    if (text.starts_with("0b")) base = 2;
    if (base != 10) text.remove_prefix(2);
    std::int32_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return {};
    return value;
}

Token Lexer::next(Mode mode) {
    // Once no more mistakes are taken, the rest of the text is not worth reading.
    if (reporter_ != nullptr && reporter_->full()) skip_all();
    while (skip_blanks()) {
        const char c = at(position_);
        const char following = at(position_ + std::size_t{1});
        if (is_digit(c) || (c == '.' && is_digit(following) && mode == Mode::probability)) {
            return mode == Mode::probability ? probability() : number();
        }
        if (is_word(c)) {
            const Token token = word();
            if (token.kind != TokenKind::end) return token;
        } else if (c == '"') {
            return string();
        } else if (c == '#') {
            return directive();
        } else {
            const Token token = symbol();
            if (token.kind != TokenKind::end) return token;
        }
        stray();
        if (reporter_ != nullptr && reporter_->full()) skip_all();
    }
    return take(TokenKind::end, 0);
}

Token Lexer::script_body() {
    const std::size_t found = text_.find("#end", position_);
    if (found == std::string_view::npos) {
        position_ = static_cast<std::uint32_t>(text_.size());
        return take(TokenKind::end, 0);
    }
    return take(TokenKind::raw, found + 4 - position_);
}

// Skips white space and comments; false at the end of the text.
bool Lexer::skip_blanks() {
    while (position_ < text_.size()) {
        const char c = text_[position_];
        const char following = at(position_ + std::size_t{1});
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            ++position_;
        } else if (c == '%' && following == '*') {
            if (!skip_block_comment()) return false;
        } else if (c == '%' || (c == '#' && following == '!')) {
            skip_line();
        } else {
            return true;
        }
    }
    return false;
}

void Lexer::skip_line() {
    const std::size_t newline = std::min(text_.find('\n', position_), text_.size());
    position_ = static_cast<std::uint32_t>(newline);
}

// Block comments nest, and in one a `%` without a star hides the rest of its line, as in clingo.
bool Lexer::skip_block_comment() {
    const std::uint32_t begin = position_;
    std::size_t depth = 0;
    while (position_ < text_.size()) {
        const char c = text_[position_];
        const char following = at(position_ + std::size_t{1});
        if (c == '%' && following == '*') {
            ++depth;
            position_ += 2;
        } else if (c == '*' && following == '%') {
            --depth;
            position_ += 2;
            if (depth == 0) return true;
        } else if (c == '%') {
            skip_line();
        } else {
            ++position_;
        }
    }
    error(begin, begin + 2, "this comment is never closed: expected '*%'",
          "inside a block comment, a '%' without a star hides the rest of its line");
    return false;
}

Token Lexer::take(TokenKind kind, std::size_t length) {
    const std::uint32_t begin = position_;
    position_ += static_cast<std::uint32_t>(length);
    return {begin, position_, kind};
}

// An identifier, a variable, `not` or `_`; a token of kind `end` if none of them begins here.
Token Lexer::word() {
    std::size_t start = position_;
    while (at(start) == '_' || at(start) == '\'') ++start;
    std::size_t end = start;
    while (is_word(at(end))) ++end;
    const std::size_t length = end - position_;
    if (is_lower(at(start))) {
        const bool is_not = text_.substr(position_, length) == "not";
        return take(is_not ? TokenKind::keyword_not : TokenKind::identifier, length);
    }
    if (is_upper(at(start))) return take(TokenKind::variable, length);
    if (at(position_) == '_' && start == position_ + std::size_t{1}) {
        return take(TokenKind::anonymous, 1);
    }
    return {position_, position_, TokenKind::end};
}

// The end of the hexadecimal, octal or binary number that begins here; this place if none does.
std::size_t Lexer::end_of_based_number() const {
    const auto run = [&](auto accepts) {
        std::size_t end = position_ + 2;
        while (accepts(at(end))) ++end;
        return end > position_ + 2 ? end : position_;
    };
    if (at(position_) != '0') return position_;
    switch (at(position_ + 1)) {
    case 'x': return run(is_hex);
    case 'o': return run([](char c) { return c >= '0' && c <= '7'; });
    case 'b': return run([](char c) { return c == '0' || c == '1'; });
    default: return position_;
    }
}

Token Lexer::number() {
    std::size_t end = end_of_based_number();
    if (end == position_) {
        while (is_digit(at(end))) ++end;
    }
    const std::string_view text = text_.substr(position_, end - position_);
    const auto last = static_cast<std::uint32_t>(end);
    if (text.size() > 1 && text.front() == '0' && is_digit(text[1])) {
        error(position_, last, "expected a number without leading zeros, found " + in_quotes(text));
    } else if (!value_of_number(text)) {
        error(position_, last, "expected a number up to 2147483647, found " + in_quotes(text),
              "clingo's integers have 32 bits, so it would read a different number");
    }
    return take(TokenKind::number, end - position_);
}

// digits, digits.digits, .digits, each with an optional exponent. `1..3` starts with the number 1.
Token Lexer::probability() {
    if (end_of_based_number() > position_) return number();
    std::size_t end = position_;
    TokenKind kind = TokenKind::number;
    while (is_digit(at(end))) ++end;
    if (at(end) == '.' && is_digit(at(end + 1))) {
        kind = TokenKind::decimal;
        ++end;
        while (is_digit(at(end))) ++end;
    }
    if (at(end) == 'e' || at(end) == 'E') {
        const std::size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
        if (is_digit(at(end + 1 + sign))) {
            kind = TokenKind::decimal;
            end += 2 + sign;
            while (is_digit(at(end))) ++end;
        }
    }
    return take(kind, end - position_);
}

// A string that is not closed on its line ends the statement, as if the line ended with a dot.
Token Lexer::string() {
    std::size_t end = position_ + std::size_t{1};
    while (end < text_.size() && text_[end] != '\n') {
        const char c = text_[end];
        if (c == '"') return take(TokenKind::string, end + 1 - position_);
        if (c != '\\') {
            ++end;
            continue;
        }
        const char escaped = at(end + 1);
        if (escaped == '\n') break;
        if (escaped != '\\' && escaped != '"' && escaped != 'n' && end + 1 < text_.size()) {
            error(static_cast<std::uint32_t>(end), static_cast<std::uint32_t>(end + 2),
                  "expected one of the escapes \\\\, \\\" and \\n in a string, found " +
                      in_quotes(text_.substr(end, 2)));
        }
        end += 2;
    }
    end = std::min(end, text_.size());
    error(position_, static_cast<std::uint32_t>(end), "this string is not closed on its line",
          "write '\"' at its end; a newline in a string is written \\n");
    position_ = static_cast<std::uint32_t>(end);
    return take(TokenKind::dot, 0);
}

Token Lexer::directive() {
    std::size_t end = position_ + std::size_t{1};
    while (is_word(at(end)) && at(end) != '\'') ++end;
    if (text_.substr(position_, end - position_) == "#sum" && at(end) == '+') ++end;
    return take(TokenKind::directive, end - position_);
}

Token Lexer::symbol() {
    for (const Operator &candidate : operators) {
        if (text_.substr(position_, candidate.text.size()) == candidate.text) {
            return take(candidate.kind, candidate.text.size());
        }
    }
    return {position_, position_, TokenKind::end};
}

// Skips a run of bytes that start no token, and reports it once.
void Lexer::stray() {
    const std::uint32_t begin = position_;
    const bool ascii = static_cast<unsigned char>(text_[begin]) < 0x80;
    ++position_;
    while (!ascii && static_cast<unsigned char>(at(position_)) >= 0x80) ++position_;
    if (reporter_ == nullptr) return;
    const std::string_view found = text_.substr(begin, position_ - begin);
    std::string hint;
    if (found == "$") hint = "clingo's constraint terms ('$') are not supported";
    if (!ascii) hint = "letters outside ASCII are allowed only in strings and comments";
    error(begin, position_, "unexpected character " + in_quotes(found), std::move(hint));
}

void Lexer::error(std::uint32_t begin, std::uint32_t end, std::string message, std::string hint) {
    if (reporter_ == nullptr) return;
    reporter_->error("syntax", {source_, begin, end}, std::move(message), std::move(hint));
}

} // namespace neurasp::language
