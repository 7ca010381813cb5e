// What is spent on the circuit of a family: lists of models that would be too long are given up early. That the circuits are right
// is shown by tests/training/family_test.cpp and tests/property/families_test.cpp.
#include "inference/family_circuit.hpp"
#include "inference_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

constexpr std::uint32_t statements = 20;

// Each of 20 constraints leaves three of four outcomes, which makes 60 models; the compiler may not take a step.
FamilyCircuit list(std::uint64_t listing, std::uint64_t models) {
    std::vector<FamilyStatement> named;
    FamilySlot slot;
    for (std::uint32_t k = 0; k < statements; ++k) {
        named.push_back({"<observe>", ":- not ok(" + std::to_string(k) + ")."});
        slot.outcomes.push_back({k});
    }
    const auto library = std::make_shared<CircuitLibrary>();
    const FamilyGrounding family = ground_family(Program::from_text(R"(nn(d(1,x),[0,1,2,3]).
ok(K) :- d(0,x,A), K = 0..19, A != K \ 4.)"),
                                                 named, library, {});
    const FamilyRules rules = split_family(family, false);
    base::Budget budget;
    return compile_family(family, rules, {slot}, {1, listing, models}, *library, {}, budget);
}

TEST(FamilyCircuit, IsMadeOfAListThatMayBeLongEnough) {
    const FamilyCircuit made = list(1'000'000, 60);
    ASSERT_TRUE(made.circuit);
    EXPECT_TRUE(made.listed);
    EXPECT_EQ(made.models, 60U);
}

TEST(FamilyCircuit, GivesUpAListThatWouldBeTooLong) {
    const FamilyCircuit made = list(1'000'000, 59);
    EXPECT_FALSE(made.circuit);
    EXPECT_EQ(made.models, 24U); // of the first eight outcomes
}

TEST(FamilyCircuit, ListsNothingWhereSearchesAloneTakeTooLong) {
    const FamilyCircuit made = list(10, 60);
    EXPECT_FALSE(made.circuit);
    EXPECT_EQ(made.models, 0U);
}

} // namespace
} // namespace neurasp::inference::test
