// Writes lowered text and keeps the map back to the user's texts.
//
// Tokens that are copied stand at the line (counted from the unit's first) and column where the user
// wrote them, unless longer text was put before them on their line. Comments and dropped tokens leave
// blanks. The places of a unit are written in their order.
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
    // Goes to the line and column of a place of the unit, as far as the output has not passed it.
    void move_to(std::uint32_t offset);
    void copy(SourceSpan token);
    // `text` at the place of the token, which it stands for.
    void replace(SourceSpan token, std::string_view text);
    // `text` right here, standing for `origin`.
    void insert(SourceSpan origin, std::string_view text);
    // A line of its own that stands for `origin`; only after all units.
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
    std::uint32_t offset_ = 0;     // in the source: everything before it is dealt with
    std::uint32_t line_start_ = 0; // of the line with `offset_`
};

} // namespace neurasp::language
