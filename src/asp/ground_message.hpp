// What clingo says while it parses and grounds, and what that means for the user. This is the only place that
// knows clingo's wording.
#pragma once

#include "base/source.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::asp {

// What clingo said while parsing or grounding.
struct GroundMessage {
    enum class Kind { error, warning, info };
    Kind kind = Kind::info;
    std::string text; // without the location; may have several lines
    // The place in the text of the part that was being added; line 0 if clingo gave none.
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t end_line = 0;
    std::uint32_t end_column = 0;
    std::vector<GroundMessage> notes; // e.g. the unsafe variables of a rule
};

// Splits clingo's "<block>:3:9-10: error: text" (or "<block>:3:9-4:2: ...") into its parts; further
// lines that start with a place become notes.
GroundMessage parse_message(std::string_view text);

// Where a place in the text that clingo was given comes from in the user's sources.
using PlaceMap = std::function<base::SourceSpan(std::uint32_t line, std::uint32_t column,
                                                std::uint32_t end_line, std::uint32_t end_column)>;

// The message at the user's place, with a hint where one can be given. Where it has notes, these say what is
// wrong, and the printed rule, which may be one that we generated, is left out.
Diagnostic to_diagnostic(const GroundMessage &message, const base::SourceMap &sources,
                         const PlaceMap &origin);

} // namespace neurasp::asp
