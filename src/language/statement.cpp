// Finds and splits ranges of tokens, and turns them back into text.
#include "language/statement.hpp"

namespace neurasp::language {

std::uint32_t Statement::find(TokenRange range, TokenKind wanted) const {
    for (std::uint32_t i = range.begin; i < range.end; i = after(i)) {
        if (tokens[i].kind == wanted) return i;
    }
    return range.end;
}

std::vector<TokenRange> Statement::split(TokenRange range, TokenKind separator) const {
    std::vector<TokenRange> parts;
    if (range.empty()) return parts;
    std::uint32_t begin = range.begin;
    for (std::uint32_t i = range.begin; i < range.end; i = after(i)) {
        if (tokens[i].kind != separator) continue;
        parts.push_back({begin, i});
        begin = i + 1;
    }
    parts.push_back({begin, range.end});
    return parts;
}

std::string clingo_text(const SourceMap &sources, SourceSpan token, TokenKind kind) {
    std::string text(sources.text(token));
    if (kind != TokenKind::number || !text.starts_with("0x")) return text;
    for (char &c : text) {
        if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

std::string joined_text(const SourceMap &sources, const Statement &statement, TokenRange range) {
    // Two words, or two operators, must not grow together into one token.
    enum class Class { word, bracket, operation };
    const auto classify = [](TokenKind kind) {
        if (kind <= TokenKind::keyword_not) return Class::word;
        const bool separates = is_opening(kind) || is_closing(kind) || kind == TokenKind::comma ||
                               kind == TokenKind::semicolon;
        return separates ? Class::bracket : Class::operation;
    };
    std::string result;
    Class before = Class::bracket;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
        const Token token = statement.tokens[i];
        const Class current = classify(token.kind);
        if (current == before && current != Class::bracket) result += ' ';
        result += clingo_text(sources, statement.span(i), token.kind);
        before = current;
    }
    return result;
}

} // namespace neurasp::language
