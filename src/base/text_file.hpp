// Reads the text files of users: programs, observations, network outputs, constraints.
//
// Invariant: the result is the whole file, unless it holds a NUL byte or is longer than 4 GiB. Then reading
// stops soon after, because the file may be endless; SourceMap::add refuses such a text.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

namespace neurasp::base {

// Throws: EnvironmentError ("cannot read '<path>': <cause>") if the file does not exist, is not readable or is
// a folder.
std::string read_text_file(const std::string &path);

// The same, but returns nothing instead of throwing.
std::optional<std::string> find_text_file(const std::string &path);

// The rest of an open file, such as `stdin`; `name` stands for it in messages. Throws: EnvironmentError.
std::string read_text(std::FILE &file, const std::string &name);

} // namespace neurasp::base
