// Natural numbers, and exact counts of assignments.
#include "circuit/model_count.hpp"

#include "circuit/circuit_support.hpp"
#include "neurasp/diagnostic.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::circuit::test {
namespace {

TEST(Natural, PrintsAllDigits) {
    EXPECT_EQ(Natural().to_string(), "0");
    EXPECT_EQ(Natural(7).to_string(), "7");
    EXPECT_EQ(Natural(1'000'000'000).to_string(), "1000000000");
    EXPECT_EQ(Natural(18446744073709551615U).to_string(), "18446744073709551615");
}

TEST(Natural, AddsWithCarries) {
    EXPECT_EQ((Natural(18446744073709551615U) + Natural(1)).to_string(), "18446744073709551616");
    EXPECT_EQ((Natural(999'999'999) + Natural(1)).to_string(), "1000000000");
    EXPECT_EQ(Natural() + Natural(), Natural());
    EXPECT_EQ(Natural(5) + Natural(), Natural(5));
}

TEST(Natural, MultipliesExactly) {
    Natural factorial(1);
    for (std::uint64_t i = 2; i <= 30; ++i) factorial = factorial * Natural(i);
    EXPECT_EQ(factorial.to_string(), "265252859812191058636308480000000");
    const Natural big(18446744073709551615U);
    EXPECT_EQ((big * big).to_string(), "340282366920938463426481119284349108225");
    EXPECT_TRUE((big * Natural()).is_zero());
}

TEST(Natural, AgreesWithMachineIntegers) {
    base::RandomStream random(40);
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t a = random.bits() >> (32 + random.below(32));
        const std::uint64_t b = random.bits() >> (32 + random.below(32));
        EXPECT_EQ(Natural(a) * Natural(b), Natural(a * b));
        EXPECT_EQ(Natural(a) + Natural(b), Natural(a + b));
        EXPECT_EQ(Natural(a * b).to_string(), std::to_string(a * b));
    }
}

TEST(Natural, BecomesAScaledReal) {
    EXPECT_TRUE(Natural().to_scaled_real().is_zero());
    EXPECT_EQ(Natural(123'456'789'012).to_scaled_real(), base::ScaledReal(123'456'789'012.0L));
}

TEST(ModelCount, CountsAllowedAssignments) {
    base::RandomStream random(41);
    for (int i = 0; i < 300; ++i) {
        const auto circuit = random_smooth_circuit(random);
        std::uint64_t expected = 0;
        for_each_assignment(*circuit, [&](const Outcomes &outcomes) {
            expected += coefficient(*circuit, outcomes).allowed ? 1 : 0;
        });
        EXPECT_EQ(count_assignments(*circuit), Natural(expected));
    }
}

TEST(ModelCount, IsExactForHugeNumbers) {
    const Natural count = count_assignments(chain(200)); // 2^200
    EXPECT_EQ(count.to_string(), "1606938044258990275541962092341162602522202993782792835301376");
    EXPECT_NEAR(count_assignments(chain(5000)).to_scaled_real().log(), 5000 * std::log(2.0), 1e-9);
}

TEST(ModelCount, RequiresASmoothCircuit) {
    Circuit circuit = chain(1);
    circuit.set_smooth(false);
    EXPECT_THROW(count_assignments(circuit), ContractError);
}

} // namespace
} // namespace neurasp::circuit::test
