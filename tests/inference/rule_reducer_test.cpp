// The rules of one observation, reduced from those of many: the same stable models by the definition of clasp, and none of the
// rules that do not matter.
#include "inference/rule_reducer.hpp"
#include "inference_support.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace neurasp::inference::test {
namespace {

// Statements over one program, grounded together.
class Shared {
  public:
    Shared(const std::string &program, const std::vector<std::string> &statements)
        : family_(ground(program, statements)), reducer_(family_) {}

    ReducedRules reduce(std::vector<std::uint32_t> statements) {
        return reducer_.run(statements, std::nullopt);
    }
    // A rule as text, with the names of the grounding; the grounder decides the order of bodies.
    std::string text(const ReducedRules &rules, std::size_t index) const {
        const asp::RuleView rule = rules.program.rule(index);
        std::set<std::string> body;
        for (const Literal literal : rule.body) {
            body.insert((literal.positive() ? " " : " not ") + name(rules, literal.atom()));
        }
        std::string text;
        for (const AtomId head : rule.head) text += name(rules, head) + " ";
        text += ":-";
        for (const std::string &literal : body) text += literal;
        return text;
    }
    std::size_t count(const std::vector<std::uint32_t> &statements) {
        return reducer_.count(statements);
    }
    std::set<std::string> texts(std::vector<std::uint32_t> statements) {
        const ReducedRules rules = reduce(std::move(statements));
        rules.program.verify();
        std::set<std::string> all;
        for (std::size_t i = 0; i < rules.program.rule_count(); ++i) all.insert(text(rules, i));
        return all;
    }
    const FamilyGrounding &family() const { return family_; }

  private:
    static FamilyGrounding ground(const std::string &program,
                                  const std::vector<std::string> &statements) {
        std::vector<FamilyStatement> named;
        for (const std::string &statement : statements) named.push_back({"<observe>", statement});
        return ground_family(Program::from_text(program), named, std::make_shared<CircuitLibrary>(),
                             {});
    }
    std::string name(const ReducedRules &rules, AtomId atom) const {
        const AtomId old = rules.atoms[atom.index()];
        const auto symbol = family_.grounding->rules().symbol(old);
        return symbol ? symbol->text() : "?";
    }

    FamilyGrounding family_;
    RuleReducer reducer_;
};

using Texts = std::set<std::string>;

TEST(RuleReducer, KeepsOnlyWhatTheObservationDependsOn) {
    Shared shared(R"(nn(d(1,x),[0,1,2]). nn(d(1,y),[0,1,2]).
s(A+B) :- d(0,x,A), d(0,y,B).
other(A) :- d(0,x,A).)",
                  {":- not s(0).", ":- not s(4).", ":- other(1)."});
    EXPECT_EQ(shared.texts({0}),
              (Texts{"s(0) :- d(0,x,0) d(0,y,0)", "__neurasp_violated(0) :- not s(0)"}));
    EXPECT_EQ(shared.texts({2}),
              (Texts{"other(1) :- d(0,x,1)", "__neurasp_violated(0) :- other(1)"}));
    const ReducedRules rules = shared.reduce({2});
    EXPECT_EQ(rules.variables, std::vector<std::size_t>{0}) << "d(y) does not matter";
    EXPECT_LE(rules.program.atom_limit(), 7U) << "atoms are numbered anew";
}

TEST(RuleReducer, CountsWhatTheObservationDependsOn) {
    Shared shared(R"(nn(d(1,x),[0,1,2]). nn(d(1,y),[0,1,2]).
s(A+B) :- d(0,x,A), d(0,y,B).)",
                  {":- not s(0).", ":- not s(2)."});
    EXPECT_EQ(shared.count({0}), 2U);
    EXPECT_EQ(shared.count({1}), 4U);
    EXPECT_EQ(shared.texts({0}).size(), 2U) << "counting leaves nothing behind";
}

TEST(RuleReducer, MakesFactsOfWhatIsThereAndDropsWhatIsNot) {
    Shared shared(R"(nn(d(1,x),[0,1]).
p(1) :- q(1). p(2) :- q(2), not r. r :- q(3).
a :- p(1), d(0,x,0). a :- p(2), d(0,x,1).)",
                  {"q(1).", "q(2).", "q(3).", ":- not a."});
    EXPECT_EQ(shared.texts({0, 3}), (Texts{"a :- d(0,x,0)", "__neurasp_violated(0) :- not a"}));
    EXPECT_EQ(shared.texts({1, 3}), (Texts{"a :- d(0,x,1)", "__neurasp_violated(0) :- not a"}));
    // r holds, so nothing derives p(2)
    EXPECT_EQ(shared.texts({1, 2, 3}),
              (Texts{"a :- d(0,x,1) p(2)", "__neurasp_violated(0) :- not a"}));
    EXPECT_EQ(shared.texts({3}), (Texts{":-"}))
        << "nothing derives a: the observation is impossible";
}

TEST(RuleReducer, ReducesAggregates) {
    Shared shared(R"(nn(d(2,x),[0,1]).
a :- 2 #count{1 : q(1); 2 : d(0,x,1); 3 : d(1,x,1)}.)",
                  {"q(1).", ":- not a."});
    const ReducedRules with = shared.reduce({0, 1});
    const ReducedRules without = shared.reduce({1});
    const auto bound = [&](const ReducedRules &rules) {
        std::int32_t found = 0;
        for (std::size_t i = 0; i < rules.program.rule_count(); ++i) {
            if (rules.program.rule(i).weighted()) found = rules.program.rule(i).bound;
        }
        return found;
    };
    EXPECT_EQ(bound(with), 1);
    EXPECT_EQ(bound(without), 2);
}

TEST(RuleReducer, ForgetsUnfoundedAtoms) {
    Shared shared(R"(nn(d(1,x),[0,1]).
a :- b. b :- a. a :- q(1), d(0,x,1).)",
                  {"q(1).", ":- not a."});
    EXPECT_EQ(shared.texts({1}), (Texts{":-"})) << "a and b support each other only";
    EXPECT_EQ(shared.texts({0, 1}).size(), 4U);
}

TEST(RuleReducer, KeepsAllChoicesWhereTheyCount) {
    Shared shared(R"(nn(d(1,x),[0,1]).
{f} :- d(0,x,0). {g} :- q(1). a :- f.)",
                  {"q(1).", ":- not a."});
    EXPECT_TRUE(shared.texts({0, 1}).contains("g :-")) << "it doubles Num";
    EXPECT_FALSE(shared.texts({1}).contains("g :-")) << "it cannot be chosen";
}

} // namespace
} // namespace neurasp::inference::test
