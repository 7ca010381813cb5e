// TrainingProgram::diagnostics: warnings of many observations, each once.
#include "testing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::training {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> messages(const TrainingProgram &program) {
    std::vector<std::string> all;
    for (const Diagnostic &found : program.diagnostics()) {
        all.push_back(found.location.file + " " + found.code + ": " + found.message);
    }
    return all;
}

TrainingProgram prepared(const std::string &text, const std::vector<Observation> &observations) {
    TrainingOptions options;
    options.circuits = false;
    TrainingProgram program(Program::from_text(text), options);
    program.prepare(observations);
    return program;
}

TEST(TrainingWarnings, NameATypoOfTheProgramOnce) {
    const TrainingProgram program = prepared(std::string(addition) + "p :- smu(1). d(1..n).",
                                             {sum_is(0), sum_is(1), {"q(1). :- not sum(2)."}});
    EXPECT_THAT(
        messages(program),
        ElementsAre("<program> undefined-operation: '1..n' is undefined: 'n' is not a number",
                    "<program> undefined-atom: no rule derives 'smu/1', so this is never "
                    "true"));
}

TEST(TrainingWarnings, NameATypoOfTheTemplateOnceAtTheFirstObservation) {
    std::vector<Observation> observations;
    for (int i = 0; i < 5; ++i) {
        observations.push_back(
            {":- not smu({}).", {std::to_string(i)}, "row " + std::to_string(i)});
    }
    const TrainingProgram program = prepared(addition, observations);
    EXPECT_THAT(
        messages(program),
        ElementsAre("row 0 undefined-atom: no rule derives 'smu/1', so this is never true"));
}

TEST(TrainingWarnings, NameATypoThatOneObservationHas) {
    const TrainingProgram program =
        prepared(addition, {sum_is(0), {":- not smu(1).", {}, "row 1"}, sum_is(2)});
    EXPECT_THAT(
        messages(program),
        ElementsAre("row 1 undefined-atom: no rule derives 'smu/1', so this is never true"));
}

TEST(TrainingWarnings, LeaveOutWhatSomeObservationBrings) {
    const std::string text = std::string(addition) + "p :- given(1), sum(2).";
    EXPECT_THAT(messages(prepared(text, {sum_is(0), {"given(2). :- not p."}})), IsEmpty());
    EXPECT_THAT(messages(prepared(text, {{"given(2). :- not p."}, sum_is(0)})), IsEmpty());
    EXPECT_EQ(messages(prepared(text, {sum_is(0), {"gievn(2). :- not p."}})).size(), 1U);
}

TEST(TrainingWarnings, LeaveOutWhatIsExpected) {
    TrainingProgram program =
        prepared(std::string(addition) + "p :- given(1), other(2).", {sum_is(0)});
    EXPECT_EQ(program.diagnostics().size(), 2U);
    const std::vector<Observation> later{{":- not sum(1)."}, {"given({}).", {"7"}}, {"wrong("}};
    program.expect(later);
    EXPECT_THAT(messages(program), ElementsAre(testing::HasSubstr("'other/1'")));
}

TEST(TrainingWarnings, OfQuestionsAreKeptToo) {
    TrainingProgram program = prepared(addition, {sum_is(0)});
    program.ask({sum_is(0)}, {"smu(1)"});
    program.ask({sum_is(1)}, {"smu(2)"});
    EXPECT_THAT(messages(program),
                ElementsAre("<query> undefined-atom: no rule derives 'smu/1', so this is never "
                            "true"));
}

// They may come with labels; a question that states facts only has probably meant to observe them.
TEST(TrainingWarnings, AreNotAboutExamplesThatOnlyBringFacts) {
    EXPECT_THAT(messages(prepared(addition, {{"sum(4)."}})), IsEmpty());
}

TEST(TrainingWarnings, OfReadingAreKeptOnce) {
    const TrainingProgram program =
        prepared(std::string(addition) + "p :- digit(0,i1,7).",
                 {sum_is(0), {":- digit(0,i1,8)."}, {":- digit(0,i1,9)."}});
    EXPECT_THAT(messages(program),
                ElementsAre("<program> unknown-outcome: the network 'digit' has no outcome '7', so "
                            "this is never true",
                            "<observation> unknown-outcome: the network 'digit' has no outcome "
                            "'8', so this is never true"));
}

} // namespace
} // namespace neurasp::training
