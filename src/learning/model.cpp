// The model: running its networks on batches, and its weights in files.
#include "learning/model.hpp"

#include "base/atomic_file.hpp"
#include "base/counted.hpp"
#include "base/distribution.hpp"
#include "base/text_file.hpp"
#include "neural/probabilities.hpp"
#include "protocol/runs.hpp"
#include "runs/experiment_settings.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/utils.h>

#include <filesystem>
#include <optional>
#include <span>

namespace neurasp::learning {

namespace {

using Json = nlohmann::ordered_json;

EnvironmentError no_weights(const std::string &file) {
    return EnvironmentError(fmt::format(
        "there is no '{}'; train the experiment first, or name the folder with its weights", file));
}

std::string rules_file(const std::string &folder) {
    return (std::filesystem::path(folder) / "rules.json").string();
}

[[noreturn]] void refuse_rules(const std::string &file, const std::string &message) {
    Diagnostic diagnostic;
    diagnostic.code = "rule-numbers";
    diagnostic.message = message;
    diagnostic.location.file = file;
    diagnostic.hint = "it belongs to another program, or was changed; train again";
    throw InputError(std::move(diagnostic));
}

bool is_distribution(const Json &json, std::size_t size) {
    const auto is_number = [](const Json &number) { return number.is_number(); };
    if (!json.is_array() || json.size() != size) return false;
    if (!std::all_of(json.begin(), json.end(), is_number)) return false;
    const auto numbers = json.get<std::vector<double>>();
    return base::is_distribution(std::span<const double>(numbers));
}

} // namespace

std::string weights_file(const std::string &folder, const std::string &network) {
    return (std::filesystem::path(folder) / (network + ".pt")).string();
}

Model::Model(const data::Experiment &experiment, TrainingProgram &step, const NetworkInputs &inputs)
    : experiment_(experiment), step_(step), networks_(make_networks(experiment, step, inputs)) {
    for (const auto &network : networks_) {
        const data::NetworkSettings &settings = runs::settings_of(experiment, network->name());
        trained_.push_back(settings.train);
        logits_.push_back(settings.spec.logits);
    }
    one_column_.resize(networks_.size());
    const std::vector<double> numbers = step.rule_numbers();
    rule_numbers_ = torch::tensor(numbers, torch::kDouble).set_requires_grad(!numbers.empty());
}

std::span<const double> Model::rule_values() const {
    return {rule_numbers_.data_ptr<double>(), static_cast<std::size_t>(rule_numbers_.numel())};
}

void Model::train(bool on) {
    for (std::size_t m = 0; m < networks_.size(); ++m) networks_[m]->train(on && trained_[m]);
}

std::vector<torch::Tensor> Model::run(const BatchMaker &maker, const Batch &batch) {
    std::vector<torch::Tensor> outputs;
    for (std::size_t m = 0; m < batch.inputs.size(); ++m) {
        if (!batch.inputs[m].defined()) {
            outputs.emplace_back();
            continue;
        }
        const NetworkShape &shape = step_.networks()[m];
        // The facts of an observation may call a network that nothing has called before.
        if (m >= networks_.size()) {
            // Throws if the experiment does not describe the network, which is the usual mistake.
            static_cast<void>(runs::settings_of(experiment_, shape.name));
            Diagnostic diagnostic;
            diagnostic.code = "late-network";
            diagnostic.message = fmt::format(
                "{}: the network '{}' is called here, but not by any example of the split that "
                "the networks were created for",
                maker.describe_row(batch, m, 0), shape.name);
            throw InputError(std::move(diagnostic));
        }
        outputs.push_back(look(m, batch.inputs[m]));
        neural::check_distributions(outputs.back(), shape.name, [&](std::size_t row) {
            return maker.describe_row(batch, m, row);
        });
    }
    return outputs;
}

torch::Tensor Model::look(std::size_t network, const torch::Tensor &inputs) {
    const NetworkShape &shape = step_.networks()[network];
    const torch::AutoGradMode gradient(torch::GradMode::is_enabled() && trained_[network]);
    // Scripts may compute in double or half precision.
    const torch::Tensor output = networks_[network]->forward(inputs).to(torch::kFloat);
    one_column_[network] =
        output.numel() == output.size(0) * static_cast<std::int64_t>(shape.events);
    return neural::probabilities(
        output, {shape.name, shape.events, shape.outcomes, static_cast<bool>(logits_[network])});
}

void Model::project_rules() {
    const torch::NoGradGuard guard;
    double *numbers = rule_numbers_.data_ptr<double>();
    for (const LearnableRule &rule : step_.rules()) {
        project_to_simplex({numbers + rule.first, rule.probabilities.size()});
    }
}

void Model::save(const std::string &folder) const {
    for (const auto &network : networks_) network->save(weights_file(folder, network->name()));
    if (step_.rules().empty()) return;
    std::vector<runs::LearnedRule> rules;
    for (const LearnableRule &rule : step_.rules()) {
        const auto numbers = rule_values().subspan(rule.first, rule.probabilities.size());
        rules.push_back({rule.rule, rule.name, rule.atoms, {numbers.begin(), numbers.end()}});
    }
    base::write_file(rules_file(folder), protocol::rules_document(rules));
}

void Model::load(const std::string &folder) {
    for (const auto &network : networks_) {
        const std::string file = weights_file(folder, network->name());
        if (!std::filesystem::exists(file)) throw no_weights(file);
        network->load(file);
    }
    if (step_.rules().empty()) return;
    const std::string file = rules_file(folder);
    const std::optional<std::string> text = base::find_text_file(file);
    if (!text) throw no_weights(file);
    const Json rules = Json::parse(*text, nullptr, false);
    if (!rules.is_array() || rules.size() != step_.rules().size()) {
        refuse_rules(file, fmt::format("expected the probabilities of {}",
                                       base::counted(step_.rules().size(), "rule")));
    }
    double *place = rule_numbers_.data_ptr<double>();
    for (std::size_t r = 0; r < rules.size(); ++r) {
        const LearnableRule &rule = step_.rules()[r];
        const Json numbers = rules[r].is_object() && rules[r].contains("probabilities")
                                 ? rules[r]["probabilities"]
                                 : Json();
        if (!is_distribution(numbers, rule.probabilities.size())) {
            refuse_rules(file, fmt::format("wrong probabilities for the rule {}", rule.name));
        }
        for (const Json &number : numbers) *place++ = number.get<double>();
    }
}

} // namespace neurasp::learning
