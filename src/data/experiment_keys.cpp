// Texts made from the table of keys: expectations for messages, and the table in the docs.
#include "data/experiment_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace neurasp::data {

namespace {

using enum KeyType;

bool is_numeric(KeyType type) {
    return type == integer || type == integers || type == number || type == numbers;
}

std::string number_text(double number) {
    return std::floor(number) == number ? fmt::format("{:.0f}", number) : fmt::format("{}", number);
}

// " from 1 to 10", " above 0": empty if any number will do.
std::string range_text(const KeyInfo &key) {
    std::string text;
    if (std::isfinite(key.least)) {
        const bool is_interval = std::isfinite(key.most) && key.most < largest_count;
        text = (key.is_open ? " above " : is_interval ? " from " : " of at least ");
        text += number_text(key.least);
        if (is_interval) {
            text += (key.is_open_above ? " to below " : " to ") + number_text(key.most);
        }
    }
    return text;
}

std::string words_text(std::string_view words) {
    const std::vector<std::string> names = words_of(words);
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
        text += "`" + names[i] + "`";
    }
    return text;
}

std::string default_text(const KeyInfo &key) {
    if (key.is_required) return "required";
    if (key.fallback.empty()) return "";
    const bool is_text = key.type == text || key.type == path;
    return is_text ? fmt::format("`\"{}\"`", key.fallback) : fmt::format("`{}`", key.fallback);
}

} // namespace

std::string_view type_name(KeyType type) {
    switch (type) {
    case text: return "text";
    case path: return "path";
    case integer: return "integer";
    case number: return "number";
    case number_or_boolean: return "number or boolean";
    case boolean: return "boolean";
    case table: return "table";
    case texts: return "list of texts";
    case paths: return "list of paths";
    case integers: return "list of integers";
    case numbers: return "list of numbers";
    case tables: return "list of tables";
    case texts_or_tables: break;
    }
    return "list of texts or tables";
}

const KeyInfo *find_experiment_key(std::string_view path) {
    const std::span<const KeyInfo> keys = experiment_keys();
    const auto found = std::find_if(keys.begin(), keys.end(),
                                    [&](const KeyInfo &key) { return key.path == path; });
    return found == keys.end() ? nullptr : &*found;
}

std::vector<std::string> words_of(std::string_view words) {
    constexpr std::string_view between = " | ";
    std::vector<std::string> result;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(between), words.size());
        result.emplace_back(words.substr(0, end));
        words.remove_prefix(std::min(end + between.size(), words.size()));
    }
    return result;
}

std::string expectation(const KeyInfo &key) {
    const bool is_choice = key.type == text || key.type == texts;
    if (is_choice && !key.words.empty()) return words_text(key.words);
    switch (key.type) {
    case boolean: return "true or false";
    case number_or_boolean: return "a number, or true or false";
    case text: return "a text";
    case path: return "a path, as a text";
    case table: return "a table";
    case integer: return "an integer" + range_text(key);
    case integers: return "integers" + range_text(key);
    case number: return "a number" + range_text(key);
    case numbers: return "a number or numbers" + range_text(key);
    case paths: return "a path or a list of paths, as texts";
    case texts: return "a list of texts";
    case tables: return "a list of tables";
    case texts_or_tables: break;
    }
    return "a list of texts or tables";
}

std::string experiment_key_table() {
    std::string out = "| key | type | default | meaning |\n|---|---|---|---|\n";
    for (const KeyInfo &key : experiment_keys()) {
        std::string kind(type_name(key.type));
        if (is_numeric(key.type)) kind += range_text(key);
        if (!key.words.empty()) kind = words_text(key.words);
        out += fmt::format("| `{}` | {} | {} | {} |\n", key.path, kind, default_text(key),
                           key.meaning);
    }
    return out;
}

} // namespace neurasp::data
