// A TOML text as a tree whose every key and value knows its place, beside the parser (toml++), whose
// headers stay in toml_document.cpp.
//
// Entries stand in the order of the text, and single values can be set from outside (`--set a.b=3`)
// before anybody looks at the tree. Nesting and size are limited, so that no text exhausts the stack.
#pragma once

#include "base/source.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::data {

enum class TomlKind { table, list, text, integer, number, boolean, time };

// "a text", "an integer", ...: for messages.
std::string_view kind_name(TomlKind kind);

struct TomlEntry;

// One value; which fields count depends on `kind`. A time is never read, so it holds nothing.
struct TomlValue {
    TomlKind kind = TomlKind::table;
    bool is_inline = false; // of a table: written as {...}
    bool boolean = false;
    std::int64_t integer = 0;
    double number = 0.0; // of integers as well
    std::string text;
    std::vector<TomlValue> items;   // of a list
    std::vector<TomlEntry> entries; // of a table
    base::SourceSpan at;            // of a table that is not inline: its header

    // The entry of that name, or null.
    const TomlEntry *find(std::string_view key) const;
    TomlEntry *find(std::string_view key);
};

struct TomlEntry {
    std::string key;
    base::SourceSpan at; // of the key
    TomlValue value;
};

class TomlDocument {
  public:
    // Reads the text; `name` is what diagnostics call it.
    // Throws: InputError with the place if it is no TOML, too long, or nested too deeply.
    TomlDocument(std::string text, std::string name);

    const TomlValue &root() const noexcept { return root_; }
    const base::SourceMap &sources() const noexcept { return sources_; }
    // The number of the text itself; texts of later assignments have higher ones.
    static constexpr std::uint32_t main_source = 0;

    // Sets one value, given as `key=value`: a TOML key (dotted), and a TOML value or, without quotes, a
    // text. Diagnostics about it are located in "<set>".
    // Throws: InputError if it has not that form.
    void assign(std::string_view assignment);

    // Where bytes [begin, end) of a text value stand in the source; the whole value if escapes make
    // that unclear.
    base::SourceSpan inside(const TomlValue &text, std::size_t begin, std::size_t end) const;

  private:
    TomlValue read(std::uint32_t source, std::string_view text) const;
    TomlValue read_assignment(std::uint32_t source) const;

    base::SourceMap sources_;
    TomlValue root_;
};

} // namespace neurasp::data
