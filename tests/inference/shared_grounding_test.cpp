// Which statements of a shared grounding matter, and that observations which differ in others share what is known. That the
// numbers are right is shown by tests/training/shared_grounding_test.cpp and tests/property/families_test.cpp.
#include "inference/shared_grounding.hpp"
#include "inference_support.hpp"

#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

SharedGrounding shared(const std::string &program, const std::vector<std::string> &statements) {
    std::vector<FamilyStatement> named;
    for (const std::string &statement : statements) named.push_back({"<observe>", statement});
    return {Program::from_text(program), named, std::make_shared<CircuitLibrary>(), {}};
}

const std::vector<std::string> prices{"cost(a,1).", "cost(b,2).", "seen(1).", "seen(2)."};
constexpr const char *take = R"(nn(take(1,x),[a,b]).
:~ take(0,x,V), cost(V,C). [C])";

TEST(SharedGrounding, KnowsThatFactsDoNotMatterWhichNoRuleAsksFor) {
    EXPECT_EQ(shared(take, prices).matters(), (std::vector<bool>{true, true, false, false}));
    // each model of a total choice counts, whatever it is about
    EXPECT_EQ(shared(std::string(take) + "{ z(X) } :- seen(X).", prices).matters(),
              (std::vector<bool>{true, true, true, true}));
}

TEST(SharedGrounding, SearchesOnceForObservationsWhoseDifferencesDoNotMatter) {
    SharedGrounding grounding = shared(take, prices);
    CompileSettings settings;
    settings.optimal = true;
    base::Budget budget;
    const auto entry = [&](const std::vector<std::uint32_t> &statements) {
        return grounding.draft(statements, settings, {}, budget).circuit.entry;
    };
    const auto first = entry({0, 1, 2});
    const std::uint64_t fixpoints = grounding.fixpoints();
    EXPECT_GT(fixpoints, 0U);
    EXPECT_EQ(entry({0, 1, 3}), first);
    EXPECT_EQ(grounding.fixpoints(), fixpoints);
    EXPECT_NE(entry({1, 3}), first) << "a is free";
    EXPECT_GT(grounding.fixpoints(), fixpoints);
}

} // namespace
} // namespace neurasp::inference::test
