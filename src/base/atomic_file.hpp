// Writing files as a whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace neurasp::base {

// Replaces the file with `bytes`: under another name in the same folder first, then renamed, so that at
// any time, also after a loss of power, the file is the old or the new one. Behind a link, the file it leads
// to is replaced; devices and pipes are written to. Throws: EnvironmentError.
void write_file(const std::filesystem::path &file, std::string_view bytes);

// Removes what processes left in the folder that were killed while they wrote a file there. Nobody else may
// be writing there.
void remove_temporary_files(const std::filesystem::path &folder);

} // namespace neurasp::base
