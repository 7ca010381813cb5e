// Finds the range of a token from the end of the previous one and the parser's position.
#include "data/json_positions.hpp"

#include "data/text_reading.hpp"

#include <algorithm>

namespace neurasp::data {

namespace {

bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.' || c == '_';
}

} // namespace

JsonPositions::JsonPositions(std::string_view text)
    : text_(text), last_end_(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0) {}

ByteRange JsonPositions::take(TokenKind kind) {
    const std::size_t begin = skip_separators(last_end_);
    const std::size_t end = kind == TokenKind::word ? word_end(begin) : std::max(begin, consumed_);
    last_end_ = end;
    return {begin, end};
}

ByteRange JsonPositions::offending() const {
    // The parser stops inside the token; a separator in the wrong place is a token too.
    std::size_t begin = skip_separators(last_end_);
    if (begin >= consumed_ && consumed_ > last_end_) begin = consumed_ - 1;
    std::size_t end = word_end(begin);
    if (end == begin) end = std::max(begin + 1, consumed_);
    return {std::min(begin, text_.size()), std::min(end, text_.size())};
}

std::size_t JsonPositions::skip_separators(std::size_t at) const {
    const std::size_t next = text_.find_first_not_of(" \t\r\n,:", at);
    return std::min(next, text_.size());
}

std::size_t JsonPositions::word_end(std::size_t at) const {
    while (at < text_.size() && is_word(text_[at])) ++at;
    return at;
}

} // namespace neurasp::data
