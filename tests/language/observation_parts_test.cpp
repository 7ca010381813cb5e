// Observations taken apart into facts and constraints.
#include "language/observation_parts.hpp"

#include <gtest/gtest.h>

namespace neurasp::language {
namespace {

using Texts = std::vector<std::string>;

Texts cut(std::string_view text) {
    const auto parts = cut_at_dots(text);
    return parts ? Texts(parts->begin(), parts->end()) : Texts{"none"};
}

Texts texts_of(std::string_view statement) {
    Texts texts;
    for (const ObservationPart &part :
         read_part(statement).value_or(std::vector<ObservationPart>{})) {
        texts.push_back((part.kind == ObservationPart::Kind::fact ? "fact " : "constraint ") +
                        part.text);
    }
    return texts;
}

TEST(ObservationParts, AreCutAfterDotsThatEndStatements) {
    EXPECT_EQ(cut(" a(1). :- not b(1..3).\n\tc."), (Texts{"a(1).", ":- not b(1..3).", "c."}));
    EXPECT_EQ(cut("a(\"x. y\\\" .\").b."), (Texts{"a(\"x. y\\\" .\").", "b."}));
    EXPECT_EQ(cut(":~ a. [-3@2, \"].\"]  b. :~ c.[1]\n"),
              (Texts{":~ a. [-3@2, \"].\"]", "b.", ":~ c.[1]"}));
    EXPECT_EQ(cut(""), Texts{});
    EXPECT_EQ(cut("  "), Texts{});
}

TEST(ObservationParts, AreNotCutInTextsWithCommentsOrWithoutALastDot) {
    EXPECT_EQ(cut("a. % b."), Texts{"none"});
    EXPECT_EQ(cut("a. #! b.\n c."), Texts{"none"});
    EXPECT_EQ(cut("a. b"), Texts{"none"});
}

TEST(ObservationParts, AreFactsAndConstraints) {
    EXPECT_EQ(texts_of("p( 1, f(2) )."), Texts{"fact p(1,f(2))."});
    EXPECT_EQ(texts_of("-q."), Texts{"fact -q."});
    EXPECT_EQ(texts_of("removed(1;2 ; 7)."),
              (Texts{"fact removed(1).", "fact removed(2).", "fact removed(7)."}));
    EXPECT_EQ(texts_of("p(1,2;3)."), (Texts{"fact p(1,2).", "fact p(3)."}));
    EXPECT_EQ(texts_of(":-  not sum( 3 )."), Texts{"constraint :-not sum(3)."});
    EXPECT_EQ(texts_of("not a :- b."), Texts{"constraint not a:-b."});
    EXPECT_EQ(texts_of(":~ in( 3 ). [ -7@2, 3 ]"), Texts{"constraint :~in(3).[-7@2,3]"});
}

TEST(ObservationParts, AreNothingElse) {
    for (const char *text :
         {"a :- b.", "{a}.", "a | b.", ":~ . [1]", ":~ a.", "[1]", "0.", "3 : a.", "#external a.",
          "nn(m(1,a),[x,y]).", "p(1", "p(1,).", "p(;1).", "a. b.", "c=v.", ""}) {
        EXPECT_FALSE(read_part(text)) << text;
    }
}

TEST(ObservationParts, HaveTheSameFormIfOnlyConstantsInArgumentsDiffer) {
    const auto form = [](std::string_view text) { return read_part(text)->front().form; };
    EXPECT_EQ(form(":- not label(cat,1)."), form(":- not label(dog,27)."));
    EXPECT_EQ(form(":- not s(\"x\")."), form(":- not s(y)."));
    EXPECT_NE(form(":- not sum(1)."), form(":- sum(1)."));
    EXPECT_NE(form(":- not sum(1)."), form(":- not total(1)."));
    EXPECT_NE(form(":- not sum(f(1))."), form(":- not sum(g(1))."));
    EXPECT_EQ(form(":~ in(3,k,true). [-7, 3]"), form(":~ in(0,k,true). [4, 0]"));
    EXPECT_NE(form(":~ in(3). [1]"), form(":~ in(3). [1@2]"));
    EXPECT_EQ(form("p(1,2)."), "p/2");
    EXPECT_EQ(form("-p(1)."), "-p/1");
}

} // namespace
} // namespace neurasp::language
