// The parts of datasets: stored arrays, normalised rows, distinct texts, labels.
#include "data/dataset_parts.hpp"

#include "data_files.hpp"

#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using Words = std::vector<std::string>;

ArraySettings settings_for(const std::string &path) {
    ArraySettings settings;
    settings.name = "images";
    settings.file = {"images.csv", path, {}};
    return settings;
}

std::shared_ptr<const Array> bytes_array(Shape shape, std::vector<std::uint8_t> bytes) {
    return std::make_shared<const Array>(std::move(shape), std::move(bytes), "a");
}

TEST(ArrayStore, ReadsAFileOncePerOptions) {
    const TemporaryFolder folder;
    ArraySettings settings = settings_for(folder.write("images.csv", "1,2\n3,4\n"));
    ArrayStore store;
    const auto first = store.get(settings);
    settings.scale = 255; // normalisation does not affect reading
    EXPECT_EQ(store.get(settings), first);
    settings.columns = {"2"};
    const auto second = store.get(settings);
    EXPECT_NE(second, first);
    EXPECT_EQ(second->row_size(), 1u);
}

TEST(DatasetArray, InputsAreNormalised) {
    ArraySettings settings = settings_for("");
    settings.scale = 255;
    settings.mean = {0.5};
    settings.deviation = {0.25};
    const DatasetArray array(settings, bytes_array({2, 2}, {9, 9, 0, 255}));
    std::vector<float> out(2);
    array.copy_input(1, out);
    EXPECT_FLOAT_EQ(out[0], (0.0F / 255.0F - 0.5F) / 0.25F);
    EXPECT_FLOAT_EQ(out[1], (255.0F / 255.0F - 0.5F) / 0.25F);
}

TEST(DatasetArray, ChannelsCanHaveTheirOwnNumbers) {
    ArraySettings settings = settings_for("");
    settings.mean = {1.0, 10.0};
    settings.deviation = {2.0};
    const DatasetArray array(settings, bytes_array({1, 2, 1, 2}, {1, 3, 10, 30}));
    std::vector<float> out(4);
    array.copy_input(0, out);
    EXPECT_EQ(out, (std::vector<float>{0.0F, 1.0F, 0.0F, 10.0F}));
}

TEST(DatasetArray, AWrongNumberOfChannelsIsAMistake) {
    ArraySettings settings = settings_for("");
    settings.location = {"x.toml", 7, 1, 7, 9};
    settings.mean = {1.0, 2.0, 3.0};
    EXPECT_EQ(
        error_of([&] {
            DatasetArray(settings, bytes_array({1, 2, 1, 1}, {1, 2}));
        }),
        "data-shape x.toml:7:1: 'mean' of array 'images' has 3 numbers, but 'images.csv' has 2 "
        "channels (give one number, or one for each channel (with channels_first = true))");
    EXPECT_EQ(error_of([&] {
                  DatasetArray(settings, bytes_array({1, 1, 1, 1}, {1}));
              }),
              "data-shape x.toml:7:1: 'mean' of array 'images' has 3 numbers, but 'images.csv' has "
              "1 channel (give one number, or one for each channel (with channels_first = true))");
}

TEST(DistinctTexts, EqualTextsAreKeptOnce) {
    DistinctTexts texts;
    for (const char *text : {"b", "a", "b", "", "a"}) texts.add(text);
    EXPECT_EQ(texts.size(), 5u);
    EXPECT_EQ(texts.texts(), (Words{"b", "a", ""}));
    EXPECT_EQ(texts[2], "b");
    EXPECT_EQ(texts.id(4), 1u);
    EXPECT_THROW(texts.id(5), std::out_of_range);
}

TEST(SplitOutcomes, WordsOrCharactersAreOutcomes) {
    EXPECT_EQ(split_outcomes("7", 1), Words{"7"});
    EXPECT_EQ(split_outcomes(" blue ", 1), Words{"blue"});
    EXPECT_EQ(split_outcomes("1 2, 3", 3), (Words{"1", "2", "3"}));
    EXPECT_EQ(split_outcomes("501", 3), (Words{"5", "0", "1"}));
    EXPECT_EQ(split_outcomes("f(a,b) \"x, y\"", 2), (Words{"f(a,b)", "\"x, y\""}));
    EXPECT_EQ(split_outcomes("f(a,b)", 1), Words{"f(a,b)"});
    EXPECT_EQ(split_outcomes("12", 3), std::nullopt);
    EXPECT_EQ(split_outcomes("1 2", 3), std::nullopt);
    EXPECT_EQ(split_outcomes("", 1), std::nullopt);
}

TEST(RowIntegers, RowsOfLabelsBecomeText) {
    EXPECT_EQ(row_integers(*bytes_array({2}, {4, 7}), 1), "7");
    EXPECT_EQ(row_integers(*bytes_array({2, 3}, {0, 0, 0, 1, 2, 30}), 1), "1 2 30");
    const Array floats(Shape{1, 2}, std::vector<float>{-3.0F, 4.0F}, "a");
    EXPECT_EQ(row_integers(floats, 0), "-3 4");
}

TEST(RowIntegers, LabelsMustBeIntegers) {
    const Array floats(Shape{1, 2}, std::vector<float>{1.0F, 0.5F}, "l.npy");
    EXPECT_EQ(error_of([&] { row_integers(floats, 0); }),
              "data-type l.npy: row 0 holds a number that is not an integer (labels must be "
              "integers)");
    EXPECT_EQ(error_of([&] { row_integers(floats, 1); }),
              "data-index l.npy: there is no row 1 in 'l.npy' (its only row is 0)");
}

} // namespace
} // namespace neurasp::data
