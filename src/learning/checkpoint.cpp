// Checkpoints as Torch archives: weights, optimisers, random state, progress, and a fingerprint of the experiment.
//
// A resumed run continues bit for bit, so a checkpoint holds every state that a step reads. The order of examples is
// not among them: it depends on the seed and the epoch alone, and so do changes of pictures. Gradients are not either,
// because a step is never left half done.
//
// Reading takes nothing on trust. Torch does not check its archives, so data::check_zip does; then everything is read
// into `Content` and compared (format, fingerprint, counts that must agree, sizes) before the model changes. Torch
// itself does not check that an optimiser's state fits its parameters, so `has_fitting_state` does.
// tests/fuzz/fuzz_checkpoint.cpp changes bytes at random. Cost: the whole state in memory once more while reading or writing.
#include "learning/checkpoint.hpp"

#include "base/atomic_file.hpp"
#include "base/option_names.hpp"
#include "data/zip_directory.hpp"
#include "neural/torch_errors.hpp"
#include "protocol/history_json.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <fmt/format.h>
#include <torch/serialize.h>

#include <limits>
#include <sstream>

namespace neurasp::learning {

namespace {

constexpr std::uint64_t format = 1;

[[noreturn]] void refuse(const std::string &file, const std::string &message,
                         const std::string &hint = "start again instead of resuming") {
    Diagnostic diagnostic;
    diagnostic.code = "checkpoint";
    diagnostic.message = message;
    diagnostic.location.file = file;
    diagnostic.hint = hint;
    diagnostic.option = base::option::resume;
    throw InputError(std::move(diagnostic));
}

std::string place_name(const char *what, std::size_t index) {
    return fmt::format("{}{}", what, index);
}

// The incomplete epoch and the incomplete point are appended to the history, which has a text form.
std::string progress_text(const Progress &progress) {
    runs::History history = progress.history;
    history.epochs.push_back(progress.current);
    history.points.push_back(progress.point);
    return protocol::history_to_json(history);
}

void read_progress_text(Progress &progress, const std::string &text, const std::string &file) {
    progress.history = protocol::history_from_json(text);
    if (progress.history.epochs.empty() || progress.history.points.empty()) {
        refuse(file, "the checkpoint's history is incomplete");
    }
    progress.current = progress.history.epochs.back();
    progress.history.epochs.pop_back();
    progress.point = progress.history.points.back();
    progress.history.points.pop_back();
    if (progress.history.epochs.size() != progress.epoch ||
        progress.current.batches != progress.batch) {
        refuse(file, "the checkpoint's numbers contradict each other");
    }
}

std::uint64_t read_number(torch::serialize::InputArchive &archive, const std::string &key) {
    c10::IValue value;
    archive.read(key, value);
    TORCH_CHECK(value.toInt() >= 0, "'", key, "' is negative");
    return static_cast<std::uint64_t>(value.toInt());
}

// Checkpoints of earlier versions do not have it.
double read_seconds(torch::serialize::InputArchive &archive) {
    c10::IValue value;
    if (!archive.try_read("seconds", value)) return 0.0;
    TORCH_CHECK(value.toDouble() >= 0.0, "'seconds' is not a time");
    return value.toDouble();
}

std::string read_string(torch::serialize::InputArchive &archive, const std::string &key) {
    c10::IValue value;
    archive.read(key, value);
    return value.toStringRef();
}

// Everything that is read before the model is changed.
struct Content {
    Progress progress;
    ModelState state;
    torch::Tensor random;
};

Content read_content(torch::serialize::InputArchive &archive, const std::string &file,
                     const std::string &fingerprint, const Model &model) {
    if (read_number(archive, "format") != format) {
        refuse(file, "the checkpoint has a different format");
    }
    if (read_string(archive, "fingerprint") != fingerprint) {
        refuse(file, "the checkpoint belongs to an experiment with other settings",
               "undo the change of the experiment file, or start again instead of resuming");
    }
    Content content;
    Progress &progress = content.progress;
    progress.epoch = read_number(archive, "epoch");
    progress.batch = read_number(archive, "batch");
    progress.batches = read_number(archive, "batches");
    progress.point_batches = read_number(archive, "point_batches");
    progress.log_position = read_number(archive, "log_position");
    progress.seconds = read_seconds(archive);
    read_progress_text(progress, read_string(archive, "history"), file);
    content.state = read_state(archive, model);
    if (progress.history.best && !progress.history.best->metric.empty()) {
        torch::serialize::InputArchive part;
        archive.read("best", part);
        progress.best_weights = read_state(part, model);
    }
    archive.read("random", content.random);
    return content;
}

void load_optimizer(torch::serialize::InputArchive &archive, torch::optim::Optimizer &optimizer) {
    optimizer.load(archive);
    TORCH_CHECK(has_fitting_state(optimizer), "the state of an optimiser does not fit its network");
}

// The bytes of an intact archive.
std::string read_archive(const std::string &file) {
    data::Bytes bytes;
    try {
        bytes = data::read_bytes(file, std::numeric_limits<std::uint32_t>::max());
        data::check_zip(bytes, file);
    } catch (const EnvironmentError &error) {
        throw EnvironmentError(fmt::format("there is nothing to resume: {}", error.what()));
    } catch (const InputError &error) {
        refuse(file, "the checkpoint is damaged: " + error.diagnostics().front().message);
    }
    return std::string(data::as_text(bytes));
}

} // namespace

void save_checkpoint(const std::string &file, const std::string &fingerprint, const Model &model,
                     const Optimizers &optimizers, const Progress &progress) {
    torch::serialize::OutputArchive archive;
    archive.write("fingerprint", c10::IValue(fingerprint));
    const auto write_number = [&](const char *key, std::uint64_t value) {
        archive.write(key, c10::IValue(static_cast<std::int64_t>(value)));
    };
    write_number("format", format);
    write_number("epoch", progress.epoch);
    write_number("batch", progress.batch);
    write_number("batches", progress.batches);
    write_number("point_batches", progress.point_batches);
    write_number("log_position", progress.log_position);
    archive.write("seconds", c10::IValue(progress.seconds));
    archive.write("history", c10::IValue(progress_text(progress)));
    archive.write("random", at::detail::getDefaultCPUGenerator().get_state());
    write_state(archive, state_of(model));
    if (progress.best_weights) {
        torch::serialize::OutputArchive part;
        write_state(part, *progress.best_weights);
        archive.write("best", part);
    }
    for (std::size_t o = 0; o < optimizers.size(); ++o) {
        torch::serialize::OutputArchive part;
        if (optimizers[o]) optimizers[o]->save(part);
        archive.write(place_name("optimizer", o), part);
    }
    std::ostringstream out;
    archive.save_to(out);
    base::write_file(file, out.str());
}

Progress load_checkpoint(const std::string &file, const std::string &fingerprint, Model &model,
                         Optimizers &optimizers) {
    std::istringstream stream(read_archive(file));
    try {
        torch::serialize::InputArchive archive;
        archive.load_from(stream);
        Content content = read_content(archive, file, fingerprint, model);
        // The best weights, too, are checked against the model now, not when they are needed.
        if (content.progress.best_weights) set_state(model, *content.progress.best_weights, file);
        set_state(model, content.state, file);
        const torch::NoGradGuard guard;
        for (std::size_t o = 0; o < optimizers.size(); ++o) {
            torch::serialize::InputArchive part;
            archive.read(place_name("optimizer", o), part);
            if (optimizers[o]) load_optimizer(part, *optimizers[o]);
        }
        auto generator = at::detail::getDefaultCPUGenerator();
        generator.set_state(content.random);
        return content.progress;
    } catch (const InputError &) {
        throw;
    } catch (const std::exception &error) {
        refuse(file, "the checkpoint cannot be read: " + neural::essential_line(error));
    }
}

} // namespace neurasp::learning
