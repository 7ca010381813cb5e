// Reads an experiment file: text -> tree -> check against the table of keys -> structs.
#include "data/experiment_file.hpp"

#include "data/byte_source.hpp"
#include "data/experiment_check.hpp"
#include "data/experiment_section.hpp"

#include <filesystem>

namespace neurasp::data {

namespace {

namespace filesystem = std::filesystem;

TrainingSettings read_training(const Section &section) {
    TrainingSettings training;
    training.method = section.word<TrainingMethod>("method");
    training.samples = section.count("samples");
    training.k = section.count("k");
    training.alpha = section.number("alpha");
    training.label_smoothing = section.number("label_smoothing");
    training.batch_size = section.count("batch_size");
    training.accumulate = section.count("accumulate");
    training.epochs = section.count("epochs");
    training.optimal = section.boolean("optimal");
    training.gradient = section.word<GradientKind>("gradient");
    training.clip = section.number("clip");
    training.threads = section.count("threads");
    training.shuffle = section.boolean("shuffle");
    training.circuits = section.file("circuits");
    training.compile_seconds = section.number("compile_seconds");
    training.checkpoint_every = section.count("checkpoint_every");
    training.evaluate_every = section.count("evaluate_every");
    training.evaluate_batches = section.count("evaluate_batches");
    training.stop_after = section.count("stop_after");
    training.best = section.text("best").text;
    training.patience = section.count("patience");
    return training;
}

// `runs/addition` beside `addition.toml`.
FileReference default_output(const filesystem::path &file) {
    FileReference output;
    output.written = "runs/" + file.stem().string();
    output.path = (file.parent_path() / output.written).lexically_normal().string();
    return output;
}

void fill(Experiment &experiment, ExperimentContext &context, const Section &root) {
    for (const TomlValue &item : root.items("program")) {
        experiment.programs.push_back(context.file(item));
    }
    const TomlValue *program = root.given("program");
    if (program != nullptr && experiment.programs.empty()) {
        context.add("value-range", program->at, "'program' lists no files");
    }
    experiment.program_text = root.text("program_text");
    experiment.output =
        root.given("output") != nullptr ? root.file("output") : default_output(experiment.file);
    experiment.seed = root.count("seed");
    experiment.networks = read_networks(context, root);
    experiment.rules.learning_rate = root.table("rules").number("learning_rate");
    experiment.splits = read_splits(context, root);
    experiment.example = read_example(context, root, experiment);
    experiment.training = read_training(root.table("training"));
    experiment.evaluation = read_evaluation(context, root, experiment);
    check_habits(context, root, experiment);
}

} // namespace

Experiment read_experiment(std::string_view text, const std::string &name,
                           std::span<const std::string> assignments) {
    Experiment experiment;
    experiment.file = name;
    experiment.text = text;
    experiment.assignments.assign(assignments.begin(), assignments.end());

    TomlDocument document(experiment.text, name);
    for (const std::string &assignment : assignments) document.assign(assignment);
    base::DiagnosticSink errors;
    check_experiment_keys(document, errors);
    errors.throw_if_errors();

    ExperimentContext context(document, errors, filesystem::path(name).parent_path().string());
    fill(experiment, context, Section(context, &document.root(), ""));
    errors.throw_if_errors();
    return experiment;
}

Experiment read_experiment_file(const std::string &path, std::span<const std::string> assignments) {
    const Bytes bytes = read_bytes(path);
    return read_experiment(as_text(bytes), path, assignments);
}

} // namespace neurasp::data
