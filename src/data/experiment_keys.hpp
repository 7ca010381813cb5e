// The one table of what an experiment file may hold. The reader checks against it and takes defaults
// from it, and the table in docs/experiment-file.md is printed from it.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::data {

// A list may also be written as its only item.
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

struct KeyInfo {
    // Parts are separated by dots; a part in <> stands for any name; `[]` for each item of a list.
    std::string_view path;
    KeyType type;
    std::string_view meaning; // one sentence
    // As it would be written; empty: there is none.
    std::string_view fallback = {};
    // What a text (or, behind a part in <>, the name) may be: "one | other".
    std::string_view words = {};
    // What a number may be.
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
// "an integer from 1 to 10", "a number above 0", "`exact`, `sampling` or `top-k`": what a value must be.
std::string expectation(const KeyInfo &key);

// The table for docs/experiment-file.md, in Markdown.
std::string experiment_key_table();

} // namespace neurasp::data
