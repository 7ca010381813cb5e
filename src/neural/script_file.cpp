// Reads TorchScript files. Torch does not compare the members of an archive with their checksums, and a single
// changed byte can make it crash, so data::check_zip runs first; then any error of Torch becomes a diagnostic with
// its essential line. Cost: the file is read once and checked once before Torch parses it.
#include "neural/script_file.hpp"

#include "data/byte_source.hpp"
#include "data/data_error.hpp"
#include "data/zip_directory.hpp"
#include "neural/torch_errors.hpp"

#include <torch/script.h>

#include <sstream>

namespace neurasp::neural {

namespace fs = std::filesystem;

namespace {

constexpr const char *note_name = "neurasp-input.json";

InputError not_intact(const fs::path &file, const std::string &why) {
    return data::data_error(
        "network-file", file.string(), "this is not an intact TorchScript file: " + why,
        "save a network in Python with torch.jit.script(network).save(path); weights "
        "written by torch.save are not a network");
}

} // namespace

ExtraFiles extra_files(const std::string &note) {
    return note.empty() ? ExtraFiles{} : ExtraFiles{{note_name, note}};
}

std::string read_note(const fs::path &file) {
    std::string note;
    read_script(file, &note);
    return note;
}

torch::jit::Module read_script(const fs::path &file, std::string *note) {
    const data::Bytes bytes = data::read_bytes(file.string());
    try {
        data::check_zip(bytes, file.string());
        std::istringstream in{std::string(data::as_text(bytes))};
        ExtraFiles extra{{note_name, ""}};
        torch::jit::Module module = torch::jit::load(in, torch::kCPU, extra);
        if (note != nullptr) *note = extra[note_name];
        return module;
    } catch (const InputError &error) {
        throw not_intact(file, error.diagnostics().front().message);
    } catch (const std::exception &error) {
        throw not_intact(file, essential_line(error));
    }
}

NamedTensors script_parameters(const torch::jit::Module &module) {
    NamedTensors tensors;
    for (const auto &entry : module.named_parameters())
        tensors.emplace_back(entry.name, entry.value);
    return tensors;
}

NamedTensors script_buffers(const torch::jit::Module &module) {
    NamedTensors tensors;
    for (const auto &entry : module.named_buffers()) tensors.emplace_back(entry.name, entry.value);
    return tensors;
}

NamedTensors read_script_tensors(const fs::path &file) {
    const torch::jit::Module module = read_script(file);
    NamedTensors tensors = script_parameters(module);
    const NamedTensors buffers = script_buffers(module);
    tensors.insert(tensors.end(), buffers.begin(), buffers.end());
    return tensors;
}

} // namespace neurasp::neural
