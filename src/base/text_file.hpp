// Texts that users give as files: programs, observations, network outputs, constraints.
//
// Invariant: a text is the whole file, unless it holds a NUL byte or more than 4 GiB. Whoever reads
// texts refuses both (SourceMap::add), so reading stops soon after them: there are files without an end.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

namespace neurasp::base {

// Throws: EnvironmentError ("cannot read '<path>': <cause>") if there is no such file, if it may not be
// read, or if it is a folder.
std::string read_text_file(const std::string &path);

// The same; nothing where that throws.
std::optional<std::string> find_text_file(const std::string &path);

// The rest of an open file, such as `stdin`. Throws: EnvironmentError, which calls the file `name`.
std::string read_text(std::FILE &file, const std::string &name);

} // namespace neurasp::base
