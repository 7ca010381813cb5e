// Texts with placeholders.
#include "base/template_text.hpp"

#include "neurasp/diagnostic.hpp"

#include <gtest/gtest.h>

namespace neurasp::base {
namespace {

std::string filled(std::string_view text, std::vector<std::string_view> cells) {
    std::vector<TemplateMistake> mistakes;
    const TemplateText parsed(text, mistakes);
    EXPECT_TRUE(mistakes.empty());
    std::string out;
    parsed.fill(cells, out);
    return out;
}

// "begin-end message" of each mistake.
std::string mistakes_of(std::string_view text) {
    std::vector<TemplateMistake> mistakes;
    const TemplateText parsed(text, mistakes);
    std::string result;
    for (const TemplateMistake &mistake : mistakes) {
        result += std::to_string(mistake.begin) + "-" + std::to_string(mistake.end) + " " +
                  mistake.message + ";";
    }
    return result;
}

TEST(TemplateText, CellsReplacePlaceholders) {
    EXPECT_EQ(filled(":- not addition(i1,i2,{sum}).", {"7"}), ":- not addition(i1,i2,7).");
    EXPECT_EQ(filled("{a}{b}-{a}", {"1", "", "3"}), "1-3");
    EXPECT_EQ(filled("plain", {}), "plain");
    EXPECT_EQ(filled("", {}), "");
}

TEST(TemplateText, DoubledBracesAreBraces) {
    EXPECT_EQ(filled("{{x({a})}} = 1.", {"{2}"}), "{x({2})} = 1.");
    EXPECT_EQ(filled("{{{a}}}", {"5"}), "{5}");
}

TEST(TemplateText, PlaceholdersKnowTheirPlaces) {
    std::vector<TemplateMistake> mistakes;
    const TemplateText text("p({first},{#}).", mistakes);
    ASSERT_EQ(text.placeholders().size(), 2u);
    EXPECT_EQ(text.placeholders()[0].name, "first");
    EXPECT_EQ(text.placeholders()[0].begin, 3u);
    EXPECT_EQ(text.placeholders()[0].end, 8u);
    EXPECT_EQ(text.placeholders()[1].name, "#");
}

TEST(TemplateText, BracesWithoutPartnersAreMistakes) {
    EXPECT_EQ(mistakes_of("a}b"), "1-2 a '}' without its '{';");
    EXPECT_EQ(mistakes_of("a{b"), "1-2 a '{' without its '}';");
    EXPECT_EQ(mistakes_of("{a\n}"), "0-1 a '{' without its '}';3-4 a '}' without its '{';");
    EXPECT_EQ(mistakes_of("{a{b}"), "0-1 a '{' without its '}';");
}

TEST(TemplateText, AWrongNumberOfCellsIsMisuse) {
    std::vector<TemplateMistake> mistakes;
    const TemplateText text("{a}", mistakes);
    std::string out;
    EXPECT_THROW(text.fill({}, out), ContractError);
}

} // namespace
} // namespace neurasp::base
