// Reading TorchScript files, with errors that people understand.
#pragma once

#include "neural/layers.hpp"

#include <filesystem>
#include <string>
#include <unordered_map>

namespace torch::jit {
struct Module;
}

namespace neurasp::neural {

// Texts that Torch saves next to a module, by name.
using ExtraFiles = std::unordered_map<std::string, std::string>;
// The note of a network as such a text; none if it is empty.
ExtraFiles extra_files(const std::string &note);

// Throws: EnvironmentError if the file cannot be read; InputError (network-file) if it is not an intact
// TorchScript module. Its note, if it has one, is stored in `note`.
torch::jit::Module read_script(const std::filesystem::path &file, std::string *note = nullptr);
// Only the note. Throws: as read_script.
std::string read_note(const std::filesystem::path &file);

// The parameters and buffers of such a module, by their full names.
NamedTensors script_parameters(const torch::jit::Module &module);
NamedTensors script_buffers(const torch::jit::Module &module);
NamedTensors read_script_tensors(const std::filesystem::path &file);

} // namespace neurasp::neural
