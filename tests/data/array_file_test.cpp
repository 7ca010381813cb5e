// Arrays from any kind of file.
#include "data/array_file.hpp"
#include "data_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace neurasp::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(ArrayFile, TheKindIsRecognisedByTheContent) {
    const TemporaryFolder folder;
    const auto shape_of = [&](const std::string &kept) {
        ArrayOptions options;
        options.member = "images";
        const std::string path = folder.write("no_ending", read_bytes(kept_file(kept)));
        return read_array(path, options).shape();
    };
    EXPECT_THAT(shape_of("images-idx3-ubyte.gz"), ElementsAre(2u, 3u, 4u));
    EXPECT_THAT(shape_of("int64.npy"), ElementsAre(2u, 3u));
    EXPECT_THAT(shape_of("stored.npz"), ElementsAre(2u, 3u, 4u));
    EXPECT_THAT(shape_of("grey.png"), ElementsAre(1u, 2u, 3u));
    EXPECT_THAT(shape_of("rgb.jpg"), ElementsAre(1u, 16u, 16u, 3u));
}

TEST(ArrayFile, TablesAreRecognisedByTheirName) {
    const TemporaryFolder folder;
    for (const char *name : {"a.csv", "a.CSV"}) {
        EXPECT_THAT(read_array(folder.write(name, "1,2\n3,4\n")).shape(), ElementsAre(2u, 2u));
    }
    for (const char *name : {"a.tsv", "a.txt", "a.data"}) {
        EXPECT_THAT(read_array(folder.write(name, "1\t2\n3\t4\n")).shape(), ElementsAre(2u, 2u));
    }
    ArrayOptions options;
    options.columns = {"b"};
    const Array column = read_array(folder.write("b.csv", "a,b\nx,3\ny,4\n"), options);
    EXPECT_THAT(values<std::int64_t>(column), ElementsAre(3, 4));
}

TEST(ArrayFile, AFolderIsAnArrayOfPictures) {
    EXPECT_THAT(read_array(kept_file("symbols/minus")).shape(), ElementsAre(2u, 2u, 3u));
}

TEST(ArrayFile, PicturesAreCutAndTurnedForNetworks) {
    ArrayOptions options;
    options.channels_first = true;
    EXPECT_THAT(read_array(kept_file("images-idx3-ubyte.gz"), options).shape(),
                ElementsAre(2u, 1u, 3u, 4u));
    options.tiles = TileGrid{2, 2};
    EXPECT_THAT(read_array(kept_file("rgb.jpg"), options).shape(), ElementsAre(4u, 3u, 8u, 8u));
    options.image.colors = Colors::grey;
    EXPECT_THAT(read_array(kept_file("rgb.jpg"), options).shape(), ElementsAre(4u, 1u, 8u, 8u));
}

TEST(ArrayFile, TheNameTellsTheKindOfADamagedFile) {
    const TemporaryFolder folder;
    for (const char *name : {"a.npy", "a.npz", "a.png", "a.jpeg", "a.idx", "a-idx3-ubyte"}) {
        EXPECT_THAT(error_of([&] { read_array(folder.write(name, "damaged")); }),
                    StartsWith("data-format " + std::string(name) + ": this is n"))
            << name;
    }
}

TEST(ArrayFile, AnUnknownKindGetsAHintAboutSupportedOnes) {
    const TemporaryFolder folder;
    EXPECT_THAT(
        error_of([&] { read_array(folder.write("a.mat", "MATLAB 5.0")); }),
        StartsWith("data-format a.mat: arrays cannot be read from this kind of file (supported "
                   "are IDX, NPY, NPZ, PNG, JPEG"));
    EXPECT_THAT(error_of([&] { read_array(folder.path("missing.npy")); }),
                HasSubstr("missing.npy': No such file or directory"));
}

} // namespace
} // namespace neurasp::data
