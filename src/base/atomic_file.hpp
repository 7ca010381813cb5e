// Writes a file completely or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace neurasp::base {

// Replaces the contents of the file with `bytes`. They are written under another name in the same folder, which
// is then renamed, so at any time, even after a power failure, the file is either the old one or the new one.
// If the path is a symbolic link, its target is replaced; devices and pipes are written to directly.
// Throws: EnvironmentError.
void write_file(const std::filesystem::path &file, std::string_view bytes);

// Removes temporary files that killed processes left in the folder. Requires: no other process is writing there.
void remove_temporary_files(const std::filesystem::path &folder);

} // namespace neurasp::base
