// Names in terms, and the atoms that no ordinary rule derives.
#include "language/bare_names.hpp"
#include "reading.hpp"

#include <gtest/gtest.h>

namespace neurasp::language::test {
namespace {

using Names = std::vector<std::string>;

TEST(BareNames, AreThoseThatAConstantCouldReplace) {
    EXPECT_EQ(bare_names("1..n"), (Names{"n"}));
    EXPECT_EQ(bare_names("n..2*m"), (Names{"n", "m"}));
    EXPECT_EQ(bare_names("(n+1)*X"), (Names{"n"}));
    EXPECT_EQ(bare_names("|n|"), (Names{"n"}));
}

TEST(BareNames, AreNotThoseOfFunctionsVariablesAndStrings) {
    EXPECT_EQ(bare_names("f(a,g(b))+n"), (Names{"n"}));
    EXPECT_EQ(bare_names("1..X+_Y"), Names{});
    EXPECT_EQ(bare_names("\"n\"+#sup"), Names{});
    EXPECT_EQ(bare_names("f(a"), Names{});
}

std::string declared(const std::string &text) {
    std::string all;
    for (const HeadAtom &atom : read_texts({{Role::program, text, 0}}).program.declared) {
        all += (atom.negated ? "-" : "") + atom.signature.first + "/" +
               std::to_string(atom.signature.second) + " ";
    }
    return all;
}

TEST(DeclaredAtoms, AreOutcomesAndWhatDirectivesName) {
    EXPECT_EQ(declared("#defined a/2. #defined -b/0."), "a/2 -b/0 ");
    EXPECT_EQ(declared("#external a(X) : c(X). #external -b. #external d(1;2,3)."),
              "a/1 -b/0 d/1 d/2 ");
    EXPECT_EQ(declared("0.5 : r(X) :- c(X). 0.2 : s=1 | 0.8 : s=2."), "r/1 s/1 s/1 ");
    EXPECT_EQ(declared("a. {b}. nn(m(1,x),[a,b]). #show a/0. #const n=1."), "");
}

} // namespace
} // namespace neurasp::language::test
