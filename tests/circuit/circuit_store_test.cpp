// Circuits stored in a folder, also damaged ones and by several threads.
#include "circuit/circuit_store.hpp"

#include "circuit/circuit_support.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <iterator>
#include <thread>

namespace neurasp::circuit::test {
namespace {

namespace fs = std::filesystem;

constexpr CircuitKey key{0x0123456789abcdefU, 0xfedcba9876543210U};

// Each test has its own folder, which is removed afterwards.
class CircuitStoreTest : public ::testing::Test {
  protected:
    CircuitStoreTest() {
        std::string name = (fs::temp_directory_path() / "neurasp-store-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
    }
    ~CircuitStoreTest() override { fs::remove_all(folder_); }

    static std::string content(const fs::path &file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static void write(const fs::path &file, const std::string &bytes) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    }

    fs::path folder_;
};

TEST_F(CircuitStoreTest, FindsWhatWasPut) {
    const CircuitStore store(folder_ / "not" / "there" / "yet");
    EXPECT_FALSE(store.find(key).has_value());
    EXPECT_TRUE(store.put(key, chain(5)));
    EXPECT_EQ(store.find(key), chain(5));
    EXPECT_TRUE(store.put(key, chain(6)));
    EXPECT_EQ(store.find(key), chain(6));
    EXPECT_EQ(CircuitStore(store.folder()).find(key), chain(6));
}

TEST_F(CircuitStoreTest, LeavesNothingButTheFiles) {
    const CircuitStore store(folder_);
    EXPECT_TRUE(store.put(key, chain(5)));
    EXPECT_TRUE(store.put({1, 2}, chain(3)));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2);
    EXPECT_TRUE(fs::exists(store.file_of(key)));
}

TEST_F(CircuitStoreTest, TreatsDamagedFilesAsMissing) {
    const CircuitStore store(folder_);
    ASSERT_TRUE(store.put(key, chain(2)));
    const std::string good = content(store.file_of(key));
    for (std::size_t i = 0; i < good.size(); ++i) {
        write(store.file_of(key), good.substr(0, i));
        EXPECT_FALSE(store.find(key).has_value());
        std::string changed = good;
        changed[i] = static_cast<char>(changed[i] ^ 4);
        write(store.file_of(key), changed);
        EXPECT_FALSE(store.find(key).has_value());
    }
    EXPECT_TRUE(store.put(key, chain(2)));
    EXPECT_TRUE(store.find(key).has_value());
}

TEST_F(CircuitStoreTest, TreatsTheFileOfAnotherKeyAsMissing) {
    const CircuitStore store(folder_);
    ASSERT_TRUE(store.put(key, chain(2)));
    const CircuitKey other{key.high, key.low + 1};
    fs::copy_file(store.file_of(key), store.file_of(other));
    EXPECT_FALSE(store.find(other).has_value());
}

TEST_F(CircuitStoreTest, ReportsThatItCannotWrite) {
    write(folder_ / "file", "no folder");
    const CircuitStore store(folder_ / "file");
    EXPECT_FALSE(store.put(key, chain(2)));
    EXPECT_FALSE(store.find(key).has_value());
    const CircuitStore blocked(folder_);
    fs::create_directories(blocked.file_of(key) / "in the way");
    EXPECT_FALSE(blocked.put(key, chain(2)));
    EXPECT_FALSE(blocked.find(key).has_value());
}

TEST_F(CircuitStoreTest, KnowsInAdvanceWhetherItCanWrite) {
    EXPECT_EQ(CircuitStore(folder_ / "new").obstacle(), "");
    EXPECT_TRUE(fs::is_empty(folder_ / "new"));
    write(folder_ / "file", "no folder");
    EXPECT_EQ(CircuitStore(folder_ / "file").obstacle(), "Not a directory");
    EXPECT_NE(CircuitStore(folder_ / "file" / "below").obstacle(), "");
}

TEST_F(CircuitStoreTest, ServesWritersAndReadersAtOnce) {
    const CircuitStore store(folder_);
    ASSERT_TRUE(store.put(key, chain(1)));
    std::atomic<int> incomplete = 0;
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 4; ++t) {
        threads.emplace_back([&, t] {
            for (std::uint32_t i = 0; i < 40; ++i) {
                if (t < 2 && !store.put(key, chain(1 + (i + t) % 60))) ++incomplete;
                if (!store.find(key)) ++incomplete;
            }
        });
    }
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(incomplete, 0);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

} // namespace
} // namespace neurasp::circuit::test
