// Mistakes are reported, and leave the reasoner as it was.
#include "digits.hpp"

#include <gtest/gtest.h>

namespace neurasp::test {
namespace {

const Row even{0.2, 0.2, 0.2, 0.2, 0.2};

class Errors : public ::testing::Test {
  protected:
    Reasoner reasoner{Program::from_text(digits_program)};
    NetworkOutputs outputs = digits(even, even);

    void expect_usable(const Question &question) {
        EXPECT_NEAR(question.probability(outputs).probability.lower, 5.0 / 25.0,
                    probability_tolerance);
    }
    void expect_usable() { expect_usable(reasoner.ask(observe_sum(4))); }
    std::string code_of(const std::string &observation,
                        const std::vector<std::string> &queries = {}) {
        try {
            reasoner.ask(observation, queries);
        } catch (const InputError &error) {
            return error.diagnostics().at(0).code;
        }
        return "";
    }
};

TEST_F(Errors, InTheSyntaxOfAnObservationLeaveTheReasonerUsable) {
    const Question before = reasoner.ask(observe_sum(4));
    for (const char *broken : {":- not sum(4", ":- sum(4) sum(5).", ":-", "%*"}) {
        EXPECT_NE(code_of(broken), "") << broken;
        expect_usable();
        expect_usable(before);
    }
}

TEST_F(Errors, InTheGroundingOfAnObservationLeaveTheReasonerUsable) {
    const Question before = reasoner.ask(observe_sum(4));
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(code_of(":- not sum(X)."), "clingo-error"); // unsafe
        expect_usable(before);
        expect_usable();
        expect_usable(reasoner.ask(observe_sum(4) + " % " + std::to_string(round)));
    }
}

TEST_F(Errors, InTheFirstObservationLeaveTheReasonerUsable) {
    EXPECT_EQ(code_of(":- not sum(X)."), "clingo-error");
    expect_usable();
}

TEST_F(Errors, InAQueryLeaveTheReasonerUsable) {
    EXPECT_NE(code_of(observe_sum(4), {"sum("}), "");
    EXPECT_NE(code_of(observe_sum(4), {"not sum(X)"}), "");
    EXPECT_NE(code_of(observe_sum(4), {"a. b"}), "");
    expect_usable();
    const auto answer = reasoner.ask(observe_sum(4), {"digit(0,i1,0)"}).probability(outputs);
    EXPECT_NEAR(answer.queries.at(0).conditional->lower, 0.2, probability_tolerance);
}

TEST_F(Errors, InAnExtensionOfTheProgramLeaveTheReasonerUsable) {
    EXPECT_NE(code_of("p(X) :- not q(X). :- not sum(4)."), "");
    EXPECT_NE(code_of("digit(0,i1,0)."), ""); // an outcome in a head
    EXPECT_NE(code_of(std::string("p.\0q.", 5)), "");
    expect_usable();
}

TEST_F(Errors, PointIntoTheObservation) {
    try {
        reasoner.ask("% first\n  :- not sum(X).");
        FAIL() << "no exception";
    } catch (const InputError &error) {
        const Diagnostic &found = error.diagnostics().at(0);
        EXPECT_EQ(found.location.file, "<observation>");
        EXPECT_EQ(found.location.line, 2U);
        EXPECT_EQ(found.source_line, "  :- not sum(X).");
    }
}

TEST_F(Errors, InOutputsLeaveTheReasonerUsable) {
    const Question question = reasoner.ask(observe_sum(4));
    const auto wrong = digits({0.5, 0.5, 0.5, 0.5, 0.5}, even);
    EXPECT_THROW(question.probability(wrong), InputError);
    EXPECT_THROW(question.probability({}), InputError);
    EXPECT_THROW(all_models(question, {}), InputError);
    EXPECT_THROW(question.sample({}, 1), InputError);
    expect_usable(question);
}

// Such a query is allowed, but probably not what was meant.
TEST_F(Errors, AboutInputsThatNoNetworkReadsAreWarnings) {
    const auto warnings = [&](const std::string &query) {
        std::string all;
        for (const Diagnostic &found : reasoner.ask("", {query}).diagnostics()) {
            all += found.code + ": " + found.hint;
        }
        return all;
    };
    EXPECT_EQ(warnings("digit(0,i3,1)"),
              "unknown-call: did you mean 'i1'? it is called for i1; i2");
    EXPECT_EQ(warnings("digit(0,(1,2),1)"), "unknown-call: it is called for i1; i2");
    EXPECT_EQ(warnings("digit(0,i3) = 1"),
              "unknown-call: did you mean 'i1'? it is called for i1; i2");
    for (const char *fine : {"digit(0,i1,1)", "digit(0,i1)=1", "digit(0,X)=1", "f(1)=f(1)",
                             "sum(100)", "not digit(0,i3,1)", "sum(1), digit(0,i3,1)"}) {
        EXPECT_EQ(warnings(fine), "") << fine;
    }
}

TEST(ProgramWarnings, KnowTheConstantsOfTheProgram) {
    Reasoner reasoner(Program::from_text("#const k=i1. " + digits_program));
    const auto warnings = [&](const std::string &query) {
        return reasoner.ask("", {query}).diagnostics().size();
    };
    EXPECT_EQ(warnings("digit(0,k,3)"), 0U);
    EXPECT_EQ(warnings("digit(0,k,7)"), 1U); // the outcome
    EXPECT_EQ(warnings("digit(0,l,3)"), 1U);
}

TEST_F(Errors, InTheNameOfAnEngineAreContractErrors) {
    Settings settings;
    settings.engine = "warp";
    try {
        reasoner.ask(observe_sum(4)).probability(outputs, settings);
        FAIL() << "no exception";
    } catch (const ContractError &error) {
        EXPECT_NE(std::string(error.what()).find("'warp'"), std::string::npos);
    }
    expect_usable();
}

// The callback runs inside clasp, which must not see the exception.
TEST_F(Errors, ThatACallbackThrowsPassThrough) {
    const Question question = reasoner.ask(observe_sum(4));
    Reasoner huge(Program::from_text("0.5 : a(X) :- X=1..40."));
    const Question endless = huge.ask(":- #count{X : a(X)} < 3.");
    Limits limits;
    limits.on_progress = [](const Progress &) { throw std::range_error("mine"); };
    Settings settings;
    settings.engine = "enumerate";
    EXPECT_THROW(endless.probability({}, settings, limits), std::range_error);
    EXPECT_EQ(endless.most_probable({}).models.size(), 1U);
    expect_usable(question);
    EXPECT_EQ(all_models(question, outputs).models.size(), 5U);
}

TEST(ProgramErrors, OfGroundingAreReportedByEveryQuestion) {
    Reasoner reasoner(Program::from_text("p(X) :- not q(X)."));
    EXPECT_THROW(reasoner.ask(), InputError);
    EXPECT_THROW(reasoner.ask(":- p(1)."), InputError);
}

TEST(ProgramErrors, OfReadingAreReportedAtOnce) {
    EXPECT_THROW(Program::from_text("p :- "), InputError);
    EXPECT_THROW(Program::from_text("0.5 : a | 0.6 : b."), InputError);
}

TEST(ProgramErrors, OfFilesNameTheFile) {
    for (const char *path : {"/nowhere/program.lp", "/tmp"}) {
        try {
            Program::from_files({path});
            FAIL() << "no exception";
        } catch (const EnvironmentError &error) {
            EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
        }
    }
}

} // namespace
} // namespace neurasp::test
