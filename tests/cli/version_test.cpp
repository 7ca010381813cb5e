// `neurasp --version`: the library, clingo, Torch, the commit and the build.
#include "cli/process.hpp"
#include "support/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::test {
namespace {

using nlohmann::json;
using testing::MatchesRegex;

TEST(Version, NamesAllParts) {
    const Result result = neurasp({"--version"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_THAT(result.out,
                MatchesRegex("neurasp [0-9]+\\.[0-9]+\\.[0-9]+\n"
                             "clingo  [0-9.]+\n"
                             "Torch   ([0-9.]+|none \\(built without\\)|[0-9.]+ \\(but .*\\))\n"
                             "commit  ([0-9a-f]+( \\(modified\\))?|unknown)\n"
                             "build   [A-Za-z]+, [A-Za-z]+ [0-9.]+.*\n"));
    EXPECT_EQ(neurasp({"-v"}).out, result.out);
}

TEST(Version, CanBeJson) {
    const json versions = neurasp({"--version", "--format", "json"}).json();
    EXPECT_EQ(schema_violation(load_schema("version"), versions), "") << versions.dump();
    EXPECT_THAT(neurasp({"--version"}).out,
                testing::StartsWith("neurasp " + versions["version"].get<std::string>() + "\n"));
    const bool with_torch = std::filesystem::exists(
        std::filesystem::path(command_path()).replace_filename("neurasp-torch"));
    EXPECT_EQ(versions["torch"].is_string(), with_torch);
    if (versions["commit"].is_string()) {
        EXPECT_THAT(versions["commit"].get<std::string>(), MatchesRegex("[0-9a-f]+"));
    }
}

} // namespace
} // namespace neurasp::test
