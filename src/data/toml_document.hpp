// A TOML text as a tree in which every key and value knows its place. The parser is toml++, whose headers stay
// in toml_document.cpp.
//
// Entries are in the order of the text, and single values can be overridden (`assign`) before the tree is used.
// Nesting and size are limited, so that no text exhausts the stack.
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

// One value; which fields count depends on `kind`. The value of a time is not kept, since no key takes one.
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
    // Reads the text; diagnostics call it `name`.
    // Throws: InputError with the place if it is not TOML, too long, or nested too deeply.
    TomlDocument(std::string text, std::string name);

    const TomlValue &root() const noexcept { return root_; }
    const base::SourceMap &sources() const noexcept { return sources_; }
    // The source number of the text itself; the texts of assignments have higher ones.
    static constexpr std::uint32_t main_source = 0;

    // Sets one value, given as `key=value`: a TOML key (dotted), and a TOML value or, without quotes, a
    // text. Diagnostics about it are located in "<set>".
    // Throws: InputError if it does not have that form.
    void assign(std::string_view assignment);

    // The place of bytes [begin, end) of a text value in the source; that of the whole value if escapes
    // make it unclear.
    base::SourceSpan inside(const TomlValue &text, std::size_t begin, std::size_t end) const;

  private:
    TomlValue read(std::uint32_t source, std::string_view text) const;
    TomlValue read_assignment(std::uint32_t source) const;

    base::SourceMap sources_;
    TomlValue root_;
};

} // namespace neurasp::data
