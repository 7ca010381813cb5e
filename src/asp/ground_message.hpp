// Messages of clingo from parsing and grounding, turned into diagnostics. This is the only place that knows
// clingo's wording.
#pragma once

#include "base/source.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::asp {

// A message of clingo from parsing or grounding.
struct GroundMessage {
    enum class Kind { error, warning, info };
    Kind kind = Kind::info;
    std::string text; // without the location; may have several lines
    // The place in the text that was being grounded; line 0 if clingo named none.
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t end_line = 0;
    std::uint32_t end_column = 0;
    std::vector<GroundMessage> notes; // e.g. the unsafe variables of a rule
};

// Splits clingo's "<block>:3:9-10: error: text" (or "<block>:3:9-4:2: ...") into its parts; further
// lines that start with a place become notes.
GroundMessage parse_message(std::string_view text);

// Maps a place in the text that clingo was given back to the user's source.
using PlaceMap = std::function<base::SourceSpan(std::uint32_t line, std::uint32_t column,
                                                std::uint32_t end_line, std::uint32_t end_column)>;

// The message as a diagnostic at the user's place, with a hint if we have one. If the message has notes, they say
// what is wrong; the rule that clingo prints, which may be one that we generated, is then left out.
Diagnostic to_diagnostic(const GroundMessage &message, const base::SourceMap &sources,
                         const PlaceMap &origin);

} // namespace neurasp::asp
