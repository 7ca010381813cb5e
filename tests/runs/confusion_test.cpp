// Metrics of confusion matrices, counted by hand.
#include "runs/confusion.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::runs {
namespace {

// expected: 4 cats, 2 dogs, no cows; one cat was taken for a cow, one dog for a cat
const Confusion animals{"test", "animal", {"cat", "dog", "cow"}, {3, 0, 1, 1, 1, 0, 0, 0, 0}};

TEST(Confusion, RowsAreExpectedAndColumnsConcluded) {
    EXPECT_EQ(animals.count(0, 2), 1U);
    EXPECT_EQ(animals.count(2, 0), 0U);
    const OutcomeCounts cat = counts_of(animals, 0);
    EXPECT_EQ(cat.expected, 4U);
    EXPECT_EQ(cat.concluded, 4U);
    EXPECT_EQ(cat.right, 3U);
    EXPECT_EQ(recall(cat), 0.75);
    EXPECT_EQ(precision(cat), 0.75);
    EXPECT_EQ(recall(counts_of(animals, 1)), 0.5);
    EXPECT_EQ(precision(counts_of(animals, 1)), 1.0);
    EXPECT_TRUE(std::isnan(recall(counts_of(animals, 2))));
    EXPECT_EQ(precision(counts_of(animals, 2)), 0.0);
}

TEST(Confusion, MeansAreOverTheOutcomesThatOccur) {
    EXPECT_DOUBLE_EQ(balanced_accuracy(animals), (0.75 + 0.5) / 2);
    // F1: cats 6/8, dogs 2/3, cows 0/1
    EXPECT_DOUBLE_EQ(macro_f1(animals), (0.75 + 2.0 / 3.0) / 3);
    const Confusion nothing{"test", "animal", {"cat", "dog"}, {0, 0, 0, 0}};
    EXPECT_TRUE(std::isnan(balanced_accuracy(nothing)));
    EXPECT_TRUE(std::isnan(macro_f1(nothing)));
}

TEST(Confusion, MixupsComeInTheOrderOfTheirCounts) {
    const Confusion digits{"test", "digit", {"0", "1", "2"}, {9, 1, 2, 0, 9, 5, 2, 0, 9}};
    const auto all = mixups(digits, 10);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].expected, 1U);
    EXPECT_EQ(all[0].concluded, 2U);
    EXPECT_EQ(all[0].count, 5U);
    EXPECT_EQ(all[1].expected, 0U); // of equal counts, the first outcome first
    EXPECT_EQ(all[2].expected, 2U);
    EXPECT_EQ(mixups(digits, 2).size(), 2U);
}

} // namespace
} // namespace neurasp::runs
