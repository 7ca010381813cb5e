// Reading TorchScript files, with errors that people understand.
#pragma once

#include "neural/layers.hpp"

#include <filesystem>

namespace torch::jit {
struct Module;
}

namespace neurasp::neural {

// Throws: EnvironmentError if the file cannot be read; InputError (network-file) if it is not an intact
// TorchScript module.
torch::jit::Module read_script(const std::filesystem::path &file);

// The parameters and buffers of such a module, by their full names.
NamedTensors script_parameters(const torch::jit::Module &module);
NamedTensors script_buffers(const torch::jit::Module &module);
NamedTensors read_script_tensors(const std::filesystem::path &file);

} // namespace neurasp::neural
