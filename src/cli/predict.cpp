// `neurasp predict`: answers a question with trained networks on the user's own inputs. net_option.cpp does the same for
// other commands, without an experiment file.
#include "cli/console.hpp"
#include "cli/errors.hpp"
#include "cli/experiment_preparation.hpp"
#include "cli/learning_options.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"
#include "data/experiment_file.hpp"
#include "learning/live_outputs.hpp"
#include "learning/model.hpp"
#include "protocol/runs.hpp"
#include "runs/experiment_program.hpp"
#include "runs/experiment_settings.hpp"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace neurasp::cli {

namespace {

constexpr std::size_t shown_outcomes = 3;

// The settings of the experiment for the array that the terms refer to; the user's input is read in the same way.
const data::ArraySettings &array_settings(const data::Experiment &experiment,
                                          const std::string &terms) {
    const auto input =
        std::find_if(experiment.example.inputs.begin(), experiment.example.inputs.end(),
                     [&](const data::InputSettings &settings) { return settings.terms == terms; });
    if (input == experiment.example.inputs.end()) {
        std::string known;
        for (const auto &settings : experiment.example.inputs) {
            known += (known.empty() ? "" : ", ") + settings.terms;
        }
        throw UsageError(fmt::format("--input {}: [example.inputs] has no such terms", terms),
                         "available: " + known);
    }
    for (const data::SplitSettings &split : experiment.splits) {
        for (const data::ArraySettings &array : split.arrays) {
            if (array.name == input->source.array) return array;
        }
    }
    throw UsageError(
        fmt::format("--input {}: no split has the array '{}'", terms, input->source.array));
}

// The user's files, read as the weights in `folder` say, or as the experiment does where they do not.
learning::InputFiles input_files(const data::Experiment &experiment, const PredictOptions &options,
                                 const std::string &folder) {
    learning::InputFiles result;
    for (const std::string &input : options.inputs) {
        const auto [terms, file] = split_assignment(input, "--input");
        data::ArraySettings settings = array_settings(experiment, terms);
        settings.file = {file, file, {}};
        result.files.insert_or_assign(terms, std::move(settings));
    }
    for (const data::NetworkSettings &network : experiment.networks) {
        const std::string &name = network.spec.name;
        const std::string weights = learning::weights_file(folder, name);
        result.expectations[name] = {name, learning::trained_form(weights), options.convert_inputs};
    }
    return result;
}

void require_inputs(const Question &question, const learning::InputFiles &inputs) {
    for (const RandomVariableInfo &variable : question.variables()) {
        const VariableSource &source = variable.source;
        if (source.network.empty() || inputs.files.contains(source.terms)) continue;
        Diagnostic diagnostic;
        diagnostic.code = "missing-input";
        diagnostic.message = fmt::format("the program calls {}({}), but there is no input for '{}'",
                                         source.network, source.terms, source.terms);
        diagnostic.hint = fmt::format("give --input {}=FILE", source.terms);
        throw InputError(std::move(diagnostic));
    }
}

// The inputs that each network is made for.
learning::NetworkInputs shapes_of(const learning::LiveInputs &inputs) {
    learning::NetworkInputs shapes;
    for (const auto &[call, input] : inputs) {
        const auto sizes = input.sizes();
        shapes.emplace(call.first, learning::NetworkInput{{sizes.begin(), sizes.end()}, {}});
    }
    return shapes;
}

using protocol::Guess;

std::vector<Guess> guesses(const Question &question, const NetworkOutputs &outputs) {
    std::vector<Guess> result;
    for (const RandomVariableInfo &variable : question.variables()) {
        const VariableSource &source = variable.source;
        if (source.network.empty()) continue;
        const auto &values = outputs.table().at(source.network).at(source.terms).values;
        Guess guess{fmt::format("{}({})", source.network, source.terms), {}};
        if (source.events > 1) guess.call += fmt::format(", event {}", source.event);
        for (std::size_t o = 0; o < variable.outcomes.size(); ++o) {
            guess.outcomes.emplace_back(variable.outcomes[o],
                                        values[source.event * variable.outcomes.size() + o]);
        }
        std::stable_sort(guess.outcomes.begin(), guess.outcomes.end(),
                         [](const auto &a, const auto &b) { return a.second > b.second; });
        result.push_back(std::move(guess));
    }
    return result;
}

std::string as_text(const std::vector<Guess> &networks, const ModelsAnswer &best,
                    const std::optional<ProbabilityAnswer> &answer, bool observes) {
    std::vector<Row> rows;
    for (const Guess &guess : networks) {
        std::string text;
        for (std::size_t i = 0; i < std::min(shown_outcomes, guess.outcomes.size()); ++i) {
            text += fmt::format("{}{} ({})", i == 0 ? "" : "  ", guess.outcomes[i].first,
                                show_float(guess.outcomes[i].second));
        }
        rows.push_back({guess.call, text});
    }
    std::string result = rows.empty() ? "" : align(rows) + "\n";
    if (best.models.empty()) {
        result += !best.how.exact ? "no stable model was found in time\n"
                  : observes      ? "no stable model satisfies the observation\n"
                                  : "the program has no stable model\n";
    }
    for (const StableModel &model : best.models) {
        const bool first = &model == &best.models.front();
        const char *what = !first ? "then" : best.how.exact ? "most probable" : "best so far";
        result += fmt::format("{}: {}  (P = {})\n", what, fmt::join(model.atoms, " "),
                              show_float(model.probability));
    }
    if (!answer) return result;
    rows.clear();
    if (observes) rows.push_back({"P(O)", show_float(answer->probability)});
    for (const QueryAnswer &query : answer->queries) {
        rows.push_back(
            {fmt::format("P({}{})", query.query, observes ? " | O" : ""),
             query.conditional ? show_float(*query.conditional) : "undefined, P(O) = 0"});
    }
    if (!rows.empty()) result += align(rows) + "\n";
    if (!answer->how.exact) result += fmt::format("not exact: {}\n", answer->how.limit);
    return result;
}

// The warnings of the question, except those about atoms that an example of the experiment may add as facts.
std::vector<Diagnostic> warnings_of(const data::Experiment &experiment, TrainingProgram &step) {
    std::vector<Diagnostic> found = step.diagnostics();
    if (found.empty()) return found;
    if (const auto example = runs::typical_observation(experiment)) {
        step.expect({&*example, 1});
        return step.diagnostics();
    }
    std::erase_if(found, [](const Diagnostic &warning) {
        const std::string &file = warning.location.file;
        return warning.code == "undefined-atom" && file != "<observe>" && file != "<query>";
    });
    return found;
}

} // namespace

ExitCode run_predict(const PredictOptions &options) {
    if (!options.split.empty()) return run_predict_split(options);
    Console console(options.color);
    const data::Experiment experiment =
        data::read_experiment_file(options.file, options.assignments);
    at::set_num_threads(1);
    const std::string folder = options.weights.empty() ? experiment.output.path : options.weights;
    const learning::InputFiles files = input_files(experiment, options, folder);
    std::optional<ExperimentPreparation> preparation(std::in_place, options, console,
                                                     options.time_limit);
    TrainingProgram step(runs::program_of(experiment), {});
    std::vector<Observation> observations;
    for (const std::string &text : options.observations)
        observations.push_back({text, {}, "<observe>"});
    const Question question = step.ask(observations, options.queries);
    preparation.reset();
    report_warnings(console, options.json(), warnings_of(experiment, step));
    step.meet(question);
    data::Experiment called = experiment; // without the networks that this question does not call
    std::erase_if(called.networks, [&](const data::NetworkSettings &settings) {
        return step.network_index(settings.spec.name) == step.networks().size();
    });
    require_inputs(question, files);
    const learning::LiveInputs inputs = learning::read_inputs(question, files);
    learning::Model model(called, step, shapes_of(inputs));
    model.load(folder);
    learning::LiveNetworks networks;
    for (const auto &network : model.networks()) {
        networks[network->name()] = {{std::shared_ptr<neural::Network>(), network.get()},
                                     runs::settings_of(experiment, network->name()).spec.logits};
    }
    NetworkOutputs outputs = learning::live_outputs(question, networks, inputs);
    for (const LearnableRule &rule : step.rules()) {
        const auto numbers = model.rule_values().subspan(rule.first, rule.probabilities.size());
        outputs.set_rule(rule.rule, {numbers.begin(), numbers.end()});
    }
    Limits limits;
    limits.seconds = options.time_limit;
    const auto best = question.most_probable(outputs, options.count, false, {}, limits);
    // P(O) may be far harder than the most probable model, so compute it only if something is asked
    std::optional<ProbabilityAnswer> answer;
    if (!observations.empty() || !options.queries.empty()) {
        answer = question.probability(outputs, {}, limits);
    }
    const auto seen = guesses(question, outputs);
    console.write(options.json() ? protocol::document(protocol::predict_json(seen, best, answer))
                                 : as_text(seen, best, answer, !observations.empty()));
    console.flush();
    return ExitCode::fine;
}

} // namespace neurasp::cli
