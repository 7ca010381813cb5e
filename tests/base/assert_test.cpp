// NEURASP_ASSERT, and assertions of this layer, broken on purpose.
#include "base/assert.hpp"

#include "base/random_stream.hpp"
#include "base/source.hpp"
#include "support/broken_invariant.hpp"

#include <gmock/gmock.h>

namespace neurasp::base {
namespace {

using neurasp::test::broken_invariant;
using testing::HasSubstr;

TEST(Assert, NamesThePlaceTheInvariantAndTheExpression) {
    NEURASP_NEEDS_ASSERTIONS();
    const int count = 3;
    const std::string place = "assert_test.cpp:" + std::to_string(__LINE__ + 1) + ": ";
    const auto text = broken_invariant([&] { NEURASP_ASSERT(count < 2, "there are few"); });
    EXPECT_THAT(text, HasSubstr(place + "broken invariant: there are few [count < 2]"));
}

TEST(Assert, DoesNothingIfTheInvariantHolds) {
    EXPECT_EQ(broken_invariant([] { NEURASP_ASSERT(1 < 2, "numbers are ordered"); }), "");
}

TEST(Assert, EvaluatesItsConditionOnceOrNotAtAll) {
    int evaluated = 0;
    NEURASP_ASSERT(++evaluated > 0, "counting works");
    EXPECT_EQ(evaluated, assertions_are_on ? 1 : 0);
}

TEST(Assert, CatchesASpanOutsideOfItsText) {
    NEURASP_NEEDS_ASSERTIONS();
    SourceMap sources;
    const std::uint32_t source = sources.add("a.lp", "a.");
    for (const SourceSpan span : {SourceSpan{source, 0, 3}, SourceSpan{source, 2, 1}}) {
        EXPECT_THAT(broken_invariant([&] { sources.text(span); }), HasSubstr("a span lies in"));
    }
}

TEST(Assert, CatchesARandomNumberBelowZero) {
    NEURASP_NEEDS_ASSERTIONS();
    EXPECT_THAT(broken_invariant([] { RandomStream(1).below(0); }), HasSubstr("bound"));
}

} // namespace
} // namespace neurasp::base
