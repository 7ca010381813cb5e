// Files are replaced completely or left as they were.
#include "base/atomic_file.hpp"

#include "data/data_files.hpp"
#include "neurasp/diagnostic.hpp"

#include <gmock/gmock.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace neurasp::base {
namespace {

class AtomicFile : public testing::Test {
  protected:
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto &entry : std::filesystem::directory_iterator(folder.path("."))) {
            names.push_back(entry.path().filename().string());
        }
        return names;
    }
    static std::string content(const std::string &file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    data::TemporaryFolder folder;
};

TEST_F(AtomicFile, ReplacesAFileAndLeavesNothingElse) {
    const auto file = folder.write("a", "old and longer");
    write_file(file, "new");
    EXPECT_EQ(content(file), "new");
    EXPECT_THAT(files(), testing::ElementsAre("a"));
}

TEST_F(AtomicFile, LeavesTheOldFileIfTheNewOneCannotBeWritten) {
    const auto file = folder.write("old", "old");
    std::filesystem::create_directories(file + ".neurasp-" + std::to_string(::getpid()) +
                                        ".tmp/in the way");
    EXPECT_THROW(write_file(file, "new"), EnvironmentError);
    EXPECT_EQ(content(file), "old");
}

TEST_F(AtomicFile, FollowsALinkAndKeepsIt) {
    const auto file = folder.write("file", "old");
    const auto link = folder.path("link");
    std::filesystem::create_symlink(file, link);
    write_file(link, "new");
    EXPECT_EQ(content(file), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST_F(AtomicFile, WritesToDevicesAndReportsThatTheyAreFull) {
    EXPECT_NO_THROW(write_file("/dev/null", "text"));
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
    EXPECT_THROW(write_file("/dev/full", "text"), EnvironmentError);
}

TEST_F(AtomicFile, RemovesOnlyTheTemporaryFilesOfKilledWriters) {
    for (const char *name : {"a.pt.neurasp-4711.tmp", "log.neurasp-1.tmp"}) {
        folder.write(name, "half");
    }
    const std::vector<std::string> kept = {"a.pt",           "a.pt.neurasp-4711",
                                           "a.neurasp-.tmp", "a.neurasp-x.tmp",
                                           "notes.tmp",      "neurasp-1.tmp"};
    for (const std::string &name : kept) folder.write(name, "mine");
    remove_temporary_files(folder.path("."));
    EXPECT_THAT(files(), testing::UnorderedElementsAreArray(kept));
    EXPECT_NO_THROW(remove_temporary_files(folder.path("nowhere")));
}

} // namespace
} // namespace neurasp::base
