// The results of training, evaluation and prediction (docs/schema: train, evaluate, predict, predict-split, rules).
// The events of a run on the way are in run_events.hpp.
#pragma once

#include "neurasp/answers.hpp"
#include "protocol/json.hpp"
#include "runs/history.hpp"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace neurasp::protocol {

Json to_json(const runs::Evaluation &evaluation);
// `output` is the folder that holds weights, log and report.
Json to_json(const runs::TrainingResult &result, const std::string &output);

// The text of rules.json. People read it, so each member has a line of its own.
std::string rules_document(std::span<const runs::LearnedRule> rules);

// One example of `neurasp predict --split`, and all of them.
Json to_json(const runs::SamplePrediction &prediction);
Json predictions_json(const std::string &split, Json examples);

// The output of a network for one event of a call.
struct Guess {
    std::string call;
    std::vector<std::pair<std::string, double>> outcomes; // most probable first
};

// `neurasp predict`; without `answer`, nothing was observed or asked.
Json predict_json(std::span<const Guess> networks, const ModelsAnswer &best,
                  const std::optional<ProbabilityAnswer> &answer);

} // namespace neurasp::protocol
