// Grounding through libclingo: rules, names, messages, parts.
#include "asp/grounder.hpp"
#include "asp_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace neurasp::asp::test {
namespace {

std::vector<GroundMessage> errors_of(const std::string &text) {
    try {
        grounded(text);
    } catch (const GroundingError &error) {
        return error.messages();
    }
    return {};
}

TEST(Grounder, MarksWhatFollowsFromFactsAsFacts) {
    const Grounder grounder = grounded("a. b(X+1) :- c(X), a. c(1..2). {d}. e :- d.");
    const GroundProgram &program = grounder.program();
    for (const char *fact : {"a", "b(2)", "b(3)", "c(1)"}) {
        EXPECT_TRUE(program.is_fact(atom(program, fact))) << fact;
    }
    EXPECT_FALSE(program.is_fact(atom(program, "d")));
    EXPECT_FALSE(program.is_fact(atom(program, "e")));
    EXPECT_NO_THROW(program.verify());
}

TEST(Grounder, GroundsNoAtomThatCannotHold) {
    const Grounder grounder = grounded("a :- b. c :- not a.");
    EXPECT_EQ(grounder.program().find(Symbol::parse("a")), std::nullopt);
    EXPECT_TRUE(grounder.program().is_fact(atom(grounder.program(), "c")));
}

TEST(Grounder, GroundsChoices) {
    const Grounder grounder = grounded("{a; b}.");
    ASSERT_EQ(grounder.program().rule_count(), 1U);
    const RuleView rule = grounder.program().rule(0);
    EXPECT_TRUE(rule.choice);
    EXPECT_EQ(rule.head.size(), 2U);
    EXPECT_TRUE(rule.body.empty());
}

std::vector<std::string> remarks(Grounder &grounder, const std::string &part) {
    grounder.ground(part);
    std::vector<std::string> all;
    for (const GroundMessage &message : grounder.messages()) {
        all.push_back(std::to_string(message.line) + ":" + std::to_string(message.column) + " " +
                      std::string(subject(message)));
    }
    return all;
}

// clingo itself remarks on an undefined atom once for each place, and the places of parts coincide.
TEST(Grounder, RemarksOnUndefinedAtomsInEveryPart) {
    using Texts = std::vector<std::string>;
    Grounder grounder;
    EXPECT_EQ(remarks(grounder, "{a}.\nb :- nowhere."), (Texts{"2:6 nowhere"}));
    EXPECT_EQ(remarks(grounder, "q1 :- nowhere."), (Texts{"1:7 nowhere"}));
    EXPECT_EQ(remarks(grounder, "q2 :- nowhere."), (Texts{"1:7 nowhere"}));
    EXPECT_EQ(remarks(grounder, "q3 :- a, b."), Texts{});
    EXPECT_EQ(remarks(grounder, "\nq4 :- else(1)."), (Texts{"2:7 else(1)"}));
}

TEST(Grounder, RemarksOnUndefinedOperationsOnceForEachPlace) {
    Grounder grounder;
    const auto found = remarks(grounder, "v(a;b;c;1). p(V+1) :- v(V). q(V*2) :- v(V).");
    EXPECT_EQ(found.size(), 2U);
}

// clasp refuses them, but by then gringo's bounds have overflowed.
TEST(Grounder, RefusesSumsBeyond32Bits) {
    const auto message = [](const std::string &text) {
        const std::vector<GroundMessage> errors = errors_of(text);
        return errors.size() == 1 ? errors[0].text : "";
    };
    const std::string refused = "the absolute weights of an aggregate add up to 2147483648, "
                                "but clingo can count only to 2147483647";
    EXPECT_EQ(message("{a; b}. c :- #sum{2147483647,1:a; 1,2:b} >= 5."), refused);
    EXPECT_EQ(message("{a; b}. c :- #sum{-2147483647,1:a; -1,2:b} > -7."), refused);
    EXPECT_EQ(message("{a; b}. c :- #sum{2147483646,1:a; 1,2:b} >= 5."), "");
}

TEST(Grounder, GroundsSumsToWeightRules) {
    const Grounder grounder = grounded("{a; b; c}. d :- #sum{2:a; 3:b; 4:c} >= 5.");
    const GroundProgram &program = grounder.program();
    bool found = false;
    for (std::size_t i = 0; i < program.rule_count(); ++i) {
        const RuleView rule = program.rule(i);
        if (!rule.weighted()) continue;
        found = true;
        std::vector<std::int32_t> weights(rule.weights.begin(), rule.weights.end());
        std::sort(weights.begin(), weights.end());
        EXPECT_EQ(weights, (std::vector<std::int32_t>{2, 3, 4}));
        EXPECT_EQ(rule.bound, 5);
    }
    EXPECT_TRUE(found);
}

TEST(Grounder, SortsMinimizeStatementsByPriority) {
    const Grounder grounder =
        grounded("{a; b}. #minimize{1@1:a}. :~ b. [2@7] #maximize{3@-1:a}. :~ a. [4@7,x]");
    const auto &minimize = grounder.program().minimize();
    ASSERT_EQ(minimize.size(), 3U);
    EXPECT_EQ(minimize[0].priority, 7);
    EXPECT_EQ(minimize[0].literals.size(), 2U);
    EXPECT_EQ(minimize[1].priority, 1);
    EXPECT_EQ(minimize[2].priority, -1);
}

TEST(Grounder, ReportsExternalsWithTheirValues) {
    const Grounder grounder =
        grounded("#external a. #external b. [true] #external c. [free] x :- a. x :- b. x :- c.");
    const GroundProgram &program = grounder.program();
    std::map<AtomId, ExternalValue> values;
    for (const External &external : program.externals()) values[external.atom] = external.value;
    EXPECT_EQ(values.at(atom(program, "a")), ExternalValue::is_false);
    EXPECT_EQ(values.at(atom(program, "b")), ExternalValue::is_true);
    EXPECT_EQ(values.at(atom(program, "c")), ExternalValue::free);
}

TEST(Grounder, ShowsAllAtomsByDefault) {
    const Grounder grounder = grounded("a. {b}.");
    std::set<std::string> shown;
    for (const ShownTerm &term : grounder.program().shown()) shown.insert(term.symbol.text());
    EXPECT_EQ(shown, (std::set<std::string>{"a", "b"}));
}

TEST(Grounder, ShowsTheAtomsAndTermsOfShowStatements) {
    const Grounder grounder = grounded("{a; b; c}. #show a/0. #show f(x) : b, not c.");
    const GroundProgram &program = grounder.program();
    std::map<std::string, std::vector<Literal>> shown;
    for (const ShownTerm &term : program.shown()) shown[term.symbol.text()] = term.condition;
    ASSERT_EQ(shown.size(), 2U);
    EXPECT_EQ(shown.at("a"), std::vector{Literal(atom(program, "a"))});
    Solver solver(program, no_groups, {});
    EXPECT_EQ(count(solver, shown.at("f(x)")), 2U); // b without c; a is free
}

TEST(Grounder, ReportsEdges) {
    const Grounder grounder = grounded("{e(1,2); e(2,1)}. #edge (X,Y) : e(X,Y).");
    EXPECT_EQ(grounder.program().edges().size(), 2U);
}

TEST(Grounder, LetsLaterPartsSeeEarlierAtoms) {
    Grounder grounder = grounded("{a(1..3)}.");
    const std::size_t before = grounder.program().rule_count();
    grounder.ground("b(X) :- a(X), X > 1.");
    EXPECT_EQ(grounder.program().rule_count(), before + 2);
    grounder.ground("c :- b(3). d :- b(1).");
    EXPECT_TRUE(grounder.program().find(Symbol::parse("c")).has_value());
    EXPECT_FALSE(grounder.program().find(Symbol::parse("d")).has_value());
}

TEST(Grounder, GroundsManyPartsOneAfterTheOther) {
    Grounder grounder = grounded("{a(0)}.");
    for (int i = 1; i <= 200; ++i) {
        grounder.ground("a(" + std::to_string(i) + ") :- a(" + std::to_string(i - 1) + ").");
    }
    Solver solver(grounder.program(), no_groups, {});
    EXPECT_EQ(count(solver, {Literal(atom(grounder.program(), "a(200)"))}), 1U);
}

TEST(Grounder, SetsConstants) {
    Grounder grounder({{"n", "3"}, {"name", "f(\"x y\")"}});
    grounder.ground("#const n=1. #const m=7. p(1..n). q(name).");
    EXPECT_TRUE(grounder.program().find(Symbol::parse("p(3)")).has_value());
    EXPECT_TRUE(grounder.program().find(Symbol::parse("q(f(\"x y\"))")).has_value());
    EXPECT_EQ(grounder.constant("n"), Symbol::number(3));
    EXPECT_EQ(grounder.constant("m"), Symbol::number(7));
    EXPECT_EQ(grounder.constant("k"), std::nullopt);
}

TEST(Grounder, RefusesUnfitConstants) {
    using Constants = std::vector<std::pair<std::string, std::string>>;
    EXPECT_THROW(Grounder(Constants{{"n", "X"}}), GroundingError);
    EXPECT_THROW(Grounder(Constants{{"n", "1 2"}}), GroundingError);
    EXPECT_THROW(Grounder(Constants{{"", "1"}}), GroundingError);
}

TEST(Grounder, SaysWhereTheSyntaxIsWrong) {
    const auto messages = errors_of("a.\n  b c.\n");
    ASSERT_FALSE(messages.empty());
    EXPECT_EQ(messages[0].kind, GroundMessage::Kind::error);
    EXPECT_EQ(messages[0].line, 2U);
    EXPECT_EQ(messages[0].column, 5U);
    EXPECT_NE(messages[0].text.find("syntax error"), std::string::npos) << messages[0].text;
}

TEST(Grounder, ReportsSeveralErrorsAtOnce) {
    const auto messages = errors_of("a(X).\nb.\nc(Y) :- not d(Y).\n");
    std::set<std::uint32_t> lines;
    for (const auto &message : messages) {
        if (message.kind == GroundMessage::Kind::error) lines.insert(message.line);
    }
    EXPECT_TRUE(lines.contains(1));
    EXPECT_TRUE(lines.contains(3));
}

TEST(Grounder, ShowsRulesOfLaterPartsWithoutItsBookkeeping) {
    Grounder grounder = grounded("a(1).");
    try {
        grounder.ground("v :- not a(X).");
        FAIL() << "no exception";
    } catch (const GroundingError &error) {
        EXPECT_EQ(std::string(error.what()).find('#'), std::string::npos) << error.what();
    }
}

TEST(Grounder, KeepsInfosAboutAProgramThatGrounds) {
    const Grounder grounder = grounded("a(1; x).\nb(X+1) :- a(X).\nc :- undefined.");
    const auto &messages = grounder.messages();
    const auto on_line = [&](std::uint32_t line) {
        return std::any_of(messages.begin(), messages.end(),
                           [&](const auto &message) { return message.line == line; });
    };
    EXPECT_TRUE(on_line(2)); // operation undefined
    EXPECT_TRUE(on_line(3)); // atom does not occur in any head
}

TEST(Grounder, CanBeMoved) {
    Grounder first = grounded("{a}.");
    Grounder second = std::move(first);
    second.ground("b :- a.");
    EXPECT_TRUE(second.program().find(Symbol::parse("b")).has_value());
}

} // namespace
} // namespace neurasp::asp::test
