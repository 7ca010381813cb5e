// Warnings about what grounding finds undefined, through Question::diagnostics.
#include "inference_support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::inference::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "file:line:column code: message | hint" of each finding.
std::vector<std::string> findings(const Question &question) {
    std::vector<std::string> all;
    for (const Diagnostic &found : question.diagnostics()) {
        const SourceLocation &at = found.location;
        all.push_back(at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
                      " " + found.code + ": " + found.message + " | " + found.hint);
    }
    return all;
}

std::vector<std::string> findings(const std::string &program, const std::string &observation = "",
                                  const std::vector<std::string> &queries = {}) {
    Reasoner reasoner(Program::from_text(program));
    return findings(reasoner.ask(observation, queries));
}

// The hints alone.
std::vector<std::string> hints(const std::string &program) {
    Reasoner reasoner(Program::from_text(program));
    std::vector<std::string> all;
    for (const Diagnostic &found : reasoner.ask().diagnostics()) all.push_back(found.hint);
    return all;
}

TEST(UndefinedAtoms, AreWarnedAboutAtTheirFirstPlaceOnceForEachPredicate) {
    EXPECT_THAT(findings("nn(light(1,c1),[red,green]).\n"
                         "go :- ligth(0,c1,green).\n"
                         "stop :- not ligth(0,c1,green), ligth(0,c2,red)."),
                ElementsAre("<program>:2:7 undefined-atom: no rule derives 'ligth/3', so this is "
                            "never true, here and at 2 other places | did you mean 'light'?"));
    EXPECT_THAT(findings("p :- q, r, q."),
                ElementsAre("<program>:1:6 undefined-atom: no rule derives 'q', so this is never "
                            "true, here and at 1 other place | if that is meant, write "
                            "'#defined q/0.'",
                            "<program>:1:9 undefined-atom: no rule derives 'r', so this is never "
                            "true | if that is meant, write '#defined r/0.'"));
}

TEST(UndefinedAtoms, MayStandWhereverAtomsAreAskedFor) {
    const auto count = [](const std::string &program) { return findings(program).size(); };
    EXPECT_EQ(count("p :- not outside(1)."), 1U);
    EXPECT_EQ(count("p :- 2 #count { X : outside(X) }."), 1U);
    EXPECT_EQ(count("{ p(X) : outside(X) }."), 1U);
    EXPECT_EQ(count("a. #minimize { 1,X : outside(X) }."), 1U);
    EXPECT_EQ(count("a. #show X : outside(X)."), 1U);
    EXPECT_EQ(count("0.5 : p(X) :- outside(X)."), 1U);
    EXPECT_EQ(count("nn(m(1,X),[a,b]) :- outside(X)."), 1U);
}

TEST(UndefinedAtoms, AreCompletedByWhatWasProbablyMeant) {
    EXPECT_THAT(hints("number(1). p :- nubmer(1)."), ElementsAre("did you mean 'number'?"));
    EXPECT_THAT(hints("number(1,2). p :- nubmer(1)."), ElementsAre("did you mean 'number/2'?"));
    EXPECT_THAT(hints("0.5 : rainy(X) :- day(X). day(1). p :- raniy(1)."),
                ElementsAre("did you mean 'rainy'?"));
    EXPECT_THAT(hints("#external rainy(1). p :- raniy(1)."), ElementsAre("did you mean 'rainy'?"));
    EXPECT_THAT(hints("b(1,2). b(1,2,3). p :- b(1)."),
                ElementsAre("'b' has 1 argument here, but 2 or 3 elsewhere"));
    EXPECT_THAT(hints("b. p :- b(1,2)."),
                ElementsAre("'b' has 2 arguments here, but none elsewhere"));
    EXPECT_THAT(hints("b(1). p :- b."), ElementsAre("'b' has no arguments here, but 1 elsewhere"));
    EXPECT_THAT(hints("b(1). p :- -b(1)."), ElementsAre("rules derive 'b/1', but not '-b/1'"));
    EXPECT_THAT(hints("a. p :- b."), ElementsAre("if that is meant, write '#defined b/0.'"));
}

// clingo compares arguments with the heads of rules, not with facts.
TEST(UndefinedAtoms, OfAPredicateThatIsDerivedOtherwiseAreNamedWithTheirArguments) {
    EXPECT_THAT(findings("{c}. b(2) :- c. b(3) :- c. p :- b(1), b(7)."),
                ElementsAre("<program>:1:33 undefined-atom: no rule derives 'b(1)', so this is "
                            "never true, here and at 1 other place | rules derive 'b(2)', 'b(3)'"));
    EXPECT_THAT(hints("0.5 : r(2). p :- r(1)."), ElementsAre("rules derive 'r(2)'"));
}

TEST(UndefinedAtoms, AreNoneIfDeclared) {
    EXPECT_THAT(findings("#defined q/1. p :- q(1). #external r(1..2). s :- r(2)."), IsEmpty());
    EXPECT_THAT(findings("#defined q/1. #external r(1).", "", {"q(1)", "r(1)"}), IsEmpty());
    EXPECT_THAT(findings("p :- q(1).", "#defined q/1."), IsEmpty());
}

TEST(UndefinedAtoms, InShowStatementsShowNothing) {
    EXPECT_THAT(findings("total(1). #show totl/1."),
                ElementsAre("<program>:1:11 undefined-atom: no rule derives 'totl/1', so there is "
                            "nothing to show | did you mean 'total'?"));
}

TEST(UndefinedAtoms, AreNoneIfTheObservationBringsThem) {
    Reasoner reasoner(Program::from_text("p :- q(1), r(1)."));
    EXPECT_EQ(findings(reasoner.ask("")).size(), 2U);
    EXPECT_EQ(findings(reasoner.ask(":- p.")).size(), 2U);
    EXPECT_EQ(findings(reasoner.ask("q(7).")).size(), 1U);
    EXPECT_THAT(findings(reasoner.ask("q(7). 0.5 : r(1).")), IsEmpty());
    EXPECT_EQ(findings(reasoner.ask(":- not p.")).size(), 2U); // the facts above are not its own
}

TEST(UndefinedAtoms, OfOneQuestionAreNotThoseOfAnother) {
    Reasoner reasoner(Program::from_text("a."));
    const auto wrong = "<query>:1:1 undefined-atom: no rule derives 'nowhere', so this is never "
                       "true | ";
    EXPECT_THAT(findings(reasoner.ask("", {"nowhere"})), ElementsAre(wrong));
    EXPECT_THAT(findings(reasoner.ask("", {"a"})), IsEmpty());
    EXPECT_THAT(findings(reasoner.ask(":- not a.", {"nowhere"})), ElementsAre(wrong));
    EXPECT_THAT(findings(reasoner.ask(":- not a. ", {"nowhere"})), ElementsAre(wrong));
    EXPECT_THAT(findings(reasoner.ask("b.", {"nowhere"})), ElementsAre(wrong));
}

TEST(UndefinedAtoms, OfProgramAndQueryAreOne) {
    EXPECT_THAT(findings("a :- outside(1).", ":- outside(2).", {"outside(3)"}),
                ElementsAre("<program>:1:6 undefined-atom: no rule derives 'outside/1', so this is "
                            "never true | if that is meant, write '#defined outside/1.'"));
}

TEST(UndefinedAtoms, ThatReadingHasWarnedAboutAreLeftToIt) {
    const auto found = findings("nn(light(1,c1),[red,green]). p :- light(0,c1). q :- light(1,c1).");
    ASSERT_EQ(found.size(), 2U);
    for (const std::string &text : found) EXPECT_THAT(text, testing::HasSubstr("network-arity"));
}

TEST(UndefinedOperations, AreWarningsWhereANameHasNoNumber) {
    EXPECT_THAT(findings("d(1..n)."),
                ElementsAre("<program>:1:3 undefined-operation: '1..n' is undefined: 'n' is not a "
                            "number | 'n' has no value: write '#const n = 3.', or give it from "
                            "outside"));
    EXPECT_THAT(findings("#const m=foo. d(1..m)."),
                ElementsAre("<program>:1:17 undefined-operation: '1..m' is undefined: 'm' is "
                            "'foo', which is not a number | give it a number"));
    const auto found = Reasoner(Program::from_text("d(1..n).")).ask().diagnostics();
    EXPECT_EQ(found.at(0).severity, Severity::warning);
    EXPECT_EQ(found.at(0).option, "constants");
    EXPECT_EQ(found.at(0).option_value, "n=3");
    ProgramOptions options;
    options.constants = {{"n", "2"}};
    EXPECT_THAT(findings(Reasoner(Program::from_text("d(1..n).", options)).ask()), IsEmpty());
}

// Where a variable decides, only some instances are undefined, and that may be meant.
TEST(UndefinedOperations, AreInfosOnceForEachPlaceWhereAVariableDecides) {
    Reasoner reasoner(Program::from_text("v(a). v(b). v(1). p(V+1) :- v(V)."));
    const auto found = reasoner.ask().diagnostics();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].severity, Severity::info);
    EXPECT_EQ(found[0].code, "clingo-info");
}

TEST(UndefinedOperations, OfMeasuredThingsAreWarnedAbout) {
    const auto codes = [](const std::string &program) {
        std::string all;
        for (const Diagnostic &found : Reasoner(Program::from_text(program)).ask().diagnostics()) {
            all += found.code + " ";
        }
        return all;
    };
    EXPECT_EQ(codes("p(X+n) :- X=1..2."), "undefined-operation ");
    EXPECT_EQ(codes("{q}. r :- #sum { n : q } > 0."), "undefined-operation ");
    EXPECT_EQ(codes("{q}. :~ q. [n]"), "undefined-operation ");
    EXPECT_EQ(codes("{q}. w(a). r :- #sum { W : q, w(W) } > 0."), "clingo-info ");
    EXPECT_EQ(codes("p(f(n)+1)."), "clingo-info "); // no value of n would help
}

TEST(BroughtBy, NamesThePredicatesOfAnObservation) {
    const Program program = Program::from_text("p :- q.");
    const auto brought = [&](const std::string &observation) {
        std::string all;
        for (const Predicate &predicate : brought_by(program, observation)) {
            all += predicate.text() + " ";
        }
        return all;
    };
    EXPECT_EQ(brought("b(1). -a :- b(1). {c(1,2)}. :- d."), "-a/0 b/1 c/2 ");
    EXPECT_EQ(brought("0.5 : r. #external e(1). #defined f/3."), "e/1 f/3 r/0 ");
    EXPECT_EQ(brought("nn(m(1,x),[a,b])."), "m/3 ");
    EXPECT_EQ(brought(":- not p."), "");
    EXPECT_EQ(brought("b(1"), "");
}

} // namespace
} // namespace neurasp::inference::test
