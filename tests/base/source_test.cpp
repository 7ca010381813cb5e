// Texts, places in them, and collected diagnostics.
#include "base/source.hpp"

#include <gtest/gtest.h>

namespace neurasp::base::test {
namespace {

TEST(SourceMap, LocatesSpansByLineAndColumnInBytes) {
    SourceMap map;
    const auto id = map.add("p.lp", "ab\ncd\xc3\xa9g\n");
    EXPECT_EQ(map.locate({id, 0, 1}), (SourceLocation{"p.lp", 1, 1, 1, 2}));
    EXPECT_EQ(map.locate({id, 3, 5}), (SourceLocation{"p.lp", 2, 1, 2, 3}));
    EXPECT_EQ(map.locate({id, 7, 8}), (SourceLocation{"p.lp", 2, 5, 2, 6})); // two bytes for é
}

TEST(SourceMap, LocatesSpansOverSeveralLines) {
    SourceMap map;
    const auto id = map.add("p.lp", "a :-\n  b,\n  c.\n");
    EXPECT_EQ(map.locate({id, 0, 14}), (SourceLocation{"p.lp", 1, 1, 3, 5}));
    EXPECT_EQ(map.text({id, 7, 12}), "b,\n  ");
}

TEST(SourceMap, LocatesTheEndOfTheText) {
    SourceMap map;
    const auto with_newline = map.add("a", "x.\n");
    const auto without = map.add("b", "x.");
    EXPECT_EQ(map.locate({with_newline, 3, 3}), (SourceLocation{"a", 2, 1, 2, 1}));
    EXPECT_EQ(map.locate({without, 2, 2}), (SourceLocation{"b", 1, 3, 1, 3}));
}

TEST(SourceMap, NeverEndsASpanBeforeItBegins) {
    SourceMap map;
    const auto id = map.add("p.lp", "abcdef");
    EXPECT_EQ(map.locate({id, 4, 2}), (SourceLocation{"p.lp", 1, 5, 1, 5}));
}

TEST(SourceMap, ReturnsLinesWithoutTheirNewlines) {
    SourceMap map;
    const auto id = map.add("p.lp", "one\r\ntwo\n\nlast");
    EXPECT_EQ(map.line_count(id), 4U);
    EXPECT_EQ(map.line(id, 1), "one");
    EXPECT_EQ(map.line(id, 2), "two");
    EXPECT_EQ(map.line(id, 3), "");
    EXPECT_EQ(map.line(id, 4), "last");
}

TEST(SourceMap, HasNoLinesOutsideTheText) {
    SourceMap map;
    const auto id = map.add("p.lp", "a\n");
    EXPECT_EQ(map.line(id, 0), "");
    EXPECT_EQ(map.line(id, 2), ""); // after the last newline
    EXPECT_EQ(map.line(id, 3), "");
}

TEST(SourceMap, TurnsLinesAndColumnsIntoSpans) {
    SourceMap map;
    const auto id = map.add("p.lp", "ab\r\ncdef\ng");
    EXPECT_EQ(map.span(id, 2, 2, 2, 4), (SourceSpan{id, 5, 7}));
    EXPECT_EQ(map.text(map.span(id, 2, 2, 2, 4)), "de");
    EXPECT_EQ(map.text(map.span(id, 1, 1, 3, 2)), "ab\r\ncdef\ng");
}

TEST(SourceMap, ClampsLinesAndColumnsToTheText) {
    SourceMap map;
    const auto id = map.add("p.lp", "ab\ncd\n");
    EXPECT_EQ(map.span(id, 1, 99, 1, 99), (SourceSpan{id, 2, 2})); // not into the next line
    EXPECT_EQ(map.span(id, 99, 1, 99, 5), (SourceSpan{id, 6, 6}));
    EXPECT_EQ(map.span(id, 0, 0, 0, 0), (SourceSpan{id, 0, 0}));
    EXPECT_EQ(map.span(id, 2, 2, 1, 1), (SourceSpan{id, 4, 4})); // never ends before it begins
}

TEST(SourceMap, RoundTripsEveryOffset) {
    SourceMap map;
    const std::string text = "a\n\nbc\r\n\td\n";
    const auto id = map.add("p.lp", text);
    for (std::uint32_t i = 0; i <= text.size(); ++i) {
        const SourceLocation at = map.locate({id, i, i});
        EXPECT_EQ(map.span(id, at.line, at.column, at.line, at.column), (SourceSpan{id, i, i}));
    }
}

TEST(SourceMap, HoldsAnEmptyText) {
    SourceMap map;
    const auto id = map.add("empty.lp", "");
    EXPECT_EQ(map.line_count(id), 1U);
    EXPECT_EQ(map.locate({id, 0, 0}), (SourceLocation{"empty.lp", 1, 1, 1, 1}));
}

TEST(SourceMap, RefusesNulBytesAndSaysWhere) {
    SourceMap map;
    try {
        map.add("image.png", std::string("ab\nc\0d", 6));
        FAIL() << "no exception";
    } catch (const InputError &error) {
        const Diagnostic &found = error.diagnostics().at(0);
        EXPECT_EQ(found.code, "nul-byte");
        EXPECT_EQ(found.location, (SourceLocation{"image.png", 2, 2, 2, 3}));
    }
}

TEST(SourceMap, FillsInPlaceAndLineOfADiagnostic) {
    SourceMap map;
    const auto id = map.add("p.lp", "a.\r\nb c.\r\n");
    const Diagnostic found =
        map.diagnose(Severity::warning, "syntax", {id, 6, 7}, "unexpected 'c'", "add a comma");
    EXPECT_EQ(found.location, (SourceLocation{"p.lp", 2, 3, 2, 4}));
    EXPECT_EQ(found.source_line, "b c.");
    EXPECT_EQ(found.hint, "add a comma");
    EXPECT_EQ(found.severity, Severity::warning);
}

TEST(SourceMap, KeepsThePartOfAVeryLongLineNearTheSpan) {
    SourceMap map;
    std::string text(3'000'000, 'x');
    text.replace(2'000'000, 5, "wrong");
    const auto id = map.add("p.lp", "a.\n" + text + "\nb.\n");
    const Diagnostic found = map.diagnose(Severity::error, "c", {id, 2'000'003, 2'000'008}, "m");
    EXPECT_EQ(found.location.column, 2'000'001U);
    EXPECT_LE(found.source_line.size(), 1000U);
    EXPECT_EQ(found.source_line.substr(2'000'000 - found.source_line_start, 5), "wrong");
}

TEST(DiagnosticSink, ThrowsAllItsDiagnosticsIfOneIsAnError) {
    DiagnosticSink sink;
    sink.add({Severity::warning, "w", "warning", {}, {}, {}});
    EXPECT_NO_THROW(sink.throw_if_errors());
    sink.add({Severity::error, "e", "error", {}, {}, {}});
    EXPECT_EQ(sink.error_count(), 1U);
    try {
        sink.throw_if_errors();
        FAIL() << "no exception";
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().size(), 2U);
    }
}

} // namespace
} // namespace neurasp::base::test
