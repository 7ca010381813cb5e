// Multi-valued constants `c=v`, and `~a`, in ordinary rules.
#include "reading.hpp"

#include <gtest/gtest.h>

namespace neurasp::language::test {
namespace {

// The first line of the lowered text of a program without mistakes, without the blanks before punctuation that
// keep columns.
std::string lowered_line(const std::string &program) {
    const Reading reading = read_program(program);
    EXPECT_EQ(reading.findings(), "") << program;
    std::string line = reading.lowered().substr(0, reading.lowered().find('\n'));
    for (std::size_t at = line.find(" ,"); at != std::string::npos; at = line.find(" ,")) {
        line.erase(at, 1);
    }
    return line;
}

TEST(Constants, InHeadsBecomeAtomsWithOneValue) {
    const Reading reading = read_program("win=true :- head.\nsize(a)=big.");
    EXPECT_EQ(reading.lowered(), "win(true):- head.\nsize(a ,big).\n"
                                 ":- size(X1,V), size(X1,W), V<W.\n:- win(V), win(W), V<W.\n");
    EXPECT_EQ(reading.program.constants, (std::set<Signature>{{"size", 1}, {"win", 0}}));
}

TEST(Constants, InHeadsMayStandInChoicesDisjunctionsAndConditions) {
    EXPECT_EQ(lowered_line("1 {c=1; c=2 : d} 1 | e."), "1 {c(1); c(2) : d} 1 | e.");
    EXPECT_EQ(lowered_line("c=1 | c=2 : |X|=1, d(X) ; e."), "c(1)| c(2): |X|=1, d(X) ; e.");
    EXPECT_EQ(lowered_line("{c(X)=Y : v(Y)} = 1 :- e(X)."), "{c(X,Y): v(Y)} = 1 :- e(X).");
    EXPECT_EQ(lowered_line("#count{Y : c=Y : v(Y)} 1."), "#count{Y : c(Y): v(Y)} 1.");
}

TEST(Constants, InBodiesAreRewrittenIfAHeadDefinesThem) {
    const std::string head = "c=1. ";
    EXPECT_EQ(lowered_line(head + "a :- c=1, not c=X; d=1."), "c(1). a :- c(1), not c(X); d=1.");
    EXPECT_EQ(lowered_line(head + ":- #sum{1,X : c=X, p} > 1."),
              "c(1). :- #sum{1,X : c(X), p} > 1.");
    EXPECT_EQ(lowered_line(head + ":- {c=1 : c=2; q} 2."), "c(1). :- {c(1) : c(2); q} 2.");
    EXPECT_EQ(lowered_line(head + ":~ c=1. [1@2]"), "c(1). :~ c(1). [1@2]");
    EXPECT_EQ(lowered_line(head + "#minimize{1,c : c=1}."), "c(1). #minimize{1,c : c(1)}.");
    EXPECT_EQ(lowered_line(head + "#show x : c=1."), "c(1). #show x : c(1).");
    EXPECT_EQ(lowered_line(head + "#const c=1."), "c(1). #const c=1.");
}

TEST(Constants, MayBeUsedBeforeTheyAreDefined) {
    EXPECT_EQ(lowered_line("a :- c(1)=2. c(X)=Y :- b(X,Y)."), "a :- c(1,2). c(X,Y) :- b(X,Y).");
}

TEST(Constants, OfTheProgramAreKnownInQueriesAndObservations) {
    const std::string base = "0.4 : c=1 | 0.6 : c=2.";
    EXPECT_EQ(read_on_top(base, {Role::query, "not c=1", 2}).lowered(),
              "__neurasp_query(2) :- not c(1).\n");
    EXPECT_EQ(read_on_top(base, {Role::observation, ":- c=1.", 2}).lowered(),
              "__neurasp_violated(2) :- c(1).\n");
}

TEST(Constants, AreToldApartByArity) {
    EXPECT_EQ(lowered_line("c(1)=2. a :- c=1, c(1)=2, f(c)=1."),
              "c(1,2). a :- c=1, c(1,2), f(c)=1.");
}

TEST(Constants, AreNotVariablesNumbersOrArithmetic) {
    EXPECT_EQ(lowered_line("X=1 :- p(X). 1=X :- p(X). c+1=X :- p(X)."),
              "X=1 :- p(X). 1=X :- p(X). c+1=X :- p(X).");
}

TEST(Constants, OfProbabilisticRulesNeedNoConstraint) {
    EXPECT_EQ(read_program("1 : c=1.").lowered().find("V<W"), std::string::npos);
}

TEST(Constants, TakeNoOtherComparison) {
    EXPECT_EQ(mistakes("c=1. a :- c!=2."), "1:11 constant-comparison");
    EXPECT_EQ(first_hint("c(1)=1. a :- c(1)!=2."), "write 'not c(1)=2'");
    EXPECT_EQ(mistakes("c=1. a :- c<2."), "1:11 constant-comparison");
    EXPECT_EQ(mistakes("a :- c!=2."), "");
}

TEST(Constants, TakeNoPools) { EXPECT_EQ(mistakes("c(1;2)=3."), "1:3 syntax"); }

TEST(Tildes, BeforeAtomsAreStrongNegation) {
    EXPECT_EQ(lowered_line("~win :- not win, not ~a(X), {~b}."),
              "-win :- not win, not -a(X), {-b}.");
    EXPECT_EQ(lowered_line("c=1. ~c=2 :- ~c=1."), "c(1). -c(2) :- -c(1).");
}

TEST(Tildes, InTermsStayClingos) {
    EXPECT_EQ(lowered_line("p(~5) :- X=~1, ~n=X, ~n+1<X."), "p(~5) :- X=~1, ~n=X, ~n+1<X.");
}

TEST(HeadAtoms, AreCollectedWithTheirPlaces) {
    const Reading reading = read_program("a(1;2,3) | -b :- c. {d : e}. not f. g=1.");
    std::string result;
    for (const HeadAtom &atom : reading.program.head_atoms) {
        result += (atom.negated ? "-" : "") + atom.signature.first + "/" +
                  std::to_string(atom.signature.second) + " at '" +
                  std::string(reading.sources.text(atom.span)) + "'; ";
    }
    EXPECT_EQ(result,
              "a/1 at 'a(1;2,3)'; a/2 at 'a(1;2,3)'; -b/0 at '-b'; d/0 at 'd'; g/1 at 'g=1'; ");
}

} // namespace
} // namespace neurasp::language::test
