// Evaluator::predictions: examples with their pictures, for people.
#include "learning/evaluation.hpp"
#include "learning/semantic_loss.hpp"
#include "runs/experiment_inputs.hpp"

#include <fmt/format.h>
#include <torch/utils.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <limits>
#include <numeric>

namespace neurasp::learning {

namespace {

// Adds the row of an array as a picture, if it is one: bytes in one or three channels.
void add_picture(runs::SamplePrediction::Picture &picture, const data::Array &array,
                 std::size_t row) {
    if (!std::holds_alternative<std::vector<std::uint8_t>>(array.elements())) return;
    const auto shape = array.row_shape();
    if (shape.size() < 2 || shape.size() > 3) return;
    const std::size_t channels = shape.size() == 3 ? shape[0] : 1;
    if (channels != 1 && channels != 3) return;
    picture.channels = channels;
    picture.height = shape[shape.size() - 2];
    picture.width = shape[shape.size() - 1];
    std::vector<float> values(array.row_size());
    array.copy_row(row, values);
    const std::size_t size = picture.width * picture.height;
    picture.pixels.resize(values.size());
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t c = 0; c < channels; ++c) {
            picture.pixels[i * channels + c] = static_cast<std::uint8_t>(values[c * size + i]);
        }
    }
}

// Adds the most probable outcome of each event, and the probability of all of them together.
void add_outcomes(runs::SamplePrediction::Picture &picture, const torch::Tensor &row,
                  const NetworkShape &shape) {
    const auto [best, places] = row.max(1);
    picture.probability = best.to(torch::kDouble).prod().item<double>();
    for (std::int64_t k = 0; k < places.size(0); ++k) {
        const auto outcome = static_cast<std::size_t>(places[k].item<std::int64_t>());
        picture.prediction += (k == 0 ? "" : " ") + shape.values[outcome];
    }
}

std::string joined(const std::vector<std::string> &atoms, std::size_t longest) {
    std::string text;
    for (const std::string &atom : atoms) {
        if (text.size() > longest) return text + " ...";
        text += (text.empty() ? "" : " ") + atom;
    }
    return text;
}

} // namespace

std::vector<runs::SamplePrediction> Evaluator::predictions(Model &model, const Sample &sample) {
    const torch::NoGradGuard guard;
    model.train(false);
    const std::size_t first = std::min(sample.first, dataset_.size());
    std::vector<std::size_t> chosen(std::min(sample.count, dataset_.size() - first));
    if (chosen.empty()) return {};
    std::iota(chosen.begin(), chosen.end(), first);
    const Batch batch = maker_.make(chosen, BatchMaker::For::evaluation);
    const std::vector<torch::Tensor> outputs = model.run(maker_, batch);
    const StepNumbers numbers = step_numbers(step_, outputs, model.rule_values(), batch.steps);

    std::vector<runs::SamplePrediction> predictions;
    double seconds = 0.0; // of searches so far
    const runs::InputTable inputs(dataset_);
    for (std::size_t e = 0; e < chosen.size(); ++e) {
        runs::SamplePrediction prediction;
        prediction.name =
            std::filesystem::path(dataset_.example_name(chosen[e])).filename().string();
        prediction.observation = dataset_.observations()[chosen[e]];
        const auto &calls = step_.at(batch.steps[e].observation).calls;
        for (std::size_t c = 0; c < calls.size(); ++c) {
            const NetworkShape &shape = step_.networks()[calls[c].network];
            const std::size_t input = inputs.find(shape.name, calls[c].terms);
            runs::SamplePrediction::Picture picture;
            picture.terms = fmt::format("{}({})", shape.name, calls[c].terms);
            add_picture(picture, dataset_.arrays()[dataset_.inputs()[input].array].array(),
                        dataset_.rows(chosen[e])[input]);
            add_outcomes(picture, outputs[calls[c].network][batch.steps[e].rows[c]], shape);
            for (const data::DatasetLabel &label : dataset_.labels()) {
                if (label.network == shape.name &&
                    inputs.find(label.network, label.terms) == input) {
                    picture.label = label.outcomes[chosen[e]];
                }
            }
            prediction.pictures.push_back(std::move(picture));
        }
        std::vector<Observation> observed;
        if (!prediction.observation.empty()) {
            observed.push_back({prediction.observation, {}, prediction.name});
        }
        std::vector<std::string> queries;
        for (const data::DistinctTexts &query : dataset_.queries()) {
            queries.push_back(query[chosen[e]]);
        }
        prediction.expected = queries;
        const Question question = step_.ask(observed, queries).without_constraints();
        Limits search = limits({});
        if (sample.seconds) search.seconds = std::max(*sample.seconds - seconds, 0.01);
        const auto best = question.most_probable(step_.outputs_of(numbers.batch, e), 1, false,
                                                 settings(), search);
        seconds += best.how.seconds;
        if (!best.models.empty()) {
            const StableModel &model_found = best.models.front();
            prediction.conclusion = joined(model_found.atoms, sample.longest_conclusion);
            prediction.atoms = model_found.atoms;
            prediction.judged = !queries.empty();
            prediction.right = std::all_of(model_found.queries.begin(), model_found.queries.end(),
                                           [](bool holds) { return holds; });
        } else {
            prediction.conclusion = best.how.exact ? "no stable model" : "no model found in time";
        }
        predictions.push_back(std::move(prediction));
    }
    return predictions;
}

std::vector<runs::SamplePrediction> Evaluator::mistakes_first(Model &model, const Sample &sample) {
    constexpr std::size_t most_examples = 500;
    constexpr std::size_t at_once = 50;
    constexpr double look_for = 0.4; // the part of the time in which to look for more mistakes
    const auto begin = std::chrono::steady_clock::now();
    const double seconds = sample.seconds.value_or(std::numeric_limits<double>::infinity());
    std::vector<runs::SamplePrediction> mistakes;
    std::vector<runs::SamplePrediction> others;
    Sample part = sample;
    const std::size_t end = std::min(dataset_.size(), sample.first + most_examples);
    for (part.first = sample.first; part.first < end; part.first += part.count) {
        const double passed =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const std::size_t found = mistakes.size() + others.size();
        if (mistakes.size() >= sample.count) break;
        if (found >= sample.count && passed > look_for * seconds) break;
        part.count = std::min(found < sample.count ? sample.count : at_once, end - part.first);
        if (sample.seconds) part.seconds = std::max(seconds - passed, 0.01);
        for (runs::SamplePrediction &prediction : predictions(model, part)) {
            (is_mistake(prediction) ? mistakes : others).push_back(std::move(prediction));
        }
        others.resize(std::min(others.size(), sample.count));
    }
    mistakes.insert(mistakes.end(), std::make_move_iterator(others.begin()),
                    std::make_move_iterator(others.end()));
    mistakes.resize(std::min(mistakes.size(), sample.count));
    return mistakes;
}

} // namespace neurasp::learning
