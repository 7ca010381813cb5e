// Splits a text into tokens, as clingo 5.4 does (see its nongroundlexer), with comments left out.
//
// Decimals exist only in Mode::probability, because elsewhere `1..3` and `p(1).` need the dot.
#pragma once

#include "language/reporter.hpp"
#include "language/token.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace neurasp::language {

// The value of a number's text (decimal, 0x.., 0o.., 0b..); nothing if clingo's 32 bits cannot hold it.
std::optional<std::int32_t> value_of_number(std::string_view text);

class Lexer {
  public:
    enum class Mode { plain, probability };

    // Without a reporter, mistakes are skipped silently (for looking ahead).
    // Requires: `text` is the text of `source` and stays where it is.
    Lexer(std::string_view text, std::uint32_t source, Reporter *reporter)
        : text_(text), source_(source), reporter_(reporter) {}

    // The next token. At the end of the text, every call returns a token of kind `end`.
    Token next(Mode mode = Mode::plain);
    // The raw text from here up to and including `#end`, or a token of kind `end` if there is none.
    Token script_body();

    // A copy that reports nothing.
    Lexer probe() const { return {text_, source_, nullptr, position_}; }

    std::uint32_t position() const noexcept { return position_; }
    void rewind(std::uint32_t position) noexcept { position_ = position; }
    void skip_all() noexcept { position_ = static_cast<std::uint32_t>(text_.size()); }
    std::string_view text(Token token) const {
        return text_.substr(token.begin, token.end - token.begin);
    }
    // The byte at an offset; 0 after the end.
    char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  private:
    Lexer(std::string_view text, std::uint32_t source, Reporter *reporter, std::uint32_t position)
        : text_(text), source_(source), reporter_(reporter), position_(position) {}

    bool skip_blanks();
    void skip_line();
    bool skip_block_comment();
    Token take(TokenKind kind, std::size_t length);
    Token word();
    std::size_t end_of_based_number() const;
    Token number();
    Token probability();
    Token string();
    Token directive();
    Token symbol();
    void stray();
    void error(std::uint32_t begin, std::uint32_t end, std::string message, std::string hint = {});

    std::string_view text_;
    std::uint32_t source_;
    Reporter *reporter_;
    std::uint32_t position_ = 0;
};

} // namespace neurasp::language
