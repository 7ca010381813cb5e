// Which versions of libclingo are supported, and which tables each of them takes. The layouts are those of the header
// clingo.h of each version; check_abi compares them with one.
#include "asp/clingo_call.hpp"

#include <gtest/gtest.h>

namespace neurasp::asp {
namespace {

TEST(ClingoVersion, EachKnownVersionHasItsTables) {
    const ClingoTables oldest{.observer_has_csp = true, .undo_has_a_result = true};
    const ClingoTables with_csp{.observer_has_csp = true, .undo_has_a_result = false};
    const ClingoTables current{.observer_has_csp = false, .undo_has_a_result = false};
    EXPECT_EQ(tables_of_clingo(5, 4), oldest);
    EXPECT_EQ(tables_of_clingo(5, 5), with_csp);
    for (const int minor : {6, 7, 8}) EXPECT_EQ(tables_of_clingo(5, minor), current) << minor;
}

TEST(ClingoVersion, OthersAreRefused) {
    EXPECT_EQ(tables_of_clingo(4, 5), std::nullopt);
    EXPECT_EQ(tables_of_clingo(5, 3), std::nullopt);
    EXPECT_EQ(tables_of_clingo(5, 9), std::nullopt);
    EXPECT_EQ(tables_of_clingo(6, 4), std::nullopt);
}

TEST(ClingoVersion, TheLoadedLibraryIsKnown) {
    const std::string text = clingo_version_text();
    EXPECT_EQ(text.substr(0, 2), "5.");
    EXPECT_EQ(require_supported_clingo(), tables_of_clingo(5, std::stoi(text.substr(2))));
}

} // namespace
} // namespace neurasp::asp
