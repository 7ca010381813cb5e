// Diagnostics as text.
#include "neurasp/diagnostic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace neurasp::test {
namespace {

Diagnostic at(SourceLocation location, std::string source_line) {
    return {Severity::error, "code", "message", std::move(location), std::move(source_line), {}};
}

TEST(Render, ShowsPlaceMessageCodeCaretsAndHint) {
    Diagnostic found = at({"p.lp", 12, 6, 12, 9}, "a :- bcd.");
    found.hint = "do this";
    EXPECT_EQ(render(found), "p.lp:12:6: error: message [code]\n"
                             "  12 | a :- bcd.\n"
                             "     |      ^^^\n"
                             "  hint: do this");
}

TEST(Render, NamesTheSeverity) {
    EXPECT_EQ(render({Severity::warning, "c", "m", {}, {}, {}}), "warning: m [c]");
    EXPECT_EQ(render({Severity::info, "", "m", {}, {}, {}}), "info: m");
}

TEST(Render, LeavesOutLineAndCaretsForWholeFiles) {
    EXPECT_EQ(render(at({"p.lp", 0, 0, 0, 0}, "")), "p.lp: error: message [code]");
    EXPECT_EQ(render(at({"p.lp", 3, 1, 3, 2}, "")), "p.lp:3:1: error: message [code]");
}

TEST(Render, KeepsTabsSoThatCaretsStandBelowTheirText) {
    EXPECT_EQ(render(at({"p", 1, 4, 1, 5}, "\ta\tb")), "p:1:4: error: message [code]\n"
                                                       "  1 | \ta\tb\n"
                                                       "    | \t \t^");
}

TEST(Render, MarksARangeOverLinesUpToTheEndOfTheFirst) {
    EXPECT_EQ(render(at({"p", 1, 3, 2, 1}, "abcde")), "p:1:3: error: message [code]\n"
                                                      "  1 | abcde\n"
                                                      "    |   ^^^");
}

TEST(Render, MarksAnEmptyRangeWithOneCaret) {
    EXPECT_EQ(render(at({"p", 1, 4, 1, 4}, "abc")), "p:1:4: error: message [code]\n"
                                                    "  1 | abc\n"
                                                    "    |    ^");
}

TEST(Render, StaysInsideTheLineWhateverTheRange) {
    for (const SourceLocation &place :
         {SourceLocation{"p", 1, 99, 1, 120}, SourceLocation{"p", 1, 0, 1, 0},
          SourceLocation{"p", 1, 2, 1, 1}, SourceLocation{"p", 1, 2, 0, 0}}) {
        const std::string text = render(at(place, "abc"));
        const std::string carets = text.substr(text.rfind("| ") + 2);
        EXPECT_LE(carets.size(), 4U) << text;
        EXPECT_GE(std::count(carets.begin(), carets.end(), '^'), 1) << text;
    }
}

TEST(Render, ShortensVeryLongLines) {
    const std::string text = render(at({"p", 1, 5000, 1, 5001}, std::string(10'000, 'x')));
    EXPECT_LT(text.size(), 500U);
}

TEST(Render, ShowsThePartOfAVeryLongLineAroundTheCaret) {
    std::string line(10'000, ' ');
    line.replace(7000, 5, "wrong");
    const std::string text = render(at({"p", 1, 7001, 1, 7006}, line));
    const std::string carets = text.substr(text.rfind('\n') + 1);
    const std::string shown = text.substr(text.find('\n') + 1);
    EXPECT_EQ(shown.substr(carets.find('^'), 5), "wrong") << text;
    EXPECT_EQ(std::count(carets.begin(), carets.end(), '^'), 5) << text;
    EXPECT_EQ(shown.substr(0, 9), "  1 | ...") << text;
    EXPECT_LT(text.size(), 500U);
}

TEST(Render, PutsTheCaretRightIfTheStartOfTheLineIsLeftOut) {
    Diagnostic found = at({"p", 1, 1'000'006, 1, 1'000'008}, "abcdefgh");
    found.source_line_start = 1'000'000;
    EXPECT_EQ(render(found), "p:1:1000006: error: message [code]\n"
                             "  1 | ...abcdefgh\n"
                             "    |         ^^");
}

TEST(Render, CutsNoCharacterInTwo) {
    std::string line;
    for (int i = 0; i < 1000; ++i) line += "\u00e4"; // two bytes each
    const std::string text = render(at({"p", 1, 1002, 1, 1003}, line));
    EXPECT_NE(text.find("  1 | ...\u00e4"), std::string::npos) << text;
}

TEST(Render, LetsNoControlCharacterOfTheSourceReachTheTerminal) {
    const std::string text = render(at({"p", 1, 1, 1, 2}, "a\x1b[31m\r\x07 b\x7f"));
    EXPECT_NE(text.find("a?[31m?? b?"), std::string::npos) << text;
}

TEST(Render, LetsNoControlCharacterOfNamesAndMessagesReachTheTerminal) {
    const Diagnostic found{Severity::error,          "c", "atom 'p(\"\x1b[2J\")'\nand more",
                           {"a\x1b.lp", 0, 0, 0, 0}, {},  "see \x07"};
    EXPECT_EQ(render(found), "a?.lp: error: atom 'p(\"?[2J\")'\nand more [c]\n  hint: see ?");
}

TEST(Render, AddsColoursOnRequestOnly) {
    const Diagnostic found = at({"p", 1, 1, 1, 2}, "abc");
    EXPECT_EQ(render(found).find('\x1b'), std::string::npos);
    const std::string coloured = render(found, true);
    EXPECT_NE(coloured.find("\x1b[1;31merror: "), std::string::npos);
    EXPECT_NE(coloured.find("\x1b[1;32m^\x1b[0m"), std::string::npos);
    std::string plain = coloured;
    for (std::size_t i = 0; (i = plain.find('\x1b', i)) != std::string::npos;) {
        plain.erase(i, plain.find('m', i) - i + 1);
    }
    EXPECT_EQ(plain, render(found));
}

TEST(InputError, ShowsAllItsDiagnosticsOneBelowTheOther) {
    const InputError error(std::vector<Diagnostic>{{Severity::error, "a", "one", {}, {}, {}},
                                                   {Severity::warning, "b", "two", {}, {}, {}}});
    EXPECT_STREQ(error.what(), "error: one [a]\nwarning: two [b]");
}

TEST(Render, PutsTheOptionBehindTheHint) {
    Diagnostic diagnostic;
    diagnostic.message = "scripts are not allowed here";
    diagnostic.hint = "allow them";
    diagnostic.option = "allow_script";
    EXPECT_EQ(render(diagnostic),
              "error: scripts are not allowed here\n  hint: allow them (allow_script)");
    diagnostic.option = "logits";
    diagnostic.option_value = "digit";
    diagnostic.hint = "";
    EXPECT_EQ(render(diagnostic), "error: scripts are not allowed here\n  hint: logits digit");
}

TEST(Render, SpellsTheOptionAsTheCallerDoes) {
    Diagnostic diagnostic;
    diagnostic.message = "not a distribution";
    diagnostic.hint = "declare raw scores";
    diagnostic.option = "logits";
    diagnostic.option_value = "digit";
    const auto python = [](const std::string &option, const std::string &value) {
        return option + "=[\"" + value + "\"]";
    };
    EXPECT_EQ(render(diagnostic, false, python),
              "error: not a distribution\n  hint: declare raw scores (logits=[\"digit\"])");
}

TEST(Errors, CarryAHintAndAnOption) {
    const LimitError limit("too large", "allow more", false, "ground_limit");
    EXPECT_EQ(limit.option(), "ground_limit");
    EXPECT_EQ(LimitError("interrupted", "", true).option(), "");
    const EnvironmentError full("disk full", "go on", "resume");
    EXPECT_EQ(full.hint() + " " + full.option(), "go on resume");
    EXPECT_STREQ(full.what(), "disk full");
}

} // namespace
} // namespace neurasp::test
