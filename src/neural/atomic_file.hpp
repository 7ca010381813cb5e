// Writing files as a whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace neurasp::neural {

// Replaces the file with `bytes`: under another name in the same folder first, then renamed, so that at
// any time, also after a loss of power, the file is the old or the new one. Throws: EnvironmentError.
void write_file(const std::filesystem::path &file, std::string_view bytes);

} // namespace neurasp::neural
