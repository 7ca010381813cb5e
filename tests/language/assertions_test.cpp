// Invariants of this layer, broken on purpose.
#include "language/lowered_writer.hpp"
#include "support/broken_invariant.hpp"

#include <gmock/gmock.h>

namespace neurasp::language {
namespace {

TEST(LanguageAssertions, SeePlacesThatAreWrittenOutOfOrder) {
    NEURASP_NEEDS_ASSERTIONS();
    SourceMap sources;
    const std::uint32_t source = sources.add("a.lp", "a. b.");
    LoweredWriter writer(sources);
    writer.begin_unit(source);
    writer.copy({source, 3, 4});
    EXPECT_THAT(neurasp::test::broken_invariant([&] {
                    writer.copy({source, 0, 1});
                }),
                testing::HasSubstr("the places of a unit are written in their order"));
}

} // namespace
} // namespace neurasp::language
