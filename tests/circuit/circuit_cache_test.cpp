// The cache of circuits in memory.
#include "circuit/circuit_cache.hpp"

#include "circuit/circuit_support.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace neurasp::circuit::test {
namespace {

std::shared_ptr<const Circuit> make(std::uint32_t variables) {
    return std::make_shared<const Circuit>(chain(variables));
}

TEST(CircuitCache, FindsWhatWasPut) {
    CircuitCache cache(1'000'000);
    const auto circuit = make(3);
    EXPECT_EQ(cache.find({1, 2}), nullptr);
    cache.put({1, 2}, circuit);
    EXPECT_EQ(cache.find({1, 2}), circuit);
    EXPECT_EQ(cache.find({2, 1}), nullptr);
    EXPECT_EQ(cache.bytes(), memory_of(*circuit));
}

TEST(CircuitCache, DropsTheLeastRecentlyUsed) {
    const std::size_t one = memory_of(*make(10));
    CircuitCache cache(3 * one);
    for (std::uint64_t i = 0; i < 3; ++i) cache.put({0, i}, make(10));
    EXPECT_NE(cache.find({0, 0}), nullptr); // now 1 is the oldest
    cache.put({0, 3}, make(10));
    EXPECT_EQ(cache.size(), 3U);
    EXPECT_EQ(cache.find({0, 1}), nullptr);
    for (const std::uint64_t i : {0U, 2U, 3U}) EXPECT_NE(cache.find({0, i}), nullptr);
    EXPECT_EQ(cache.bytes(), 3 * one);
}

TEST(CircuitCache, MakesRoomForLargeOnes) {
    CircuitCache cache(memory_of(*make(100)));
    for (std::uint64_t i = 0; i < 5; ++i) cache.put({0, i}, make(5));
    const auto large = make(100);
    cache.put({1, 0}, large);
    EXPECT_EQ(cache.size(), 1U);
    EXPECT_EQ(cache.find({1, 0}), large);
}

TEST(CircuitCache, DoesNotKeepACircuitLargerThanItself) {
    CircuitCache cache(memory_of(*make(10)));
    cache.put({0, 0}, make(10));
    cache.put({0, 1}, make(100));
    EXPECT_EQ(cache.find({0, 1}), nullptr);
    EXPECT_NE(cache.find({0, 0}), nullptr);
}

TEST(CircuitCache, ReplacesACircuitOfTheSameKey) {
    CircuitCache cache(1'000'000);
    const auto second = make(4);
    cache.put({0, 0}, make(3));
    cache.put({0, 0}, second);
    EXPECT_EQ(cache.find({0, 0}), second);
    EXPECT_EQ(cache.size(), 1U);
    EXPECT_EQ(cache.bytes(), memory_of(*second));
}

TEST(CircuitCache, ServesManyThreads) {
    CircuitCache cache(5 * memory_of(*make(10)));
    std::vector<std::thread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
        threads.emplace_back([&cache, t] {
            for (std::uint64_t i = 0; i < 500; ++i) {
                cache.put({0, (i + t) % 9}, make(10));
                const auto found = cache.find({0, i % 9});
                EXPECT_TRUE(!found || found->variable_count() == 10U);
            }
        });
    }
    for (std::thread &thread : threads) thread.join();
    EXPECT_LE(cache.size(), 5U);
}

} // namespace
} // namespace neurasp::circuit::test
