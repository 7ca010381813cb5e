#include "neural/atomic_file.hpp"
#include "neural/testing.hpp"

#include <gmock/gmock.h>

namespace neurasp::neural {
namespace {

class AtomicFile : public NetworkFiles {
  protected:
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto &entry : std::filesystem::directory_iterator(folder)) {
            names.push_back(entry.path().filename().string());
        }
        return names;
    }
};

TEST_F(AtomicFile, LeavesTheOldFileIfTheNewOneCannotBeWritten) {
    const auto file = write("old", "old");
    std::filesystem::create_directories(file.string() + ".neurasp-" + std::to_string(::getpid()) +
                                        ".tmp/in the way");
    EXPECT_THROW(write_file(file, "new"), EnvironmentError);
    EXPECT_EQ(bytes_of(file), "old");
}

TEST_F(AtomicFile, OnlyWhatKilledWritersLeftIsRemoved) {
    for (const char *name : {"a.pt.neurasp-4711.tmp", "log.neurasp-1.tmp"}) write(name, "half");
    const std::vector<std::string> kept = {"a.pt",           "a.pt.neurasp-4711",
                                           "a.neurasp-.tmp", "a.neurasp-x.tmp",
                                           "notes.tmp",      "neurasp-1.tmp"};
    for (const std::string &name : kept) write(name, "mine");
    remove_temporary_files(folder);
    EXPECT_THAT(files(), testing::UnorderedElementsAreArray(kept));
    EXPECT_NO_THROW(remove_temporary_files(folder / "nowhere"));
}

} // namespace
} // namespace neurasp::neural
