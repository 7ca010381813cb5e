// Sample predictions with their pictures. Right and wrong differ by sign and word, not by colour alone.
#include "runs/png_data.hpp"
#include "runs/report_sections.hpp"
#include "runs/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace neurasp::runs::report {

namespace {

using Picture = SamplePrediction::Picture;

constexpr std::size_t many_pictures = 12; // if an example has more, they are shown small

// The width at which to show a picture: small ones are enlarged by an integer factor, so that pixels stay square.
std::size_t shown_width(const Picture &picture, bool small) {
    const std::size_t wished = small ? 36 : 84;
    const std::size_t most = 240;
    const std::size_t longest = std::max({picture.width, picture.height, std::size_t{1}});
    if (longest > most) return std::max<std::size_t>(picture.width * most / longest, 1);
    return picture.width * std::max<std::size_t>(wished / longest, 1);
}

std::string image(const Picture &picture, bool small) {
    if (picture.pixels.empty()) return "";
    return fmt::format(
        R"(<img src="{}" alt="the picture of {}" width="{}"/>)",
        png_data_uri({picture.width, picture.height, picture.channels, picture.pixels}),
        escape(picture.terms), shown_width(picture, small));
}

std::string outcome(const Picture &picture) {
    const std::string said = fmt::format("<b>{}</b> {}", escape(picture.prediction),
                                         escape(probability_text(picture.probability)));
    if (picture.label.empty()) return fmt::format("<span>concluded {}</span>", said);
    if (picture.label == picture.prediction) {
        return fmt::format("<span class=\"right\" title=\"as expected\">✓ {}</span>", said);
    }
    return fmt::format(
        "<span class=\"wrong\">✗ concluded {}</span> <span>expected <b>{}</b></span>", said,
        escape(picture.label));
}

std::string shown(const Picture &picture, bool small) {
    return fmt::format("<li>{}<code>{}</code> {}</li>\n", image(picture, small),
                       escape(picture.terms), outcome(picture));
}

std::string verdict(const SamplePrediction &prediction) {
    if (!prediction.judged) return "";
    return prediction.right ? "<span class=\"verdict right\">✓ right</span>"
                            : "<span class=\"verdict wrong\">✗ wrong</span>";
}

std::string line(std::string_view name, const std::string &code) {
    if (code.empty()) return "";
    return fmt::format("<dt>{}</dt><dd><code>{}</code></dd>", name, escape(code));
}

std::string joined_queries(const std::vector<std::string> &queries) {
    std::string text;
    for (const std::string &query : queries) text += (text.empty() ? "" : ", ") + query;
    return text;
}

std::string card(const SamplePrediction &prediction) {
    const bool small = prediction.pictures.size() > many_pictures;
    std::string pictures;
    for (const Picture &picture : prediction.pictures) pictures += shown(picture, small);
    if (!pictures.empty()) {
        pictures =
            fmt::format("<ul class=\"pictures{}\">\n{}</ul>\n", small ? " small" : "", pictures);
    }
    std::string lines = line("observed", prediction.observation) +
                        line("expected", joined_queries(prediction.expected)) +
                        line("concluded", prediction.conclusion);
    if (!lines.empty()) lines = "<dl>" + lines + "</dl>\n";
    return fmt::format("<article class=\"card{}{}\">\n<h3>{} {}</h3>\n{}{}</article>\n",
                       is_mistake(prediction) ? " missed" : "", small ? " whole" : "",
                       escape(prediction.name), verdict(prediction), pictures, lines);
}

std::string tally(const std::vector<SamplePrediction> &predictions) {
    const auto judged = std::count_if(predictions.begin(), predictions.end(),
                                      [](const auto &one) { return one.judged; });
    const auto right = std::count_if(predictions.begin(), predictions.end(),
                                     [](const auto &one) { return one.judged && one.right; });
    if (judged == 0) return "";
    return fmt::format(
        "<p>Mistakes come first. {} of {} shown here {} right: <b>concluded</b> is what "
        "networks and program say without the observation's constraints, "
        "<b>expected</b> what is known to be true.</p>\n",
        right, judged, judged == 1 ? "is" : "are");
}

} // namespace

std::string predictions_section(const std::vector<SamplePrediction> &predictions) {
    if (predictions.empty()) return "";
    std::string cards;
    for (const SamplePrediction &prediction : predictions) cards += card(prediction);
    return section("Sample predictions",
                   tally(predictions) + "<div class=\"predictions\">\n" + cards + "</div>");
}

} // namespace neurasp::runs::report

namespace neurasp::runs {

bool is_mistake(const SamplePrediction &prediction) {
    const auto differs = [](const SamplePrediction::Picture &picture) {
        return !picture.label.empty() && picture.label != picture.prediction;
    };
    return (prediction.judged && !prediction.right) ||
           std::any_of(prediction.pictures.begin(), prediction.pictures.end(), differs);
}

} // namespace neurasp::runs
