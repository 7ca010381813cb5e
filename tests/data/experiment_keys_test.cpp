// The table of keys is consistent, and the documentation shows it.
#include "data/experiment_keys.hpp"

#include "experiment_texts.hpp"
#include "support/source_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace neurasp::data {
namespace {

std::string file_text(const std::filesystem::path &path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(ExperimentKeys, PathsAreDistinctAndTheirTablesExist) {
    std::set<std::string_view> seen;
    for (const KeyInfo &key : experiment_keys()) {
        EXPECT_TRUE(seen.insert(key.path).second) << key.path;
        EXPECT_TRUE(key.meaning.ends_with('.')) << key.path;
        const std::size_t dot = key.path.rfind('.');
        if (dot == std::string_view::npos) continue;
        std::string_view parent = key.path.substr(0, dot);
        if (parent.ends_with("[]")) parent.remove_suffix(2);
        EXPECT_NE(find_experiment_key(parent), nullptr) << key.path;
    }
    for (const ExclusiveKeys &group : exclusive_experiment_keys()) {
        for (const std::string_view key : group.keys) {
            const std::string prefix = group.table.empty() ? "" : std::string(group.table) + ".";
            EXPECT_NE(find_experiment_key(prefix + std::string(key)), nullptr) << key;
        }
    }
}

TEST(ExperimentKeys, DefaultsAreAllowedWords) {
    for (const KeyInfo &key : experiment_keys()) {
        if (key.words.empty() || key.fallback.empty()) continue;
        const std::vector<std::string> words = words_of(key.words);
        EXPECT_NE(std::find(words.begin(), words.end(), key.fallback), words.end()) << key.path;
    }
}

std::filesystem::path documentation() {
    return test::source_folder() / "docs" / "experiment-file.md";
}

TEST(ExperimentKeys, TheExampleOfTheDocumentationIsAnExperiment) {
    const std::string document = file_text(documentation());
    const std::string fence = "```toml file=addition.toml\n";
    const std::size_t begin = document.find(fence) + fence.size();
    const std::string text = document.substr(begin, document.find("```", begin) - begin);
    const Experiment experiment = read_experiment(text, "addition.toml");
    EXPECT_EQ(experiment.networks.at(0).spec.preset, "digit-cnn");
    EXPECT_EQ(experiment.splits.size(), 2u);
}

// Compares the table between the two marks with the printed one. If they differ, the new text is written to the
// build folder, and the message says where.
TEST(ExperimentKeys, TheDocumentationHoldsTheTable) {
    const std::string document = file_text(documentation());
    const std::string begin = "<!-- keys: begin -->\n";
    const std::string end = "<!-- keys: end -->";
    const std::size_t from = document.find(begin);
    const std::size_t to = document.find(end);
    ASSERT_NE(from, std::string::npos);
    ASSERT_NE(to, std::string::npos);
    const std::size_t first = from + begin.size();
    const std::string expected =
        document.substr(0, first) + experiment_key_table() + document.substr(to);
    if (expected == document) return;
    const std::string fresh = testing::TempDir() + "experiment-file.md";
    std::ofstream(fresh) << expected;
    FAIL()
        << "docs/experiment-file.md does not hold the table of src/data/experiment_key_list.cpp.\n"
        << "To put it there: cp " << fresh << " docs/experiment-file.md";
}

} // namespace
} // namespace neurasp::data
