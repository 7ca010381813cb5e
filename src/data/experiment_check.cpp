// Walks the TOML tree and the table of keys side by side.
#include "data/experiment_check.hpp"

#include "base/suggest.hpp"
#include "data/experiment_keys.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace neurasp::data {

namespace {

using base::SourceSpan;

// The keys that are allowed directly in the table with a given path.
struct Children {
    std::vector<std::string> names;
    std::vector<const KeyInfo *> keys;
    const KeyInfo *any_name = nullptr; // the part in <>, if there is one
};

Children children_of(std::string_view table) {
    Children children;
    for (const KeyInfo &key : experiment_keys()) {
        std::string_view name = key.path;
        if (!table.empty()) {
            if (!name.starts_with(table) || name.size() <= table.size() ||
                name[table.size()] != '.')
                continue;
            name.remove_prefix(table.size() + 1);
        }
        if (name.find('.') != std::string_view::npos) continue;
        if (name.starts_with('<')) {
            children.any_name = &key;
        } else {
            children.names.emplace_back(name);
            children.keys.push_back(&key);
        }
    }
    return children;
}

bool is_list(KeyType type) {
    switch (type) {
    case KeyType::texts:
    case KeyType::paths:
    case KeyType::integers:
    case KeyType::numbers:
    case KeyType::tables:
    case KeyType::texts_or_tables: return true;
    default: return false;
    }
}

// A user's text in quotes, shortened, for messages.
std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 60;
    return "'" + std::string(text.substr(0, longest)) + (text.size() > longest ? "...'" : "'");
}

bool is_path(KeyType type) { return type == KeyType::path || type == KeyType::paths; }

// Whether a value of that kind can be the key's value or, if that is a list, an item of it.
bool fits(TomlKind kind, KeyType type) {
    switch (type) {
    case KeyType::text:
    case KeyType::path:
    case KeyType::texts:
    case KeyType::paths: return kind == TomlKind::text;
    case KeyType::integer:
    case KeyType::integers: return kind == TomlKind::integer;
    case KeyType::number:
    case KeyType::numbers: return kind == TomlKind::integer || kind == TomlKind::number;
    case KeyType::number_or_boolean:
        return kind == TomlKind::integer || kind == TomlKind::number || kind == TomlKind::boolean;
    case KeyType::boolean: return kind == TomlKind::boolean;
    case KeyType::table:
    case KeyType::tables: return kind == TomlKind::table;
    case KeyType::texts_or_tables: break;
    }
    return kind == TomlKind::text || kind == TomlKind::table;
}

class Checker {
  public:
    Checker(const TomlDocument &document, base::DiagnosticSink &errors)
        : document_(document), errors_(errors) {}

    // `path` is the table's path in the table of keys, `shown` the path as the user wrote it.
    void check_table(const TomlValue &table, const std::string &path, const std::string &shown) {
        const Children children = children_of(path);
        for (const TomlEntry &entry : table.entries) {
            if (is_full()) return;
            if (const KeyInfo *key = find(children, entry, shown)) {
                check_value(entry.value, *key, shown.empty() ? entry.key : shown + "." + entry.key);
            }
        }
        for (std::size_t i = 0; i < children.keys.size(); ++i) {
            if (children.keys[i]->is_required && table.find(children.names[i]) == nullptr) {
                add_missing(table, shown, "'" + children.names[i] + "'");
            }
        }
        check_exclusive(table, path, shown);
    }

  private:
    const KeyInfo *find(const Children &children, const TomlEntry &entry,
                        const std::string &shown) {
        const auto known = std::find(children.names.begin(), children.names.end(), entry.key);
        if (known != children.names.end()) {
            return children.keys[static_cast<std::size_t>(known - children.names.begin())];
        }
        std::vector<std::string> names = children.names;
        if (children.any_name != nullptr) {
            names = words_of(children.any_name->words);
            const bool is_allowed =
                names.empty() || std::find(names.begin(), names.end(), entry.key) != names.end();
            if (is_allowed) return children.any_name;
        }
        std::string hint;
        if (const auto near = base::closest_name(entry.key, names)) {
            hint = "did you mean '" + *near + "'?";
        } else {
            for (const std::string &name : names) hint += (hint.empty() ? "" : ", ") + name;
            hint = "the keys here are: " + hint;
        }
        add("unknown-key", entry.at,
            "there is no key " + in_quotes(entry.key) +
                (shown.empty() ? " at the top of the file" : " in '" + shown + "'"),
            std::move(hint));
        return nullptr;
    }

    void check_value(const TomlValue &value, const KeyInfo &key, const std::string &shown) {
        if (!is_list(key.type) || value.kind != TomlKind::list) {
            check_item(value, key, shown);
            return;
        }
        for (const TomlValue &item : value.items) {
            if (is_full()) return;
            check_item(item, key, shown);
        }
    }

    void check_item(const TomlValue &value, const KeyInfo &key, const std::string &shown) {
        if (!fits(value.kind, key.type)) {
            add("wrong-type", value.at,
                "'" + shown + "' must be " + expectation(key) + ", found " +
                    std::string(kind_name(value.kind)));
            return;
        }
        switch (value.kind) {
        case TomlKind::table:
            check_table(value, std::string(key.path) + (is_list(key.type) ? "[]" : ""), shown);
            break;
        case TomlKind::text: check_text(value, key, shown); break;
        case TomlKind::integer:
        case TomlKind::number: check_number(value, key, shown); break;
        default: break;
        }
    }

    void check_text(const TomlValue &value, const KeyInfo &key, const std::string &shown) {
        if (is_path(key.type)) {
            if (value.text.empty()) add("value-range", value.at, "'" + shown + "' is empty");
            if (value.text.find('\0') != std::string::npos) {
                add("value-range", value.at, "'" + shown + "' holds a NUL character");
            }
        }
        if (key.words.empty()) return;
        const std::vector<std::string> words = words_of(key.words);
        if (std::find(words.begin(), words.end(), value.text) != words.end()) return;
        std::string hint;
        if (const auto near = base::closest_name(value.text, words)) {
            hint = "did you mean '" + *near + "'?";
        }
        add("value-range", value.at,
            "'" + shown + "' must be " + expectation(key) + ", found " + in_quotes(value.text),
            std::move(hint));
    }

    void check_number(const TomlValue &value, const KeyInfo &key, const std::string &shown) {
        const double number = value.number;
        const bool is_inside = std::isfinite(number) && number >= key.least && number <= key.most &&
                               !(key.is_open && number == key.least) &&
                               !(key.is_open_above && number == key.most);
        if (is_inside) return;
        add("value-range", value.at,
            "'" + shown + "' must be " + expectation(key) + ", found " +
                std::string(document_.sources().text(value.at)));
    }

    void check_exclusive(const TomlValue &table, const std::string &path,
                         const std::string &shown) {
        for (const ExclusiveKeys &group : exclusive_experiment_keys()) {
            if (group.table != path) continue;
            const TomlEntry *first = nullptr;
            std::string names;
            for (const std::string_view name : group.keys) {
                names += (names.empty()               ? "'"
                          : name == group.keys.back() ? "' or '"
                                                      : "', '") +
                         std::string(name);
            }
            names += "'";
            for (const TomlEntry &entry : table.entries) {
                const bool is_member =
                    std::find(group.keys.begin(), group.keys.end(), entry.key) != group.keys.end();
                if (is_member && first != nullptr) {
                    add("exclusive-keys", entry.at,
                        "'" + entry.key + "' cannot be combined with '" + first->key + "'",
                        "give only one of " + names);
                }
                if (is_member && first == nullptr) first = &entry;
            }
            if (group.is_required && first == nullptr) add_missing(table, shown, names);
        }
    }

    void add_missing(const TomlValue &table, const std::string &shown, const std::string &names) {
        std::string message = (shown.empty() ? "the file" : "'" + shown + "'") + " lacks " + names;
        if (!shown.empty()) {
            add("missing-key", table.at, std::move(message));
            return;
        }
        Diagnostic diagnostic;
        diagnostic.code = "missing-key";
        diagnostic.message = std::move(message);
        diagnostic.location.file = document_.sources().name(TomlDocument::main_source);
        errors_.add(std::move(diagnostic));
    }

    bool is_full() const { return errors_.error_count() >= most_experiment_errors; }

    void add(std::string code, SourceSpan at, std::string message, std::string hint = {}) {
        if (is_full()) return;
        errors_.add(document_.sources().diagnose(Severity::error, std::move(code), at,
                                                 std::move(message), std::move(hint)));
    }

    const TomlDocument &document_;
    base::DiagnosticSink &errors_;
};

} // namespace

void check_experiment_keys(const TomlDocument &document, base::DiagnosticSink &errors) {
    Checker(document, errors).check_table(document.root(), "", "");
}

} // namespace neurasp::data
