// The report of a run as a page.
#include "neurasp/diagnostic.hpp"
#include "page_parser.hpp"
#include "runs/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace neurasp::runs {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

EpochRecord epoch_record(std::size_t epoch, double accuracy) {
    EpochRecord record;
    record.epoch = epoch;
    record.batches = 10;
    record.examples = 640;
    record.loss = 2.0 / static_cast<double>(epoch);
    record.mean_log_probability = -record.loss;
    record.seconds = {0.5, 6.0, 1.5, 0.5};
    record.evaluations = {
        {"validation", 100, {{"accuracy of digit", accuracy, true}}, 0.1},
        {"test",
         100,
         {{"accuracy of digit", accuracy - 0.01, true}, {"perplexity", 12.5, false}},
         0.1}};
    record.learning_rates = {{"digit", 0.001}};
    return record;
}

SamplePrediction prediction(const std::string &said, const std::string &label) {
    SamplePrediction sample;
    sample.name = "test.csv:17";
    sample.observation = ":- not addition(i1,i2,7).";
    sample.conclusion = "addition(i1,i2,7)";
    sample.pictures = {{"i1", 2, 2, 1, {0, 80, 160, 255}, said, 0.75, label}};
    sample.judged = true;
    sample.right = said == label;
    return sample;
}

// A run with content for every part of the page.
RunSummary whole_run() {
    RunSummary run;
    run.title = "addition.toml";
    run.configuration_json = R"({"seed": 7, "networks": {"digit": {"layers": [{"kind": "conv"}]}},
                                 "example": {"columns": ["i1", "sum"]}})";
    run.experiment_text = "seed = 7\n";
    run.networks = {{"digit", "44,426 parameters"}};
    run.rules = {{"0.5::a; 0.5::b.", {{"a", 0.25}, {"b", 0.75}}}};
    run.history.epochs = {epoch_record(1, 0.8), epoch_record(2, 0.9)};
    run.history.points = {{5, 3.0, 90.0}, {10, 2.0, 80.0}, {15, 1.5, 85.0}};
    run.predictions = {prediction("4", "4"), prediction("1", "7")};
    run.seconds = 65.2;
    return run;
}

std::vector<std::string> chart_names(const PageParser &page) {
    std::vector<std::string> names;
    for (const Element &svg : page.all("svg")) {
        if (!svg.attribute("aria-label").empty()) names.push_back(svg.attribute("aria-label"));
    }
    return names;
}

TEST(Report, ThePageIsWellFormedAndNeedsNothingElse) {
    const std::string html = report_html(whole_run());
    const PageParser page(html);
    EXPECT_THAT(html, AllOf(Not(HasSubstr("http:")), Not(HasSubstr("https:")),
                            Not(HasSubstr("@import")), Not(HasSubstr("href"))));
    for (const Element &element : page.elements()) {
        EXPECT_THAT(element.name, Not(testing::AnyOf("link", "iframe", "object", "embed")));
        const std::string source = element.attribute("src");
        EXPECT_TRUE(source.empty() || source.starts_with("data:image/png;base64,")) << source;
    }
    for (std::size_t at = html.find("url("); at != std::string::npos;
         at = html.find("url(", at + 1)) {
        EXPECT_EQ(html[at + 4], '#');
    }
}

TEST(Report, TheSameRunGivesTheSameBytes) {
    EXPECT_EQ(report_html(whole_run()), report_html(whole_run()));
}

TEST(Report, AnEmptyRunHasAPage) {
    const PageParser page(report_html({}));
    EXPECT_THAT(page.texts("h1"), ElementsAre("Training run"));
    EXPECT_THAT(page.texts("p", "summary"), ElementsAre("0 epochs · 0 training examples · 0 s"));
    EXPECT_THAT(page.texts("p", "notice"), ElementsAre("No epoch was finished."));
    EXPECT_THAT(page.all("section"), ElementsAre());
}

TEST(Report, PointsOfAnUnfinishedEpochAreDrawn) {
    RunSummary run;
    run.history.points = {{5, 3.0, 90.0}, {10, 2.0, 80.0}};
    EXPECT_THAT(chart_names(PageParser(report_html(run))),
                ElementsAre("Loss", "Speed (examples/s)"));
}

TEST(Report, TheSummaryAndTheFinalNumbersComeFirst) {
    const PageParser page(report_html(whole_run()));
    EXPECT_THAT(page.texts("title"), ElementsAre("addition.toml – NeurASP"));
    EXPECT_THAT(page.texts("p", "summary"),
                ElementsAre("2 epochs · 1,280 training examples · 1 min 05 s"));
    EXPECT_THAT(page.texts("p", "notice"), ElementsAre());
    const auto tiles = page.texts("li", "card");
    EXPECT_THAT(tiles,
                ElementsAre("90.00% accuracy of digit, validation",
                            "89.00% accuracy of digit, test", "12.5 perplexity, test",
                            "1 loss, training", "-1 mean log P(O), training", "80 examples/s"));
}

TEST(Report, AnEarlyEndAndImpossibleExamplesAreShown) {
    RunSummary run = whole_run();
    run.finished = "interrupted";
    run.history.epochs[0].impossible = 2;
    run.history.epochs[1].impossible = 1;
    run.history.impossible_examples = {"train.csv:3"};
    const PageParser page(report_html(run));
    EXPECT_THAT(page.texts("p", "notice"), ElementsAre("Ended early: interrupted"));
    EXPECT_THAT(page.texts("div", "notice"),
                ElementsAre(AllOf(HasSubstr("P(O) = 0 for 3 examples"), HasSubstr("train.csv:3"))));
}

TEST(Report, EachMetricHasAChartWithALineForEachSplit) {
    const PageParser page(report_html(whole_run()));
    EXPECT_THAT(chart_names(page),
                ElementsAre("Loss", "accuracy of digit", "perplexity", "mean log P(O)",
                            "Speed (examples/s)", "Time per epoch (s)"));
    const auto legends = page.texts("ul", "legend");
    EXPECT_EQ(legends.at(0), "along the way 1.5mean of each epoch 1");
    EXPECT_EQ(legends.at(1), "validation 90.00%test 89.00%");
    EXPECT_EQ(legends.at(3), "training -1");
}

TEST(Report, AnEvaluationsLogProbabilityIsDrawnBesideThatOfTraining) {
    RunSummary run = whole_run();
    run.history.epochs[1].evaluations[0].metrics = {{"mean log P(O)", -0.5, false}};
    EXPECT_THAT(PageParser(report_html(run)).texts("ul", "legend"),
                Contains("training -1validation -0.5"));
}

TEST(Report, ALearningRateIsDrawnIfItChanges) {
    RunSummary run = whole_run();
    run.history.epochs[1].learning_rates[0].second = 0.0005;
    EXPECT_THAT(chart_names(PageParser(report_html(run))), Contains("Learning rate"));
}

TEST(Report, TimeSpentCompilingIsAPartOfTheSymbolicTime) {
    const PageParser page(report_html(whole_run()));
    EXPECT_EQ(page.texts("ul", "legend").back(), "network 12 s (75.0%)symbolic 2 s (12.5%)"
                                                 "symbolic: compiling 1 s (6.2%)data 1 s (6.2%)");
    std::vector<double> heights;
    for (const Element &bar : page.all("rect")) {
        if (!bar.attribute("y").empty() && bar.attribute("class") != "") {
            heights.push_back(std::stod(bar.attribute("height")));
        }
    }
    ASSERT_EQ(heights.size(), 8u); // four parts in two epochs: 6, 1, 0.5 and 0.5 s
    EXPECT_NEAR(heights[0] / heights[1], 6.0, 0.02);
    EXPECT_NEAR(heights[1] / heights[2], 2.0, 0.02);
    EXPECT_NEAR(heights[2] / heights[3], 1.0, 0.02);
}

TEST(Report, TheValuesUnderThePointerAreJson) {
    const PageParser page(report_html(whole_run()));
    for (const Element &svg : page.all("svg")) {
        if (svg.attribute("aria-label") != "accuracy of digit") continue;
        const auto series = nlohmann::json::parse(svg.attribute("data-hover"));
        EXPECT_EQ(series.at(1).at("name"), "test");
        EXPECT_EQ(series.at(1).at("points").at(0).at(1), "epoch 1");
        EXPECT_EQ(series.at(1).at("points").at(0).at(2), "79.00%");
        return;
    }
    FAIL() << "no such chart";
}

TEST(Report, AnEpochIsARowOfItsTable) {
    RunSummary run = whole_run();
    run.history.epochs = {epoch_record(1, 0.8)};
    const auto cells =
        PageParser(report_html(run)).texts("tr").at(1 + 2); // after those of the rule
    EXPECT_EQ(cells, "1106402-2080.00%79.00%12.5806 s1.5 s500 ms500 ms0.001");
}

TEST(Report, NumbersThatAreNotFiniteAreDashes) {
    RunSummary run = whole_run();
    run.seconds = not_a_number;
    run.rules[0].second[0].second = not_a_number;
    run.predictions[0].pictures[0].probability = not_a_number;
    EpochRecord &last = run.history.epochs.back();
    last.loss = not_a_number;
    last.mean_log_probability = -infinity;
    last.evaluations[0].metrics[0].value = not_a_number;
    last.learning_rates[0].second = infinity;
    const std::string html = report_html(run);
    const PageParser page(html);
    EXPECT_THAT(page.texts("p", "summary"), ElementsAre(EndsWith(" · –")));
    EXPECT_THAT(page.texts("li", "card"),
                AllOf(Contains("– loss, training"), Contains("– mean log P(O), training"),
                      Contains("– accuracy of digit, validation")));
    EXPECT_THAT(page.texts("td"), Contains("–"));
    for (const Element &element : page.elements()) {
        if (element.name == "script" || element.name == "style") continue;
        for (const auto &[key, value] : element.attributes) {
            EXPECT_THAT(value, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf")))) << key;
        }
    }
    for (const std::string &text : page.texts("section")) {
        EXPECT_THAT(text, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf"))));
    }
}

TEST(Report, ALineIsBrokenWhereThereIsNoNumber) {
    RunSummary run;
    run.history.points = {{1, 1.0, 1}, {2, 2.0, 1}, {3, not_a_number, 1}, {4, 1.0, 1}, {5, 2.0, 1}};
    const PageParser page(report_html(run));
    std::vector<std::string> paths;
    for (const Element &path : page.all("path")) paths.push_back(path.attribute("d"));
    const std::string &loss = paths.at(1); // after the legend's
    EXPECT_EQ(std::count(loss.begin(), loss.end(), 'M'), 2);
    EXPECT_EQ(std::count(loss.begin(), loss.end(), 'L'), 2);
}

TEST(Report, ALongCurveHasAFewHundredPoints) {
    RunSummary run;
    for (std::uint64_t i = 0; i < 100000; ++i) run.history.points.push_back({i, 1.0, 1.0});
    EXPECT_LT(report_html(run).size(), 100000u);
}

// A run whose names and texts all contain markup.
RunSummary hostile_run(const std::string &text) {
    RunSummary run = whole_run();
    run.title = run.experiment_text = run.finished = text;
    run.configuration_json = nlohmann::json({{text, text}})
                                 .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    run.networks = {{text, text}};
    run.rules = {{text, {{text, 0.5}}}};
    run.history.impossible_examples = {text};
    Evaluation &evaluation = run.history.epochs[1].evaluations[0];
    evaluation.split = evaluation.metrics[0].name = text;
    run.history.epochs[0].learning_rates = {{text, 1.0}, {text, 0.5}};
    SamplePrediction &sample = run.predictions[0];
    sample.name = sample.observation = sample.conclusion = text;
    SamplePrediction::Picture &picture = sample.pictures[0];
    picture.terms = picture.prediction = picture.label = text;
    return run;
}

TEST(Report, TextsOfUsersAreEscaped) {
    const std::string text = R"(</pre><script>alert("1")</script>&amp;'<b onclick="x">]]>)";
    const PageParser page(report_html(hostile_run(text)));
    EXPECT_EQ(page.all("script").size(), 1u);
    for (const Element &element : page.elements()) EXPECT_EQ(element.attribute("onclick"), "");
    EXPECT_THAT(page.texts("h1"), ElementsAre(text));
    EXPECT_THAT(page.texts("h3"), AllOf(Contains(text), Contains(text + " ✓ right")));
    EXPECT_THAT(page.texts("figcaption"), Contains(text));
    EXPECT_THAT(page.texts("th"), AllOf(Contains(text), Contains(text + ", " + text)));
    EXPECT_THAT(page.texts("dd"), Contains(text));
    EXPECT_THAT(page.texts("pre"), ElementsAre(text, text));
    EXPECT_THAT(page.texts("p", "notice"), ElementsAre("Ended early: " + text));
}

TEST(Report, BytesThatAreNotTextAreReplaced) {
    const PageParser page(report_html(hostile_run(std::string("a\0b\x1b\xff\xc3", 6))));
    EXPECT_THAT(page.texts("h1"), ElementsAre("a�b���"));
}

TEST(Report, RightAndWrongAreSaidInWords) {
    const PageParser page(report_html(whole_run()));
    EXPECT_THAT(page.texts("span", "verdict"), ElementsAre("✓ right", "✗ wrong"));
    const auto pictures = page.texts("ul", "pictures");
    EXPECT_THAT(pictures.at(0), HasSubstr("i1 ✓ 4 75.0%"));
    EXPECT_THAT(pictures.at(1), HasSubstr("i1 ✗ concluded 1 75.0% expected 7"));
    EXPECT_EQ(page.all("article", "missed").size(), 1u);
    EXPECT_THAT(page.texts("section").at(1),
                HasSubstr("Mistakes come first. 1 of 2 shown here are right:"));
}

TEST(Report, APredictionWithoutPictureOrLabelIsShownAsText) {
    RunSummary run = whole_run();
    run.predictions = {prediction("on", "")};
    run.predictions[0].judged = false;
    run.predictions[0].pictures[0].pixels.clear();
    const PageParser page(report_html(run));
    EXPECT_THAT(page.all("img"), ElementsAre());
    EXPECT_THAT(page.texts("ul", "pictures"), ElementsAre("\ni1 concluded on 75.0%\n"));
    EXPECT_THAT(page.texts("span", "verdict"), ElementsAre());
}

TEST(Report, APictureThatDoesNotFitItsSizeIsAContractError) {
    RunSummary run = whole_run();
    run.predictions[0].pictures[0].width = 3;
    EXPECT_THROW(report_html(run), ContractError);
}

TEST(Report, LearnedProbabilitiesHaveNumbersAndBars) {
    const PageParser page(report_html(whole_run()));
    EXPECT_THAT(page.texts("div", "rule"),
                ElementsAre(AllOf(HasSubstr("0.5::a; 0.5::b."), HasSubstr("a0.25"))));
    EXPECT_EQ(page.all("td", "bar").size(), 2u);
}

TEST(Report, TheConfigurationIsATableOfDottedKeysThatIsFolded) {
    const PageParser page(report_html(whole_run()));
    EXPECT_THAT(page.texts("table", "settings"),
                ElementsAre("\nseed7\nnetworks.digit.layers[0].kindconv\n"
                            "example.columns[\"i1\",\"sum\"]\n"));
    for (const Element &details : page.all("details"))
        EXPECT_FALSE(details.attributes.contains("open"));
}

TEST(Report, AConfigurationThatIsNotJsonIsShownAsItIs) {
    RunSummary run = whole_run();
    run.configuration_json = "{seed";
    EXPECT_THAT(PageParser(report_html(run)).texts("pre"), Contains("{seed"));
}

} // namespace
} // namespace neurasp::runs
