// Writes lowered text and keeps the map back to the user's texts.
//
// A copied token keeps the line (counted from the first line of its unit) and the column where the user wrote
// it, unless longer text comes before it on its line. Comments and dropped tokens leave blanks.
//
// Invariant: the places of a unit are written in their order.
#pragma once

#include "language/program.hpp"

#include <string_view>

namespace neurasp::language {

class LoweredWriter {
  public:
    explicit LoweredWriter(const SourceMap &sources) : sources_(&sources) {
        lowered_.lines_.emplace_back();
    }

    // Starts a unit: its first line becomes a new line of the lowered text.
    void begin_unit(std::uint32_t source);
    // Goes to the line and column of a place of the unit, unless the output has already passed them.
    void move_to(std::uint32_t offset);
    void copy(SourceSpan token);
    // Writes `text` at the place of the token, instead of it.
    void replace(SourceSpan token, std::string_view text);
    // Writes `text` at the current place. Mistakes in it are reported at `origin`.
    void insert(SourceSpan origin, std::string_view text);
    // Writes `text` on a line of its own; only after all units.
    void line(SourceSpan origin, std::string_view text);

    LoweredText finish();

  private:
    void new_line();
    void put(std::string_view text);
    void piece(SourceSpan span, bool copied);

    const SourceMap *sources_;
    LoweredText lowered_;
    std::uint32_t column_ = 0; // in the lowered text, from 0
    std::uint32_t source_ = 0;
    std::uint32_t offset_ = 0;     // in the source: everything before it is written
    std::uint32_t line_start_ = 0; // of the line with `offset_`
};

} // namespace neurasp::language
