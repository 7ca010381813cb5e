// The parts of the report about best weights and confusions.
#include "runs/page_parser.hpp"
#include "runs/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::runs {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

RunSummary measured_run() {
    RunSummary run;
    for (std::size_t e = 1; e <= 3; ++e) {
        EpochRecord record;
        record.epoch = e;
        record.examples = 10;
        record.evaluations = {{"validation", 4, {{"right", e == 2 ? 0.75 : 0.5, true}}, 0.1},
                              {"test", 4, {{"right", e == 2 ? 0.25 : 1.0, true}}, 0.1}};
        run.history.epochs.push_back(std::move(record));
    }
    return run;
}

TEST(ReportOfHabits, FinalNumbersAreThoseOfTheWeightsThatWereKept) {
    RunSummary run = measured_run();
    const auto tiles = [](const RunSummary &shown) {
        return PageParser(report_html(shown)).texts("li", "card");
    };
    EXPECT_THAT(tiles(run), Contains(HasSubstr("100.00% right, test")));
    run.history.best = {"right", 0.75, true, 20, 2.0, 1, 30};
    EXPECT_THAT(tiles(run), Contains(HasSubstr("25.00% right, test")));
    EXPECT_THAT(tiles(run), Contains(HasSubstr("75.00% right, validation")));
    EXPECT_THAT(PageParser(report_html(run)).texts("p", "summary"),
                Contains("The weights are those of epoch 2, with the best right on validation: "
                         "75.00%."));
}

TEST(ReportOfHabits, FinalNumbersMayComeFromWithinAnEpoch) {
    RunSummary run = measured_run();
    run.history.early = {{15, 1.5, {"validation", 4, {{"right", 0.875, true}}, 0.1}}};
    run.history.best = {"right", 0.875, true, 15, 1.5, 3, 30};
    EXPECT_THAT(PageParser(report_html(run)).texts("li", "card"),
                Contains(HasSubstr("87.50% right, validation")));
}

TEST(ReportOfHabits, ConfusionsHaveTheirCountsAndShares) {
    RunSummary run = measured_run();
    run.history.confusions = {{"test", "animal", {"cat", "<dog>"}, {3, 1, 0, 4}}};
    const PageParser page(report_html(run));
    EXPECT_THAT(page.texts("h3"), Contains("animal, test"));
    EXPECT_THAT(page.texts("td", "hit"), ElementsAre("3", "4"));
    EXPECT_THAT(page.texts("td", "miss"), ElementsAre("1", "0"));
    EXPECT_THAT(page.texts("td", "miss none"), ElementsAre("0"));
    EXPECT_THAT(page.texts("ol", "mixups"),
                ElementsAre(HasSubstr("expected cat, concluded <dog>: 1 time")));
    // recall 3/4 and 4/4, precision 3/3 and 4/5
    EXPECT_THAT(
        page.texts("section"),
        Contains(testing::AllOf(HasSubstr("Confusion matrices"), HasSubstr("75.0%"),
                                HasSubstr("80.0%"), HasSubstr("balanced accuracy 87.50%"))));
}

TEST(ReportOfHabits, AMatrixThatIsTooLargeIsAListOfMixups) {
    RunSummary run = measured_run();
    Confusion large{"test", "letter", {}, std::vector<std::uint64_t>(30 * 30)};
    for (int i = 0; i < 30; ++i) large.outcomes.push_back("l" + std::to_string(i));
    large.counts[5] = 7; // expected l0, concluded l5
    run.history.confusions = {large};
    const PageParser page(report_html(run));
    EXPECT_THAT(page.all("table", "confusion"), ElementsAre());
    EXPECT_THAT(page.texts("ol", "mixups"),
                ElementsAre(HasSubstr("expected l0, concluded l5: 7 times")));
}

TEST(ReportOfHabits, ExpectedAndConcludedAreNamed) {
    RunSummary run = measured_run();
    SamplePrediction wrong;
    wrong.name = "test.csv:3";
    wrong.expected = {"sum(3)"};
    wrong.conclusion = "sum(4)";
    wrong.judged = true;
    wrong.right = false;
    run.predictions = {wrong};
    const PageParser page(report_html(run));
    EXPECT_THAT(page.texts("dt"), ElementsAre("expected", "concluded"));
    EXPECT_THAT(page.texts("dd"), ElementsAre("sum(3)", "sum(4)"));
}

} // namespace
} // namespace neurasp::runs
