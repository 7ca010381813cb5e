// An experiment as JSON, and its fingerprint.
#include "protocol/experiment_json.hpp"

#include "data/experiment_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace neurasp::protocol {
namespace {

const std::string plain_settings =
    "program = 'p.lp'\noutput = 'o'\nseed = 1\nnetworks.n.preset = 'x'\n"
    "splits.train.table = 't.csv'\nsplits.test.table = 'u.csv'\n"
    "example.columns = ['a']\nexample.observation = 'o({a}).'\n"
    "[training]\nepochs = 3\n";

std::string fingerprint_with(std::vector<std::string> assignments, const char *name = "x.toml") {
    return fingerprint(data::read_experiment(plain_settings, name, assignments));
}

TEST(ExperimentJson, HoldsEverySettingWithItsDefault) {
    const auto json =
        nlohmann::json::parse(experiment_json(data::read_experiment(plain_settings, "dir/x.toml")));
    EXPECT_EQ(json["program"][0], "p.lp");
    EXPECT_EQ(json["networks"]["n"]["optimizer"]["kind"], "adam");
    EXPECT_EQ(json["networks"]["n"]["schedule"]["kind"], "constant");
    EXPECT_EQ(json["training"]["epochs"], 3);
    EXPECT_EQ(json["training"]["method"], "exact");
    EXPECT_EQ(json["training"]["batch_size"], 64);
    EXPECT_EQ(json["splits"]["test"]["table"], "u.csv");
    EXPECT_EQ(json["example"]["observation"], "o({a}).");
}

TEST(ExperimentJson, SettingsThatDoNotInfluenceWeightsKeepTheFingerprint) {
    const std::string plain = fingerprint_with({});
    EXPECT_EQ(plain.size(), 32u);
    for (const char *assignment :
         {"training.epochs=9", "output=elsewhere", "training.threads=4", "training.stop_after=3",
          "training.checkpoint_every=5", "training.evaluate_every=5", "training.evaluate_batches=5",
          "training.samples=7", "training.k=3", "evaluation.batch_size=9",
          "splits.test.table=v.csv", "training.batch_size=64"}) {
        EXPECT_EQ(fingerprint_with({assignment}), plain) << assignment;
    }
    EXPECT_EQ(fingerprint_with({}, "other/folder/y.toml"), plain);
}

TEST(ExperimentJson, SettingsThatInfluenceWeightsChangeTheFingerprint) {
    const std::string plain = fingerprint_with({});
    for (const char *assignment :
         {"seed=2", "program=q.lp", "networks.n.preset=y", "networks.n.optimizer.learning_rate=1",
          "networks.n.schedule.kind=cosine", "rules.learning_rate=1", "example.observation=q",
          "splits.train.table=v.csv", "training.batch_size=65", "training.method=sampling",
          "training.alpha=0.5", "training.shuffle=false", "training.gradient=proposition1",
          "training.accumulate=2", "networks.n.schedule.warmup=5"}) {
        EXPECT_NE(fingerprint_with({assignment}), plain) << assignment;
    }
    EXPECT_NE(fingerprint_with({"training.method=sampling"}),
              fingerprint_with({"training.method=sampling", "training.samples=7"}));
    EXPECT_NE(fingerprint_with({"networks.n.schedule.kind=cosine"}),
              fingerprint_with({"networks.n.schedule.kind=cosine", "training.epochs=4"}))
        << "this schedule depends on the number of epochs";
}

TEST(ExperimentJson, EvaluationsMatterWhereTheyDecideWhichWeightsAreKept) {
    const auto kept = [](const std::string &assignment) {
        return fingerprint_with(
            {"training.best=mean log P(O)", "splits.validation.table=w.csv", assignment});
    };
    const std::string plain = kept("seed=1");
    EXPECT_NE(plain, fingerprint_with({"splits.validation.table=w.csv"}));
    for (const char *assignment : {"splits.validation.table=v.csv", "evaluation.time_limit=1",
                                   "training.evaluate_every=5", "training.evaluate_batches=5"}) {
        EXPECT_NE(kept(assignment), plain) << assignment;
    }
    for (const char *assignment : {"splits.test.table=v.csv", "training.patience=5"}) {
        EXPECT_EQ(kept(assignment), plain) << assignment;
    }
}

TEST(ExperimentJson, DefaultsAreThoseOfTheStructs) {
    const data::Experiment read = data::read_experiment(
        "program = 'p'\nnetworks.n.preset = 'x'\nsplits.train.arrays.a.file = 'f'", "x.toml");
    data::Experiment plain;
    plain.programs.push_back({"p", "p", {}});
    plain.output = {"runs/x", "runs/x", {}};
    plain.networks.emplace_back();
    plain.networks[0].spec.name = "n";
    plain.networks[0].spec.preset = "x";
    plain.splits.emplace_back();
    plain.splits[0].name = "train";
    plain.splits[0].arrays.emplace_back();
    plain.splits[0].arrays[0].name = "a";
    plain.splits[0].arrays[0].file = {"f", "f", {}};
    EXPECT_EQ(experiment_json(read), experiment_json(plain));
}

} // namespace
} // namespace neurasp::protocol
