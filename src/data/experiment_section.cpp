// Access to the values of a checked TOML tree, with defaults from the table of keys.
#include "data/experiment_section.hpp"

#include "base/suggest.hpp"
#include "data/experiment_check.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <utility>

namespace neurasp::data {

void ExperimentContext::add(std::string code, base::SourceSpan at, std::string message,
                            std::string hint) {
    if (errors_.error_count() >= most_experiment_errors) return;
    errors_.add(document_.sources().diagnose(Severity::error, std::move(code), at,
                                             std::move(message), std::move(hint)));
}

void ExperimentContext::add_unknown(base::SourceSpan at, std::string_view what,
                                    std::string_view name, std::span<const std::string> names) {
    constexpr std::size_t most_names = 20;
    std::string hint;
    if (const auto near = base::closest_name(name, names)) {
        hint = "did you mean '" + *near + "'?";
    } else if (!names.empty()) {
        for (const std::string &known : names.first(std::min(names.size(), most_names))) {
            hint += (hint.empty() ? "available: " : ", ") + known;
        }
    }
    add("unknown-name", at,
        "there is no " + std::string(what) + " '" + std::string(name.substr(0, 60)) + "'",
        std::move(hint));
}

FileReference ExperimentContext::file(const TomlValue &path) const {
    const std::filesystem::path whole = std::filesystem::path(folder_) / path.text;
    return {path.text, whole.lexically_normal().string(), locate(path.at)};
}

InlineText ExperimentContext::text(const TomlValue &value) const {
    return {value.text, locate(document_.inside(value, 0, value.text.size()))};
}

TemplateText ExperimentContext::parse_template(const TomlValue &value) {
    std::vector<TemplateMistake> mistakes;
    TemplateText result(value.text, mistakes);
    for (TemplateMistake &mistake : mistakes) {
        add("template-syntax", document_.inside(value, mistake.begin, mistake.end),
            std::move(mistake.message), std::move(mistake.hint));
    }
    return result;
}

const TomlValue *Section::given(std::string_view key) const {
    const TomlEntry *entry = table_ == nullptr ? nullptr : table_->find(key);
    return entry == nullptr ? nullptr : &entry->value;
}

Section Section::table(std::string_view key) const {
    const std::string path(info(key).path);
    return {context_, given(key), path};
}

std::span<const TomlEntry> Section::entries(std::string_view key) const {
    const TomlValue *table = given(key);
    return table == nullptr ? std::span<const TomlEntry>() : table->entries;
}

std::span<const TomlValue> Section::items(std::string_view key) const {
    const TomlValue *value = given(key);
    if (value == nullptr) return {};
    return value->kind == TomlKind::list ? std::span(value->items) : std::span(value, 1);
}

bool Section::boolean(std::string_view key) const {
    const TomlValue *value = given(key);
    return value == nullptr ? info(key).fallback == "true" : value->boolean;
}

double Section::number(std::string_view key) const {
    const TomlValue *value = given(key);
    return value == nullptr ? fallback_number(key) : value->number;
}

std::size_t Section::count(std::string_view key) const {
    const TomlValue *value = given(key);
    if (value != nullptr) return static_cast<std::size_t>(value->integer);
    return static_cast<std::size_t>(fallback_number(key));
}

std::vector<double> Section::numbers(std::string_view key) const {
    std::vector<double> result;
    for (const TomlValue &item : items(key)) result.push_back(item.number);
    if (given(key) == nullptr) result.push_back(fallback_number(key));
    return result;
}

FileReference Section::file(std::string_view key) const {
    const TomlValue *value = given(key);
    return value == nullptr ? FileReference() : context_.file(*value);
}

InlineText Section::text(std::string_view key) const {
    const TomlValue *value = given(key);
    return value == nullptr ? InlineText() : context_.text(*value);
}

const KeyInfo &Section::info(std::string_view key) const {
    const std::string path = path_.empty() ? std::string(key) : path_ + "." + std::string(key);
    const KeyInfo *found = find_experiment_key(path);
    if (found == nullptr) throw ContractError("Section: the table of keys has no '" + path + "'");
    return *found;
}

std::size_t Section::word_index(std::string_view key) const {
    const KeyInfo &known = info(key);
    const TomlValue *value = given(key);
    const std::string_view word = value == nullptr ? known.fallback : value->text;
    const std::vector<std::string> words = words_of(known.words);
    return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

double Section::fallback_number(std::string_view key) const {
    const std::string_view text = info(key).fallback;
    double result = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw ContractError("Section: '" + std::string(key) + "' has no default");
    }
    return result;
}

} // namespace neurasp::data
