// "Did you mean ...?"
#include "base/suggest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace neurasp::base::test {
namespace {

std::optional<std::string> among(const std::string &name, std::vector<std::string> candidates) {
    return closest_name(name, candidates);
}

TEST(ClosestName, FindsOneTypo) {
    EXPECT_EQ(among("dgit", {"digit", "label"}), "digit");   // left out
    EXPECT_EQ(among("diggit", {"label", "digit"}), "digit"); // doubled
    EXPECT_EQ(among("dugit", {"label", "digit"}), "digit");  // replaced
    EXPECT_EQ(among("knid", {"label", "kind"}), "kind");     // swapped
}

TEST(ClosestName, FindsTwoTyposInLongNames) {
    EXPECT_EQ(among("identfiy", {"identify", "sol"}), "identify"); // swapped letters
    EXPECT_EQ(among("identfiyx", {"identify"}), "identify");
}

TEST(ClosestName, PrefersTheNearest) {
    EXPECT_EQ(among("digit", {"digits22", "digita", "dig"}), "digita");
}

TEST(ClosestName, TakesTheFirstOfEquallyNearNames) {
    EXPECT_EQ(among("cat", {"bat", "car", "cut"}), "bat");
}

TEST(ClosestName, SuggestsNothingThatIsFarAway) {
    EXPECT_EQ(among("digit", {"label", "edge"}), std::nullopt);
    EXPECT_EQ(among("ab", {"xy"}), std::nullopt);
    EXPECT_EQ(among("digit", {}), std::nullopt);
}

TEST(ClosestName, IgnoresOverlongNames) {
    const std::string longer(65, 'x');
    EXPECT_EQ(among(longer, {longer}), std::nullopt);
    EXPECT_EQ(among(std::string(64, 'x'), {longer, std::string(64, 'x')}), std::string(64, 'x'));
}

} // namespace
} // namespace neurasp::base::test
