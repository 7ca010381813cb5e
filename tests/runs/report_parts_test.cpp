// The parts of a report: axes, texts, charts, pictures.
#include "data/image.hpp"
#include "neurasp/diagnostic.hpp"
#include "runs/png_data.hpp"
#include "runs/report_axis.hpp"
#include "runs/report_charts.hpp"
#include "runs/report_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace neurasp::runs {
namespace {

using namespace report;
using testing::ElementsAre;
using testing::StartsWith;

std::vector<std::string> tick_texts(const Axis &axis, TickStyle style) {
    std::vector<std::string> texts;
    for (const double tick : axis.ticks()) texts.push_back(axis.tick_text(tick, style));
    return texts;
}

std::vector<std::string> rounded(double low, double high, TickStyle style = TickStyle::number) {
    return tick_texts(rounded_axis({low, high}, 4, style), style);
}

TEST(ReportAxis, TicksAreAtRoundNumbersAroundTheValues) {
    EXPECT_THAT(rounded(0, 2.37), ElementsAre("0", "1", "2", "3"));
    EXPECT_THAT(rounded(0, 0.6), ElementsAre("0.0", "0.2", "0.4", "0.6"));
    EXPECT_THAT(rounded(-1.19, -0.09), ElementsAre("-1.5", "-1.0", "-0.5", "0.0"));
    EXPECT_THAT(rounded(0, 0.0007), ElementsAre("0.0000", "0.0002", "0.0004", "0.0006", "0.0008"));
    EXPECT_THAT(rounded(0, 3900), ElementsAre("0", "1,000", "2,000", "3,000", "4,000"));
    EXPECT_THAT(rounded(0, 11000), ElementsAre("0", "5k", "10k", "15k"));
    EXPECT_THAT(rounded(0, 1.3e6), ElementsAre("0", "0.5M", "1.0M", "1.5M"));
}

TEST(ReportAxis, SharesArePercentagesWithinTheirBounds) {
    EXPECT_THAT(rounded(0.931, 0.985, TickStyle::percent),
                ElementsAre("92%", "94%", "96%", "98%", "100%"));
    EXPECT_THAT(rounded(0.981, 0.985, TickStyle::percent),
                ElementsAre("98.1%", "98.2%", "98.3%", "98.4%", "98.5%"));
    const Axis one = rounded_axis({1, 1}, 4, TickStyle::percent);
    EXPECT_EQ(one.tick_text(one.ticks().back(), TickStyle::percent), "100%");
    EXPECT_LT(one.low, 0.96);
    const Axis none = rounded_axis({0, 0}, 4, TickStyle::percent);
    EXPECT_EQ(none.tick_text(none.ticks().front(), TickStyle::percent), "0%");
}

TEST(ReportAxis, WholeNumbersHaveNoTicksBetweenThem) {
    const auto texts = [](double low, double high) {
        return tick_texts(tight_axis({low, high}, 6, TickStyle::whole), TickStyle::whole);
    };
    EXPECT_THAT(texts(1, 1), ElementsAre("1"));
    EXPECT_THAT(texts(1, 3), ElementsAre("1", "2", "3"));
    EXPECT_THAT(texts(1, 22), ElementsAre("5", "10", "15", "20"));
    EXPECT_THAT(texts(10, 469), ElementsAre("100", "200", "300", "400"));
}

TEST(ReportAxis, AnyRangeHasAFewTicks) {
    for (const Range range : {Range{0, 0}, Range{5, 5}, Range{-3, -3}, Range{1e15, 1e15 + 0.25},
                              Range{0, 1e-300}, Range{-9e99, 9e99}, Range{1e-12, 2e-12}}) {
        const Axis axis = rounded_axis(range, 4, TickStyle::number);
        EXPECT_LE(axis.low, range.low);
        EXPECT_GE(axis.high, range.high);
        EXPECT_GE(axis.ticks().size(), 2u);
        EXPECT_LE(axis.ticks().size(), 8u);
    }
}

TEST(ReportText, NumbersAreShort) {
    EXPECT_EQ(number_text(0.123456), "0.1235");
    EXPECT_EQ(number_text(-12345.6), "-12,346");
    EXPECT_EQ(number_text(1e20), "1e+20");
    EXPECT_EQ(share_text(0.97504), "97.50%");
    EXPECT_EQ(count_text(0), "0");
    EXPECT_EQ(count_text(1234567), "1,234,567");
    EXPECT_EQ(counted(1, "epoch"), "1 epoch");
}

TEST(ReportText, ProbabilitiesNearTheirBoundsAreNotRoundedToThem) {
    EXPECT_EQ(probability_text(0.975), "97.5%");
    EXPECT_EQ(probability_text(0.99999), ">99.9%");
    EXPECT_EQ(probability_text(1), "100%");
    EXPECT_EQ(probability_text(1e-9), "<0.1%");
    EXPECT_EQ(probability_text(0), "0%");
}

TEST(ReportText, SecondsHaveTheUnitThatFits) {
    EXPECT_EQ(seconds_text(0), "0 s");
    EXPECT_EQ(seconds_text(0.0123), "12.3 ms");
    EXPECT_EQ(seconds_text(12.34), "12.3 s");
    EXPECT_EQ(seconds_text(59.97), "1 min 00 s");
    EXPECT_EQ(seconds_text(185), "3 min 05 s");
    EXPECT_EQ(seconds_text(3599.7), "1 h 00 min");
    EXPECT_EQ(seconds_text(1e300), "1e+300 s");
}

TEST(ReportText, NumbersThatAreNotFiniteAreShownAsADash) {
    for (const double value :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        EXPECT_EQ(number_text(value), "–");
        EXPECT_EQ(share_text(value), "–");
        EXPECT_EQ(probability_text(value), "–");
        EXPECT_EQ(seconds_text(-value), "–");
    }
}

TEST(ReportText, EscapingKeepsUtf8AndReplacesTheRest) {
    EXPECT_EQ(escape("ä€𝄞\t\n"), "ä€𝄞\t\n");
    EXPECT_EQ(escape("<a b=\"c\">&'"), "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
    EXPECT_EQ(escape("\xC0\xAF"), "��");           // '/' in two bytes
    EXPECT_EQ(escape("\xED\xA0\x80"), "���");      // half of a surrogate pair
    EXPECT_EQ(escape("\xEF\xBF\xBF"), "���");      // U+FFFF
    EXPECT_EQ(escape("\xF4\x90\x80\x80"), "����"); // beyond U+10FFFF
    EXPECT_EQ(escape("\xE2\x82"), "��");           // cut off
}

TEST(ReportCharts, ThinnedPointsAreMeansOfTheFiniteValues) {
    const double gap = std::numeric_limits<double>::quiet_NaN();
    const auto points = thinned({{1, 2}, {2, 4}, {3, gap}, {4, 5}, {5, gap}}, 3);
    ASSERT_EQ(points.size(), 3u);
    EXPECT_EQ(points[0].x, 2);
    EXPECT_EQ(points[0].y, 3);
    EXPECT_EQ(points[1].y, 5);
    EXPECT_TRUE(std::isnan(points[2].y));
}

TEST(PngData, Base64IsThatOfRfc4648) {
    const auto of = [](std::string_view text) {
        const std::vector<std::uint8_t> bytes(text.begin(), text.end());
        return base64(bytes);
    };
    EXPECT_EQ(of(""), "");
    EXPECT_EQ(of("f"), "Zg==");
    EXPECT_EQ(of("fo"), "Zm8=");
    EXPECT_EQ(of("foo"), "Zm9v");
    EXPECT_EQ(of("foobar"), "Zm9vYmFy");
    EXPECT_EQ(of("\xFB\xFF"), "+/8=");
}

// The picture in a data: address, as the data layer reads it.
data::Array decoded(const std::string &uri) {
    constexpr std::string_view head = "data:image/png;base64,";
    EXPECT_THAT(uri, StartsWith(head));
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    data::Bytes bytes;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char character : uri.substr(head.size())) {
        if (character == '=') break;
        bits = bits << 6U | static_cast<std::uint32_t>(digits.find(character));
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<std::uint8_t>(bits >> count & 255U));
    }
    return data::decode_png(bytes, "picture");
}

const std::vector<std::uint8_t> &pixels_of(const data::Array &array) {
    return std::get<std::vector<std::uint8_t>>(array.elements());
}

TEST(PngData, PicturesKeepTheirPixels) {
    const std::vector<std::uint8_t> grey = {0, 1, 127, 128, 254, 255};
    const data::Array grey_picture = decoded(png_data_uri({3, 2, 1, grey}));
    EXPECT_THAT(grey_picture.shape(), ElementsAre(2u, 3u));
    EXPECT_EQ(pixels_of(grey_picture), grey);
    const std::vector<std::uint8_t> color = {255, 0, 0, 0, 255, 10};
    const data::Array color_picture = decoded(png_data_uri({1, 2, 3, color}));
    EXPECT_THAT(color_picture.shape(), ElementsAre(2u, 1u, 3u));
    EXPECT_EQ(pixels_of(color_picture), color);
}

TEST(PngData, LongPicturesAreShrunkToMeans) {
    const std::vector<std::uint8_t> grey = {0, 10, 100, 20, 30, 200, 7, 9, 50};
    const data::Array picture = decoded(png_data_uri({3, 3, 1, grey}, 2));
    EXPECT_THAT(picture.shape(), ElementsAre(2u, 2u));
    EXPECT_THAT(pixels_of(picture), ElementsAre(15, 150, 8, 50));
}

TEST(PngData, BytesThatAreNotAPictureAreAContractError) {
    const std::vector<std::uint8_t> bytes(6);
    EXPECT_THROW(png_data_uri({3, 3, 1, bytes}), ContractError);
    EXPECT_THROW(png_data_uri({3, 1, 2, bytes}), ContractError);
    EXPECT_THROW(png_data_uri({0, 0, 1, {}}), ContractError);
    EXPECT_THROW(png_data_uri({std::size_t{1} << 63U, 2, 1, bytes}), ContractError);
}

} // namespace
} // namespace neurasp::runs
