// The positions of JSON tokens, for a parser simulated by hand.
#include "data/json_positions.hpp"

#include <gtest/gtest.h>

#include <string>

namespace neurasp::data {
namespace {

// Reads as a parser does: up to and including the byte at `last`.
void consume(JsonPositions::Iterator &at, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) ++at;
}

TEST(JsonPositions, TokensBeginAfterSeparators) {
    JsonPositions positions("{ \"k\" : [1 ,\n-2.5]}");
    auto at = positions.begin();
    consume(at, 1);
    EXPECT_EQ(positions.take(TokenKind::punctuation).begin, 0u);
    consume(at, 4);
    const ByteRange key = positions.take(TokenKind::string);
    EXPECT_EQ(key.begin, 2u);
    EXPECT_EQ(key.end, 5u);
    consume(at, 4);
    EXPECT_EQ(positions.take(TokenKind::punctuation).begin, 8u);
    consume(at, 2);
    const ByteRange one = positions.take(TokenKind::word);
    EXPECT_EQ(one.begin, 9u);
    EXPECT_EQ(one.end, 10u);
    consume(at, 7);
    const ByteRange two = positions.take(TokenKind::word);
    EXPECT_EQ(two.begin, 13u);
    EXPECT_EQ(two.end, 17u);
}

TEST(JsonPositions, AByteOrderMarkIsNotAToken) {
    JsonPositions positions("\xEF\xBB\xBF{}");
    auto at = positions.begin();
    consume(at, 4);
    EXPECT_EQ(positions.take(TokenKind::punctuation).begin, 3u);
}

TEST(JsonPositions, TheOffenderAtTheEndIsEmptyAndInside) {
    const std::string text = "{ ";
    JsonPositions positions(text);
    auto at = positions.begin();
    consume(at, 1);
    positions.take(TokenKind::punctuation);
    consume(at, 1);
    const ByteRange end = positions.offending();
    EXPECT_LE(end.begin, text.size());
    EXPECT_LE(end.end, text.size());
}

} // namespace
} // namespace neurasp::data
