// Reading text files.
#include "base/text_file.hpp"

#include "data/data_files.hpp"
#include "neurasp/diagnostic.hpp"

#include <gmock/gmock.h>

namespace neurasp::base {
namespace {

class TextFile : public testing::Test {
  protected:
    static std::string failure(const std::string &path) {
        try {
            read_text_file(path);
        } catch (const EnvironmentError &error) {
            return error.what();
        }
        return "none";
    }
    data::TemporaryFolder folder;
};

TEST_F(TextFile, IsReadAsItIs) {
    const std::string text = "a.\r\n% \xC3\xA4\n" + std::string(100'000, 'x') + "\nb.";
    EXPECT_EQ(read_text_file(folder.write("a", text)), text);
    EXPECT_EQ(read_text_file(folder.write("empty", "")), "");
}

TEST_F(TextFile, ThatIsMissingIsNamedWithTheCause) {
    const std::string path = folder.path("missing");
    EXPECT_EQ(failure(path), "cannot read '" + path + "': No such file or directory");
    EXPECT_EQ(find_text_file(path), std::nullopt);
}

TEST_F(TextFile, IsNotAFolder) {
    const std::string path = folder.path(".");
    EXPECT_EQ(failure(path), "cannot read '" + path + "': Is a directory");
    EXPECT_EQ(find_text_file(path), std::nullopt);
}

TEST_F(TextFile, WithoutAnEndIsReadOnlyUpToANulByte) {
    const std::string zeros = read_text_file("/dev/zero");
    EXPECT_THAT(zeros, testing::StartsWith(std::string(1, '\0')));
}

TEST_F(TextFile, WithANulByteKeepsIt) {
    const std::string text("a\0b", 3);
    EXPECT_EQ(find_text_file(folder.write("binary", text)), text);
}

TEST_F(TextFile, ThatIsOpenIsCalledByTheNameOfTheCaller) {
    std::FILE *file = std::fopen(folder.path(".").c_str(), "rb");
    ASSERT_NE(file, nullptr);
    EXPECT_THROW(
        {
            try {
                read_text(*file, "<stdin>");
            } catch (const EnvironmentError &error) {
                EXPECT_STREQ(error.what(), "cannot read '<stdin>': Is a directory");
                throw;
            }
        },
        EnvironmentError);
    std::fclose(file);
}

} // namespace
} // namespace neurasp::base
