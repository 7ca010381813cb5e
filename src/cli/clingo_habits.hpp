// Command lines that users of clingo type by habit: accepted where they mean the same here, explained where they do
// not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::cli {

// The words with clingo's spellings replaced by ours: --outf, -V0, --models, --opt-mode. Throws: UsageError if a value
// has no counterpart here.
std::vector<std::string> in_our_words(const std::vector<std::string> &arguments);

// A hint for an option of clingo that is not an option of the command; empty for any other.
std::string clingo_hint(std::string_view option);

// Whether clingo reads this word as a number of models.
bool is_number_of_models(std::string_view word);

// Takes the number of models, as in `clingo program.lp 0`, out of the files. Throws: UsageError if there are
// several, or if `count`, the value of an option that was given, is a different number.
std::optional<std::uint64_t> take_number_of_models(std::vector<std::string> &files,
                                                   std::optional<std::uint64_t> count);

} // namespace neurasp::cli
