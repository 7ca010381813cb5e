// Inputs of the user's own, compared with those that a network was trained on, and pictures of another size.
#include "data/input_file.hpp"
#include "data/resize.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using testing::ElementsAre;
using testing::FloatEq;
using testing::HasSubstr;

// grey.png is 2 x 3 pixels: 0, 50, 100, 150, 200, 255.
InputForm grey_form(Shape shape) {
    InputForm form;
    form.shape = std::move(shape);
    form.channels_first = true;
    form.scale = 50.0;
    form.mean = {1.0};
    form.deviation = {2.0};
    return form;
}

ArraySettings file(const std::string &path) {
    ArraySettings settings;
    settings.file = {path, path, {}};
    return settings;
}

std::vector<float> numbers(const DatasetArray &input) {
    std::vector<float> row(input.array().row_size());
    input.copy_input(0, row);
    return row;
}

TEST(InputFile, IsPreparedAsTheNetworkWasTrained) {
    const DatasetArray input =
        read_input_file(file(kept_file("grey.png")), {"digit", grey_form({1, 2, 3}), false});
    EXPECT_THAT(input.array().shape(), ElementsAre(1u, 1u, 2u, 3u));
    // (x / 50 - 1) / 2
    EXPECT_THAT(numbers(input), ElementsAre(FloatEq(-0.5F), FloatEq(0.0F), FloatEq(0.5F),
                                            FloatEq(1.0F), FloatEq(1.5F), FloatEq(2.05F)));
}

TEST(InputFile, IsPreparedByItsSettingsIfNothingElseIsKnown) {
    ArraySettings settings = file(kept_file("grey.png"));
    settings.scale = 50.0;
    const DatasetArray input = read_input_file(settings, {"digit", {}, false});
    EXPECT_THAT(input.array().shape(), ElementsAre(1u, 2u, 3u));
    EXPECT_FLOAT_EQ(numbers(input)[1], 1.0F);
}

TEST(InputFile, OfAnotherSizeOrColourIsNamedWithWhatWasExpected) {
    EXPECT_EQ(
        error_of([] {
            read_input_file(file(kept_file("grey.png")), {"digit", grey_form({1, 28, 20}), false});
        }),
        "input-form grey.png: this is a grey picture of 3 x 2 pixels, but the network 'digit' "
        "was trained on grey pictures of 20 x 28 pixels (have pictures converted, or give one "
        "like those)");
    EXPECT_THAT(
        error_of([] {
            read_input_file(file(kept_file("rgb.png")), {"digit", grey_form({1, 2, 2}), false});
        }),
        HasSubstr("this is a colour picture of 2 x 2 pixels, but the network 'digit' was "
                  "trained on grey pictures of 2 x 2 pixels"));
}

TEST(InputFile, OfAnotherShapeIsNamedWithWhatWasExpected) {
    const TemporaryFolder folder;
    InputForm form;
    form.shape = {2};
    const std::string row = folder.write("row.csv", "1,2,3\n");
    EXPECT_EQ(error_of([&] {
                  read_input_file(file(row), {"kind", form, true});
              }),
              "input-form row.csv: this is an input of shape 3, but the network 'kind' was trained "
              "on inputs of shape 2 (give an input like those)");
    EXPECT_THAT(error_of([&] {
                    read_input_file(file(kept_file("grey.png")), {"kind", form, true});
                }),
                HasSubstr("an input of shape 2 x 3"));
    const std::string rows = folder.write("rows.csv", "1,2\n3,4\n");
    EXPECT_THAT(error_of([&] {
                    read_input_file(file(rows), {"kind", form, true});
                }),
                HasSubstr("this holds 2 inputs, expected one"));
}

TEST(InputFile, IsConvertedOnRequest) {
    // rgb.png is red, green, blue and (10, 20, 30); as grey 76, 150, 29 and 18
    InputForm form = grey_form({1, 2, 2});
    form.scale = 1.0;
    form.mean = {0.0};
    form.deviation = {1.0};
    EXPECT_THAT(numbers(read_input_file(file(kept_file("rgb.png")), {"digit", form, true})),
                ElementsAre(76.0F, 150.0F, 29.0F, 18.0F));
    form.shape = {3, 4, 6};
    const DatasetArray larger = read_input_file(file(kept_file("grey.png")), {"digit", form, true});
    EXPECT_THAT(larger.array().shape(), ElementsAre(1u, 3u, 4u, 6u));
    EXPECT_EQ(numbers(larger).front(), 0.0F);
    EXPECT_EQ(numbers(larger).back(), 255.0F);
}

// By hand: weights are 1 - distance / width of the filter, in places that are half a pixel from its edge.
TEST(Resized, BlendsThePixelsAroundAPlace) {
    const Array grown = resized(Array({1, 1, 2}, Bytes{0, 100}), 1, 4);
    EXPECT_THAT(values<std::uint8_t>(grown), ElementsAre(0, 25, 75, 100));
    // (0.75 * 0 + 0.75 * 100 + 0.25 * 200) / 1.75 and (0.25 * 100 + 0.75 * 200 + 0.75 * 100) / 1.75
    const Array shrunk = resized(Array({1, 4, 1}, Bytes{0, 100, 200, 100}), 2, 1);
    EXPECT_THAT(shrunk.shape(), ElementsAre(1u, 2u, 1u));
    EXPECT_THAT(values<std::uint8_t>(shrunk), ElementsAre(71, 143));
}

TEST(Resized, KeepsChannelsPicturesAndTheSameSizeApart) {
    const Array pictures({2, 1, 2, 3}, Bytes{1, 2, 3, 1, 2, 3, 7, 8, 9, 7, 8, 9});
    EXPECT_THAT(values<std::uint8_t>(resized(pictures, 1, 1)), ElementsAre(1, 2, 3, 7, 8, 9));
    const Array same({1, 2, 2}, Bytes{9, 0, 255, 3});
    EXPECT_THAT(values<std::uint8_t>(resized(same, 2, 2)), ElementsAre(9, 0, 255, 3));
    EXPECT_THROW(resized(same, 0, 2), ContractError);
}

} // namespace
} // namespace neurasp::data
