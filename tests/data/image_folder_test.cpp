// Folders of pictures as arrays.
#include "data/image_folder.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

void add(const TemporaryFolder &folder, const std::string &name, const std::string &kept) {
    folder.write(name, read_bytes(kept_file(kept)));
}

ImageFolder read_classes(const std::string &path) {
    ImageFolderOptions options;
    options.class_folders = true;
    return read_image_folder(path, options);
}

TEST(ImageFolder, SubfoldersAreClasses) {
    const ImageFolder folder = read_classes(kept_file("symbols"));
    EXPECT_THAT(folder.classes, ElementsAre("minus", "plus"));
    EXPECT_THAT(folder.names, ElementsAre("minus/0.png", "minus/1.png", "plus/0.png"));
    EXPECT_THAT(values<std::int64_t>(folder.labels), ElementsAre(0, 0, 1));
    EXPECT_THAT(folder.images.shape(), ElementsAre(3u, 2u, 3u));
    EXPECT_THAT(values<std::uint8_t>(folder.images),
                ElementsAre(1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3));
}

TEST(ImageFolder, PicturesAreSortedByName) {
    const TemporaryFolder folder;
    add(folder, "b10.png", "symbols/plus/0.png");
    add(folder, "b2.PNG", "symbols/minus/1.png");
    add(folder, "a.png", "symbols/minus/0.png");
    folder.write("README.md", "no picture");
    folder.write(".hidden.png", "no picture");
    const ImageFolder read = read_image_folder(folder.path(""));
    EXPECT_THAT(read.names, ElementsAre("a.png", "b10.png", "b2.PNG"));
    EXPECT_EQ(values<std::uint8_t>(read.images)[6], 3);
    EXPECT_TRUE(read.classes.empty());
    EXPECT_EQ(read.labels.rows(), 0u);
}

TEST(ImageFolder, APictureOfAnotherSizeIsNamed) {
    const TemporaryFolder folder;
    add(folder, "a.png", "grey.png");
    add(folder, "b.png", "grey16.png");
    EXPECT_THAT(error_of([&] { read_image_folder(folder.path("")); }),
                StartsWith("data-shape b.png: this picture is 1 x 3, but 'a.png' is 2 x 3 ("));
}

TEST(ImageFolder, APictureOfOtherColoursIsNamedUnlessConverted) {
    const TemporaryFolder folder;
    add(folder, "a.png", "rgb.jpg"); // the name does not matter
    add(folder, "b.jpg", "progressive.jpg");
    ImageFolderOptions grey;
    grey.image.colors = Colors::grey;
    EXPECT_THAT(read_image_folder(folder.path(""), grey).images.shape(), ElementsAre(2u, 16u, 16u));
    add(folder, "c.png", "grey.png");
    EXPECT_THAT(error_of([&] { read_image_folder(folder.path("")); }),
                HasSubstr("c.png: this picture is 2 x 3, but 'a.png' is 16 x 16 x 3"));
}

TEST(ImageFolder, FoldersWithoutPicturesAreRefused) {
    const TemporaryFolder folder;
    EXPECT_THAT(error_of([&] { read_image_folder(folder.path("")); }),
                HasSubstr("the folder holds no pictures (expected files *.png"));
    EXPECT_THAT(error_of([&] { read_classes(folder.path("")); }),
                HasSubstr("expected a subfolder with *.png"));
    EXPECT_THAT(error_of([&] { read_image_folder(folder.path("missing")); }),
                HasSubstr("missing': No such file or directory"));
}

TEST(ImageFolder, DamagedPicturesAreNamed) {
    const TemporaryFolder folder;
    folder.write("a.png", "no picture");
    EXPECT_THAT(error_of([&] { read_image_folder(folder.path("")); }),
                StartsWith("data-format a.png: "));
}

TEST(ImageFolder, TheTotalSizeOfPicturesIsLimited) {
    ImageFolderOptions options;
    options.image.most_bytes = 80; // one file has 73 bytes, one picture 6
    options.class_folders = true;
    EXPECT_EQ(read_image_folder(kept_file("symbols"), options).names.size(), 3u);
    const TemporaryFolder folder;
    for (int i = 0; i < 14; ++i) add(folder, std::to_string(i) + ".png", "symbols/plus/0.png");
    options.class_folders = false;
    EXPECT_THAT(error_of([&] { read_image_folder(folder.path(""), options); }),
                StartsWith("data-too-large "));
}

} // namespace
} // namespace neurasp::data
