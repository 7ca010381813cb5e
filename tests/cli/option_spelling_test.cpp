// Options in diagnostics: identifiers in the library, flags in the command.
#include "cli/option_spelling.hpp"

#include "base/option_names.hpp"
#include "cli/process.hpp"
#include "support/source_folder.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace neurasp::test {
namespace {

namespace fs = std::filesystem;
using cli::spell_option;

std::string source_text(const fs::path &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The files of the library: all of src/ except the command.
std::vector<fs::path> library_sources() {
    std::vector<fs::path> files;
    const fs::path source = source_folder() / "src";
    for (const auto &entry : fs::recursive_directory_iterator(source)) {
        const std::string folder = fs::relative(entry.path(), source).begin()->string();
        const std::string ending = entry.path().extension().string();
        const bool is_code = ending == ".cpp" || ending == ".hpp";
        if (is_code && folder != "cli") files.push_back(entry.path());
    }
    return files;
}

TEST(OptionSpelling, IsAFlagForEveryIdentifier) {
    for (const std::string_view option : base::option::all) {
        const std::string flag = spell_option(std::string(option), "");
        EXPECT_THAT(flag, testing::MatchesRegex("--[a-z-]+|-[a-z]")) << option;
    }
    EXPECT_EQ(spell_option("allow_script", ""), "--allow-script");
}

TEST(OptionSpelling, PutsTheValueAfterTheFlag) {
    EXPECT_EQ(spell_option("logits", "digit"), "--logits digit");
}

TEST(OptionSpelling, KnowsOnlyFlagsThatTheCommandHas) {
    std::string help;
    for (const char *command : {"prob", "train"}) help += neurasp({command, "--help"}).out;
    for (const std::string_view option : base::option::all) {
        const std::string flag = spell_option(std::string(option), "");
        EXPECT_THAT(help, testing::ContainsRegex(flag + "[ ,]")) << option;
    }
}

TEST(OptionSpelling, IsNotKnownToTheLibrary) {
    // in a string: a flag with two hyphens, or with one after a word; not a style sheet, not code
    const std::regex flag(R"re("[^"\n]*(--[a-z][a-z-]*(?![a-z0-9:-])|[a-z] -[a-z] )[^"\n]*")re");
    const std::vector<fs::path> files = library_sources();
    EXPECT_GT(files.size(), 100U);
    for (const fs::path &file : files) {
        const std::string text = source_text(file);
        for (std::sregex_iterator at(text.begin(), text.end(), flag), end; at != end; ++at) {
            ADD_FAILURE() << file << " names a flag: " << at->str();
        }
    }
}

TEST(OptionSpelling, EveryIdentifierThatTheLibraryUsesIsListed) {
    const std::regex literal(R"re(option = "|, "(allow|ground)_[a-z]+"\))re");
    for (const fs::path &file : library_sources()) {
        if (file.filename() == "option_names.hpp") continue;
        const std::string text = source_text(file);
        EXPECT_FALSE(std::regex_search(text, literal))
            << file << " names an option by a text, not by base::option";
    }
}

class OptionInDiagnostics : public testing::Test {
  protected:
    Folder folder_;
    std::string script_ = folder_.file("script.lp", "#script (lua) #end.\n");
};

TEST_F(OptionInDiagnostics, IsSpelledForPeople) {
    EXPECT_THAT(neurasp({"check", script_}).err,
                testing::HasSubstr("only for programs that you trust (--allow-script)\n"));
}

TEST_F(OptionInDiagnostics, IsAnIdentifierInJson) {
    const auto error = neurasp({"check", script_, "--format", "json"}).error_json();
    const auto &diagnostic = error["error"]["diagnostics"][0];
    EXPECT_EQ(diagnostic["option"], "allow_script");
    EXPECT_THAT(diagnostic["hint"].get<std::string>(), testing::Not(testing::HasSubstr("--")));
}

} // namespace
} // namespace neurasp::test
