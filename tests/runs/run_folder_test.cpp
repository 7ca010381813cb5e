// The files of a run: a folder of its own, and the inputs of the network calls.
#include "data/experiment_file.hpp"
#include "neurasp/diagnostic.hpp"
#include "runs/experiment_inputs.hpp"
#include "runs/run_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <optional>

namespace neurasp::runs {
namespace {

using testing::HasSubstr;

class OnDisk : public testing::Test {
  protected:
    OnDisk() {
        std::string pattern = (std::filesystem::temp_directory_path() / "neurasp-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder_ = pattern;
    }
    ~OnDisk() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_;
};

std::string obstacle(const std::filesystem::path &folder) {
    try {
        const RunFolder taken(folder);
    } catch (const EnvironmentError &error) {
        return error.what();
    }
    return "";
}

TEST_F(OnDisk, AFolderIsCreatedAndBelongsToOneRunAtATime) {
    const auto output = folder_ / "runs" / "x";
    std::optional<RunFolder> first(std::in_place, output);
    EXPECT_TRUE(std::filesystem::is_directory(output));
    EXPECT_THAT(obstacle(output), HasSubstr("another run is writing to the output folder"));
    first.reset();
    EXPECT_EQ(obstacle(output), "");
}

TEST_F(OnDisk, AFolderThatCannotBeCreatedIsNamed) {
    std::ofstream(folder_ / "file") << "no folder";
    EXPECT_THAT(obstacle(folder_ / "file" / "x"), HasSubstr("cannot create the output folder"));
}

TEST_F(OnDisk, TermsFindTheirInputWhateverTheirBlanks) {
    std::ofstream(folder_ / "points.csv") << "1,2\n3,4\n";
    std::ofstream(folder_ / "table.csv") << "a\n0\n1\n";
    const data::Experiment experiment = data::read_experiment(
        R"toml(program = "p.lp"
networks.n.preset = "x"
example.inputs = {"p(1, 2)" = "points[a]", q = "points[#]"}
[splits.train]
table = "table.csv"
arrays.points = {file = "points.csv"}
)toml",
        (folder_ / "x.toml").string());
    data::ArrayStore arrays;
    const InputTable inputs(data::Dataset(experiment, "train", arrays));
    EXPECT_EQ(inputs.find("n", "p(1,2)"), 0U);
    EXPECT_EQ(inputs.find("n", " q "), 1U);
    try {
        inputs.find("n", "r");
        FAIL() << "no InputError";
    } catch (const InputError &error) {
        const Diagnostic &diagnostic = error.diagnostics().front();
        EXPECT_EQ(diagnostic.code, "missing-input");
        EXPECT_THAT(diagnostic.message, HasSubstr("the program calls n(r)"));
        EXPECT_EQ(diagnostic.hint, "available: p(1,2), q");
    }
}

} // namespace
} // namespace neurasp::runs
