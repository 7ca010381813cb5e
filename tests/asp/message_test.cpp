// clingo's messages, parsed and turned into diagnostics.
#include "asp/ground_message.hpp"

#include <gtest/gtest.h>

#include <array>

namespace neurasp::asp::test {
namespace {

using Kind = GroundMessage::Kind;
using Place = std::array<std::uint32_t, 4>;

Place place(const GroundMessage &m) { return {m.line, m.column, m.end_line, m.end_column}; }

TEST(ParseMessage, ReadsARangeInOneLine) {
    const auto message =
        parse_message("<block>:3:9-10: error: syntax error, unexpected <IDENTIFIER>\n");
    EXPECT_EQ(place(message), (Place{3, 9, 3, 10}));
    EXPECT_EQ(message.kind, Kind::error);
    EXPECT_EQ(message.text, "syntax error, unexpected <IDENTIFIER>");
}

TEST(ParseMessage, ReadsARangeOverLines) {
    const auto message = parse_message("<block>:3:9-4:2: warning: something");
    EXPECT_EQ(place(message), (Place{3, 9, 4, 2}));
    EXPECT_EQ(message.kind, Kind::warning);
    EXPECT_EQ(message.text, "something");
}

TEST(ParseMessage, ReadsASinglePlace) {
    const auto message = parse_message("<block>:12:34: info: text");
    EXPECT_EQ(place(message), (Place{12, 34, 12, 35}));
    EXPECT_EQ(message.kind, Kind::info);
    EXPECT_EQ(message.text, "text");
}

TEST(ParseMessage, ReadsMessagesWithoutPlace) {
    const auto message = parse_message("error: something is wrong\n");
    EXPECT_EQ(place(message), (Place{0, 0, 0, 0}));
    EXPECT_EQ(message.kind, Kind::error);
    EXPECT_EQ(message.text, "something is wrong");
}

TEST(ParseMessage, KeepsTextThatOnlyLooksLikeAPlace) {
    for (const char *text : {"<block>", "<block>:", "<block>:x:1: error", "<block>:1",
                             "<block>:1:", "<block>:1:2-", "file.lp:1:2-3: error: x"}) {
        const auto message = parse_message(text);
        EXPECT_EQ(message.line, 0U) << text;
        EXPECT_EQ(message.text, text);
    }
}

TEST(ParseMessage, KeepsSeveralLines) {
    const auto message = parse_message("<block>:1:1-3: error: unsafe variables in:\n  a(X).\n");
    EXPECT_EQ(message.text, "unsafe variables in:\n  a(X).");
}

TEST(ParseMessage, TurnsFurtherPlacesIntoNotes) {
    const auto message =
        parse_message("<block>:1:1-9: error: unsafe variables in:\n  a(X,Y):-[#inc_base].\n"
                      "<block>:1:3-4: note: 'X' is unsafe\n<block>:2:5-6: note: 'Y' is unsafe\n");
    EXPECT_EQ(place(message), (Place{1, 1, 1, 9}));
    EXPECT_EQ(message.text, "unsafe variables in:\n  a(X,Y).");
    ASSERT_EQ(message.notes.size(), 2U);
    EXPECT_EQ(message.notes[0].text, "'X' is unsafe");
    EXPECT_EQ(place(message.notes[1]), (Place{2, 5, 2, 6}));
}

TEST(ParseMessage, LeavesOutClingosBookkeepingAtoms) {
    EXPECT_EQ(parse_message("a(X):-[#inc_base];not b(X).").text, "a(X):-not b(X).");
}

TEST(ParseMessage, KnowsWhatIsUndefined) {
    using Topic = GroundMessage::Topic;
    const auto topic = [](const char *text) { return parse_message(text).topic; };
    EXPECT_EQ(topic("<block>:1:4-7: info: atom does not occur in any rule head:\n  foo\n"),
              Topic::undefined_atom);
    EXPECT_EQ(topic("<block>:1:1-9: info: no atoms over signature occur in program:\n  a/1\n"),
              Topic::undefined_signature);
    EXPECT_EQ(topic("<block>:1:3-7: info: interval undefined:\n  1..n\n"),
              Topic::undefined_operation);
    EXPECT_EQ(topic("<block>:1:3-7: info: operation undefined:\n  (1*X+1)\n"),
              Topic::undefined_operation);
    EXPECT_EQ(topic("<block>:1:3-7: info: tuple ignored:\n  n@1\n"), Topic::undefined_operation);
    EXPECT_EQ(topic("<block>:1:3-7: info: something else"), Topic::other);
}

TEST(UndefinedPredicate, HasNameAritySign) {
    const auto predicate = [](const std::string &atom) {
        return undefined_predicate(
                   parse_message("<block>:1:4-7: info: atom does not occur in any rule head:"
                                 "\n  " +
                                 atom + "\n"))
            .text();
    };
    EXPECT_EQ(predicate("foo"), "foo/0");
    EXPECT_EQ(predicate("-foo(X)"), "-foo/1");
    EXPECT_EQ(predicate("foo((X,Y),f(1,2),\"a,\\\",(\")"), "foo/3");
    EXPECT_EQ(undefined_predicate(
                  parse_message("info: no atoms over signature occur in program:\n  -sh/2\n")),
              (Predicate{"sh", 2, true}));
}

TEST(ParseMessage, SurvivesNumbersThatAreTooLarge) {
    EXPECT_EQ(parse_message("<block>:99999999999:1: error: x").line, 0U);
    EXPECT_EQ(parse_message("").text, "");
}

// The diagnostic for a message about `text`, which clingo got unchanged.
Diagnostic shown(const std::string &text, const std::string &message) {
    base::SourceMap sources;
    const std::uint32_t source = sources.add("p.lp", text);
    return to_diagnostic(parse_message(message), sources,
                         [&](std::uint32_t line, std::uint32_t column, std::uint32_t end_line,
                             std::uint32_t end_column) {
                             return sources.span(source, line, column, end_line, end_column);
                         });
}

TEST(ToDiagnostic, PointsToThePlaceOfTheUser) {
    const auto found = shown("a.\n  b(X).\n", "<block>:2:3-7: error: something is wrong");
    EXPECT_EQ(found.severity, Severity::error);
    EXPECT_EQ(found.code, "clingo-error");
    EXPECT_EQ(found.message, "something is wrong");
    EXPECT_EQ(found.location, (SourceLocation{"p.lp", 2, 3, 2, 7}));
    EXPECT_EQ(found.source_line, "  b(X).");
    EXPECT_EQ(found.hint, "");
}

TEST(ToDiagnostic, KnowsWarningsAndInfos) {
    EXPECT_EQ(shown("a.", "<block>:1:1-2: warning: odd").severity, Severity::warning);
    EXPECT_EQ(shown("a.", "<block>:1:1-2: warning: odd").code, "clingo-warning");
    EXPECT_EQ(shown("a.", "<block>:1:1-2: info: odd").severity, Severity::info);
    EXPECT_EQ(shown("a.", "<block>:1:1-2: info: odd").code, "clingo-info");
}

TEST(ToDiagnostic, NamesNoPlaceWhereClingoNamedNone) {
    const auto found = shown("a.", "error: something is wrong");
    EXPECT_EQ(found.message, "something is wrong");
    EXPECT_EQ(found.location, SourceLocation{});
}

TEST(ToDiagnostic, NamesUnsafeVariablesInsteadOfTheRule) {
    const auto found = shown("a(X,\n  Y).", "<block>:1:1-2:6: error: unsafe variables in:\n"
                                            "  a(X,Y):-[#inc_base].\n"
                                            "<block>:1:3-4: note: 'X' is unsafe\n"
                                            "<block>:2:3-4: note: 'Y' is unsafe\n");
    EXPECT_EQ(found.message, "unsafe variables: 'X' is unsafe (line 1, column 3), 'Y' is unsafe "
                             "(line 2, column 3)");
    EXPECT_NE(found.hint.find("not negated"), std::string::npos) << found.hint;
}

TEST(ToDiagnostic, AsksForADotThatMayBeMissing) {
    const std::string unexpected = "error: syntax error, unexpected <IDENTIFIER>";
    EXPECT_EQ(shown("a\n% b\n\nc.", "<block>:4:1-2: " + unexpected).hint,
              "is the '.' missing at the end of line 1?");
    // not if the statement before continues, nor for a mistake in the middle of a line
    EXPECT_EQ(shown("a :-\nc c.", "<block>:2:1-2: " + unexpected).hint, "");
    EXPECT_EQ(shown("a\nb c.", "<block>:2:3-4: " + unexpected).hint, "");
}

} // namespace
} // namespace neurasp::asp::test
