// The positions of the tokens of a JSON text, for a parser that does not report them (nlohmann's SAX parser).
//
// The parser reads the text through `JsonPositions::Iterator`, which counts. When the parser reports a
// token, `take` finds its range: it begins where the last one ended, after white space, commas and
// colons (which are not reported), and ends at the parser's position. For numbers and literals the parser
// may have read one byte more, so their end is found by looking at the bytes.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace neurasp::data {

enum class TokenKind { punctuation, string, word };

struct ByteRange {
    std::size_t begin = 0;
    std::size_t end = 0;
};

class JsonPositions {
  public:
    explicit JsonPositions(std::string_view text);
    JsonPositions(const JsonPositions &) = delete;
    JsonPositions &operator=(const JsonPositions &) = delete;

    // An input iterator over the text that tells its owner how far the parser has read.
    class Iterator {
      public:
        using difference_type = std::ptrdiff_t;
        using value_type = char;
        using pointer = const char *;
        using reference = const char &;
        using iterator_category = std::input_iterator_tag;

        Iterator(const char *at, JsonPositions *owner) : at_(at), owner_(owner) {}
        reference operator*() const { return *at_; }
        Iterator &operator++() {
            ++at_;
            ++owner_->consumed_;
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator &a, const Iterator &b) { return a.at_ == b.at_; }

      private:
        const char *at_;
        JsonPositions *owner_;
    };

    Iterator begin() { return {text_.data(), this}; }
    Iterator end() { return {text_.data() + text_.size(), this}; }

    // The range of the token that the parser has just reported. Call it once for each token, in order.
    ByteRange take(TokenKind kind);
    // The range of the token that the parser cannot go past (or could not take as a number).
    ByteRange offending() const;

  private:
    std::size_t skip_separators(std::size_t at) const;
    std::size_t word_end(std::size_t at) const;

    std::string_view text_;
    std::size_t consumed_ = 0;
    std::size_t last_end_ = 0;
};

} // namespace neurasp::data
