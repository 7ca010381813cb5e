// Invariants of this layer, broken on purpose.
#include "data/array.hpp"
#include "support/broken_invariant.hpp"

#include <gmock/gmock.h>

namespace neurasp::data {
namespace {

TEST(DataAssertions, SeeAxesThatAreNotAPermutation) {
    NEURASP_NEEDS_ASSERTIONS();
    const Array array({2, 3}, std::vector<float>(6));
    const std::vector<std::vector<std::size_t>> wrong{{0, 0}, {0}, {1, 2}};
    for (const auto &axes : wrong) {
        EXPECT_THAT(test::broken_invariant([&] { permuted(array, axes); }),
                    testing::HasSubstr("the axes are a permutation of the dimensions"));
    }
}

} // namespace
} // namespace neurasp::data
