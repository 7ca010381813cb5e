// --net: weights know how the pictures were prepared that they were trained on.
#include "cli/points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace neurasp::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr double float_precision = 1e-6; // networks compute in float

// A reader of digits, one layer, trained for a moment on a few of the pictures in examples/addition.
constexpr auto digits_experiment = R"toml(program = "addition.lp"
output = "out"
[networks.digit]
layers = [{ kind = "flatten" }, { kind = "linear", out = 10 }, { kind = "softmax" }]
optimizer = { kind = "adam", learning_rate = 0.01 }
[example]
observation = ":- not addition(i1,i2,{sum})."
[example.inputs]
i1 = "images[a]"
i2 = "images[b]"
[splits.train]
table = "sums-train.csv"
rows = "0:200"
[splits.train.arrays.images]
file = "../data/mnist-subset-train-images-idx3-ubyte.gz"
scale = 255
mean = 0.1307
deviation = 0.3081
channels_first = true
)toml";

class NetOption : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        if (!has_torch()) return;
        folder_ = std::make_unique<Folder>();
        fs::copy(source_folder() / "examples" / "addition", folder_->path("addition"));
        fs::copy(source_folder() / "examples" / "data", folder_->path("data"));
        experiment_ = folder_->file("addition/digits.toml", digits_experiment);
        const Result result = neurasp({"train", experiment_, "--no-report"});
        EXPECT_EQ(result.exit_code, 0) << result.err;
    }
    static void TearDownTestSuite() { folder_.reset(); }
    void SetUp() override {
        if (!has_torch()) GTEST_SKIP() << "this build has no neurasp-torch";
    }
    static std::string picture(const std::string &name) {
        return folder_->path("addition/" + name);
    }
    // A file in tests/data/files.
    static std::string kept(const std::string &name) {
        return (source_folder() / "tests" / "data" / "files" / name).string();
    }
    // The command with its answer as JSON, on a picture of a 3 and another one.
    static Result ask(Words command, const std::string &second, Words more = {}) {
        command.insert(command.end(),
                       {"--input", "i1=" + picture("three.png"), "--input", "i2=" + second, "-q",
                        "addition(i1,i2,8)", "--format", "json"});
        command.insert(command.end(), more.begin(), more.end());
        return neurasp(command);
    }
    static Words prob(const std::string &network) {
        return {"prob", picture("addition.lp"), "--net", "digit=" + network};
    }
    static std::string trained() { return picture("out/digit.pt"); }
    static double answer(const Result &result) {
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return result.json()["queries"][0]["probability"];
    }

    static std::unique_ptr<Folder> folder_;
    static std::string experiment_;
};

std::unique_ptr<Folder> NetOption::folder_;
std::string NetOption::experiment_;

TEST_F(NetOption, ReadsPicturesAsTheNetworkWasTrained) {
    const Result result = ask(prob(trained()), picture("five.png"));
    EXPECT_EQ(result.err, "");
    const Result in_words =
        ask(prob(trained()), picture("five.png"),
            {"--input-scale", "255", "--input-mean", "0.1307", "--input-deviation", "0.3081"});
    EXPECT_NEAR(answer(result), answer(in_words), float_precision);
    const Result predicted = ask({"predict", experiment_}, picture("five.png"));
    ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
    EXPECT_NEAR(answer(result), predicted.json()["queries"]["addition(i1,i2,8)"], float_precision);
    // pixels up to 255 would be 650 times as large
    const Result raw = ask(prob(trained()), picture("five.png"),
                           {"--input-scale", "1", "--input-mean", "0", "--input-deviation", "1"});
    EXPECT_GT(std::abs(answer(raw) - answer(result)), 1e-3);
}

TEST_F(NetOption, APictureOfAnotherSizeOrColourIsNamed) {
    for (const Words &command : {prob(trained()), Words{"predict", experiment_}}) {
        Result result = ask(command, kept("grey.png"));
        EXPECT_EQ(result.exit_code, 3);
        const auto error = result.error_json()["error"]["diagnostics"][0];
        EXPECT_EQ(error["file"], kept("grey.png"));
        EXPECT_EQ(error["code"], "input-form");
        EXPECT_EQ(error["message"], "this is a grey picture of 3 x 2 pixels, but the network "
                                    "'digit' was trained on grey pictures of 28 x 28 pixels");
        EXPECT_EQ(error["option"], "convert_inputs");
        result = ask(command, kept("rgb.png"));
        EXPECT_THAT(result.err, HasSubstr("this is a colour picture of 2 x 2 pixels"));
        EXPECT_EQ(ask(command, kept("rgb.png"), {"--convert-inputs"}).exit_code, 0);
    }
}

// Pictures that are prepared in two ways leave weights that say nothing about them, like a file from elsewhere.
TEST_F(NetOption, SaysWhatIsAssumedOfANetworkThatDoesNotKnow) {
    std::string text = digits_experiment;
    text.replace(text.find("images[b]"), 9, "others[b]");
    text += "[splits.train.arrays.others]\n"
            "file = \"../data/mnist-subset-train-images-idx3-ubyte.gz\"\n"
            "channels_first = true\n";
    const Result result = neurasp({"train", folder_->file("addition/two.toml", text), "--no-report",
                                   "--set", "training.epochs=0", "--set", "output=two"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const std::string network = picture("two/digit.pt");
    const Words question = {
        "map",     picture("addition.lp"),       "--net",   "digit=" + network,
        "--input", "i1=" + picture("three.png"), "--input", "i2=" + picture("five.png")};
    const Result assumed = neurasp(question);
    EXPECT_EQ(assumed.exit_code, 0);
    EXPECT_THAT(assumed.err,
                AllOf(HasSubstr(network + ": warning: this file does not say how the inputs of "
                                          "'digit' were prepared; it gets pixels as they are, "
                                          "from 0 to 255 [input-form]"),
                      HasSubstr("hint: give --input-scale, 255 or 1")));
    Words scaled = question;
    scaled.insert(scaled.end(), {"--input-scale", "255"});
    EXPECT_EQ(neurasp(scaled).err, "");
}

} // namespace
} // namespace neurasp::test
