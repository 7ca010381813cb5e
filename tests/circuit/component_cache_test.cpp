// ComponentCache against std::map, with keys that share home slots.
#include "base/random_stream.hpp"
#include "circuit/component_cache.hpp"

#include <gtest/gtest.h>

#include <map>

namespace neurasp::circuit {
namespace {

// Few home slots, so that runs are long and wrap around.
Fingerprint crowded_key(std::uint64_t number) { return {number, number % 7 + 60}; }

TEST(ComponentCache, finds_what_was_inserted_and_not_erased) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        base::RandomStream random(seed);
        ComponentCache cache;
        std::map<std::uint64_t, std::uint32_t> expected;
        for (std::uint32_t step = 0; step < 2000; ++step) {
            const std::uint64_t number = random.below(120);
            if (random.below(3) == 0) {
                cache.erase(crowded_key(number));
                expected.erase(number);
            } else {
                cache.insert(crowded_key(number), step);
                expected[number] = step;
            }
            ASSERT_EQ(cache.size(), expected.size());
        }
        for (std::uint64_t number = 0; number < 120; ++number) {
            const auto place = expected.find(number);
            const auto found = cache.find(crowded_key(number));
            ASSERT_EQ(found.has_value(), place != expected.end());
            if (found) {
                EXPECT_EQ(*found, place->second);
            }
        }
    }
}

TEST(ComponentCache, an_empty_one_knows_nothing) {
    ComponentCache cache;
    cache.erase({1, 2});
    EXPECT_FALSE(cache.find({1, 2}));
    EXPECT_EQ(cache.size(), 0U);
}

TEST(ComponentCache, shrinking_keeps_what_was_found_since_the_last_time) {
    ComponentCache cache;
    const auto key = [](std::uint64_t number) {
        Fingerprint fingerprint;
        fingerprint.add(key_part::variable, number);
        return fingerprint;
    };
    for (std::uint32_t i = 0; i < 1000; ++i) cache.insert(key(i), i);
    for (std::uint32_t i = 0; i < 300; ++i) ASSERT_TRUE(cache.find(key(i)));
    cache.shrink(500);
    EXPECT_EQ(cache.size(), 500U);
    for (std::uint32_t i = 0; i < 300; ++i) EXPECT_EQ(cache.find(key(i)), i);
    cache.shrink(300); // all of those were found again
    cache.shrink(100);
    EXPECT_LE(cache.size(), 100U);
    for (std::uint32_t i = 300; i < 1000; ++i) EXPECT_FALSE(cache.find(key(i)));
}

} // namespace
} // namespace neurasp::circuit
