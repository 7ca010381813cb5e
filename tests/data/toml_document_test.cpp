// TOML trees with places, and values set from outside.
#include "data/toml_document.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace neurasp::data {
namespace {

// "line:column-line:column" of a span.
std::string place(const TomlDocument &document, base::SourceSpan span) {
    const SourceLocation at = document.sources().locate(span);
    return std::to_string(at.line) + ":" + std::to_string(at.column) + "-" +
           std::to_string(at.end_line) + ":" + std::to_string(at.end_column);
}

Diagnostic toml_error(const std::string &text, std::string_view assignment = {}) {
    try {
        TomlDocument document(text, "x.toml");
        if (!assignment.empty()) document.assign(assignment);
    } catch (const InputError &error) {
        return error.diagnostics().front();
    }
    return {};
}

std::string error_place(const std::string &text, std::string_view assignment = {}) {
    const Diagnostic error = toml_error(text, assignment);
    return error.location.file + ":" + std::to_string(error.location.line) + ":" +
           std::to_string(error.location.column) + " " + error.code;
}

TEST(TomlDocument, EntriesAreInTheOrderOfTheText) {
    const TomlDocument document("z = 1\na = 2\n[m]\nq = 3\nb = 4\n[c]\n", "x.toml");
    std::string keys;
    for (const TomlEntry &entry : document.root().entries) keys += entry.key;
    EXPECT_EQ(keys, "zamc");
    EXPECT_EQ(document.root().find("m")->value.entries[0].key, "q");
    EXPECT_EQ(document.root().find("none"), nullptr);
}

TEST(TomlDocument, ReadsEveryKindOfValue) {
    const TomlDocument document(
        "t = 'x'\ni = -3\nn = 0.5\nb = true\nd = 1979-05-27\nl = [1, 'a']\ninline = {k = 1}", "x");
    const TomlValue &root = document.root();
    EXPECT_EQ(root.find("t")->value.text, "x");
    EXPECT_EQ(root.find("i")->value.integer, -3);
    EXPECT_EQ(root.find("i")->value.number, -3.0);
    EXPECT_EQ(root.find("n")->value.number, 0.5);
    EXPECT_TRUE(root.find("b")->value.boolean);
    EXPECT_EQ(root.find("d")->value.kind, TomlKind::time);
    EXPECT_EQ(root.find("l")->value.items[1].text, "a");
    EXPECT_TRUE(root.find("inline")->value.is_inline);
}

TEST(TomlDocument, KnowsThePlacesOfKeysAndValues) {
    const TomlDocument document("a = 'x'  # c\n[n.d]\n  k  =  [1,\n 2]\n", "x.toml");
    const TomlEntry &a = *document.root().find("a");
    EXPECT_EQ(place(document, a.at), "1:1-1:2");
    EXPECT_EQ(place(document, a.value.at), "1:5-1:8");
    const TomlEntry &d = *document.root().find("n")->value.find("d");
    EXPECT_EQ(place(document, d.at), "2:4-2:5");
    EXPECT_EQ(place(document, d.value.at), "2:1-2:6");
    EXPECT_EQ(place(document, d.value.find("k")->value.at), "3:9-4:4");
}

TEST(TomlDocument, ColumnsCountBytes) {
    const TomlDocument document("\"ä\" = 'öö' # é\nb = 1", "x.toml");
    EXPECT_EQ(place(document, document.root().entries[0].at), "1:1-1:5");
    EXPECT_EQ(place(document, document.root().entries[0].value.at), "1:8-1:14");
    EXPECT_EQ(place(document, document.root().entries[1].at), "2:1-2:2");
}

TEST(TomlDocument, SyntaxErrorsHaveTheirPlace) {
    EXPECT_EQ(error_place("a = "), "x.toml:1:5 toml-syntax");
    EXPECT_EQ(error_place("a = 5x"), "x.toml:1:6 toml-syntax");
    EXPECT_EQ(error_place("b = 1\na = [1, 2"), "x.toml:2:10 toml-syntax");
    EXPECT_EQ(error_place("a = 1\na = 2"), "x.toml:2:5 toml-syntax");
    EXPECT_EQ(error_place("[a]\n[a]"), "x.toml:2:1 toml-syntax");
    EXPECT_EQ(error_place("a = word"), "x.toml:1:5 toml-syntax");
    EXPECT_EQ(error_place("\"ä\" = 'ö' x"), "x.toml:1:13 toml-syntax");
    EXPECT_EQ(error_place("a = 'x'\nb = \"\xff\""), "x.toml:2:5 toml-syntax");
    EXPECT_EQ(error_place("[$]"), "x.toml:1:2 toml-syntax");
    EXPECT_EQ(error_place(std::string("a = 1\n\0", 7)), "x.toml:2:1 nul-byte");
    EXPECT_EQ(toml_error("a = word").source_line, "a = word");
    EXPECT_EQ(toml_error("a = word").hint, "texts are written in quotes: key = \"text\"");
}

TEST(TomlDocument, LettersBeyondAsciiAreNotBlanks) {
    const TomlDocument document("a = \"\"\"x\\\n  \u00e4 \u0416\"\"\"", "x.toml");
    EXPECT_EQ(document.root().find("a")->value.text, "x\u00e4 \u0416");
    EXPECT_EQ(error_place("a = 3\u00e4"), "x.toml:1:6 toml-syntax");
    EXPECT_EQ(error_place("a = 3\n\u00e4 = 4"), "x.toml:2:1 toml-syntax");
}

TEST(TomlDocument, DeepNestingIsRefused) {
    const std::size_t depth = 200000;
    std::string key = "a";
    for (std::size_t i = 0; i < depth; ++i) key += ".a";
    EXPECT_EQ(error_place("b = 1\n" + key + " = 1"), "x.toml:2:1 toml-syntax");
    EXPECT_EQ(error_place("[" + key + "]"), "x.toml:1:2 toml-syntax");
    EXPECT_EQ(error_place("a = " + std::string(depth, '[')), "x.toml:1:37 toml-syntax");
    std::string tables = "a = ";
    for (std::size_t i = 0; i < depth; ++i) tables += "{a=";
    EXPECT_EQ(toml_error(tables).code, "toml-syntax");
}

TEST(TomlDocument, DotsInTextsAndCommentsAreNotNesting) {
    const std::string dots(100, '.');
    const TomlDocument document("a = '" + dots + "' # " + dots + "\nb = \"\"\"\n\\\"" + dots +
                                    "\n\"\"\"\nc = '''" + dots + "'''\nd = \"\\\"" + dots + "\"",
                                "x.toml");
    EXPECT_EQ(document.root().find("c")->value.text, dots);
    EXPECT_EQ(document.root().find("d")->value.text, "\"" + dots);
}

TEST(TomlDocument, ALongTextIsRefused) {
    EXPECT_EQ(error_place(std::string(5U << 20U, '\n')), "x.toml:0:0 toml-syntax");
}

TEST(TomlDocument, AnAssignmentReplacesOrAddsAValue) {
    TomlDocument document("seed = 1\n[training]\nepochs = 3\noptimizer = {a = 1, b = 2}", "x.toml");
    document.assign("seed=2");
    document.assign("training.epochs = 7");
    document.assign("training.optimizer.b=5");
    document.assign("example.labels.\"digit(i1)\"='x'");
    const TomlValue &root = document.root();
    EXPECT_EQ(root.find("seed")->value.integer, 2);
    const TomlValue &training = root.find("training")->value;
    EXPECT_EQ(training.find("epochs")->value.integer, 7);
    EXPECT_EQ(training.find("optimizer")->value.find("a")->value.integer, 1);
    EXPECT_EQ(training.find("optimizer")->value.find("b")->value.integer, 5);
    const TomlValue &labels = root.find("example")->value.find("labels")->value;
    EXPECT_EQ(labels.find("digit(i1)")->value.text, "x");
    document.assign("training={epochs=1}");
    EXPECT_EQ(root.find("training")->value.entries.size(), 1u);
}

TEST(TomlDocument, AnAssignedTextNeedsNoQuotes) {
    TomlDocument document("", "x.toml");
    document.assign("output = runs/a b ");
    document.assign("method=sampling");
    EXPECT_EQ(document.root().find("output")->value.text, "runs/a b");
    EXPECT_EQ(place(document, document.root().find("output")->value.at), "1:10-1:18");
    EXPECT_EQ(document.root().find("method")->value.text, "sampling");
}

TEST(TomlDocument, AnAssignmentReplacesAValueThatIsNotATable) {
    TomlDocument document("seed = 1", "x.toml");
    document.assign("seed.x=2");
    EXPECT_EQ(document.root().find("seed")->value.find("x")->value.integer, 2);
}

TEST(TomlDocument, WrongAssignmentsAreLocatedInSet) {
    EXPECT_EQ(error_place("", "seed"), "<set>:1:1 toml-syntax");
    EXPECT_EQ(error_place("", "seed="), "<set>:1:1 toml-syntax");
    EXPECT_EQ(error_place("", "a b=1"), "<set>:1:3 toml-syntax");
    EXPECT_EQ(error_place("", "a=[1"), "<set>:1:5 toml-syntax");
    EXPECT_EQ(error_place("", "a=1\nb=2"), "<set>:1:1 toml-syntax");
    EXPECT_EQ(toml_error("", "a=[1").source_line, "a=[1");
}

TEST(TomlDocument, FindsPartsOfATextInTheSource) {
    const TomlDocument document("a = 'abcd'\nb = \"\"\"\nab\ncd\"\"\"\nc = \"a\\tbc\"\n"
                                "d = '''\r\nab'''\ne = \"\"\"xy\"\"\"",
                                "x.toml");
    const auto inside = [&](std::string_view key, std::size_t begin, std::size_t end) {
        return place(document, document.inside(document.root().find(key)->value, begin, end));
    };
    EXPECT_EQ(inside("a", 1, 3), "1:7-1:9");
    EXPECT_EQ(inside("b", 3, 5), "4:1-4:3");
    EXPECT_EQ(inside("c", 2, 3), "5:5-5:12") << "escapes hide the place: the whole value";
    EXPECT_EQ(inside("d", 1, 2), "7:2-7:3");
    EXPECT_EQ(inside("e", 0, 9), "8:8-8:10");
}

} // namespace
} // namespace neurasp::data
