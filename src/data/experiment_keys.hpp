// The table of all keys of an experiment file. The reader checks against it and takes defaults from it, and
// the table in docs/experiment-file.md is printed from it.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::data {

// A list of one item may also be written as the item alone.
enum class KeyType {
    text,
    path,
    integer,
    number,
    number_or_boolean,
    boolean,
    table,
    texts,
    paths,
    integers,
    numbers,
    tables,
    texts_or_tables
};

std::string_view type_name(KeyType type);

// The greatest value of most integers; messages do not mention it.
inline constexpr double largest_count = 2147483647.0;

struct KeyInfo {
    // Parts are separated by dots; a part in <> stands for any name; `[]` for each item of a list.
    std::string_view path;
    KeyType type;
    std::string_view meaning; // one sentence
    // The default, as a user would write it; empty if there is none.
    std::string_view fallback = {};
    // The texts allowed (or the names, if the path ends with a part in <>): "one | other". Empty: any.
    std::string_view words = {};
    // The range of a number.
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    bool is_open = false;       // `least` itself is not allowed
    bool is_open_above = false; // `most` itself is not allowed
    bool is_required = false;
};

// Keys of one table of which at most (or, if required, exactly) one may be given.
struct ExclusiveKeys {
    std::string_view table; // its path, empty for the top of the file
    std::vector<std::string_view> keys;
    bool is_required = false;
};

std::span<const KeyInfo> experiment_keys();
std::span<const ExclusiveKeys> exclusive_experiment_keys();

// The entry with exactly that path, or null.
const KeyInfo *find_experiment_key(std::string_view path);

// The words of "one | other".
std::vector<std::string> words_of(std::string_view words);
// The value a key expects: "an integer from 1 to 10", "a number above 0", "`exact`, `sampling` or `top-k`".
std::string expectation(const KeyInfo &key);

// The table for docs/experiment-file.md, in Markdown.
std::string experiment_key_table();

} // namespace neurasp::data
