// Messages of clingo from parsing and grounding, turned into diagnostics. This is the only place that knows
// clingo's wording.
#pragma once

#include "base/source.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::asp {

// A message of clingo from parsing or grounding.
struct GroundMessage {
    enum class Kind { error, warning, info };
    // Those that mean more to us than their text.
    enum class Topic {
        other,
        undefined_atom,      // it is in the head of no rule
        undefined_signature, // of a #show: there are no such atoms
        undefined_operation, // arithmetic with something that is not a number, so that the instance is dropped
    };
    Kind kind = Kind::info;
    Topic topic = Topic::other;
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

// A predicate: atoms that agree in name, number of arguments and strong negation.
struct Predicate {
    std::string name;
    std::size_t arity = 0;
    bool negative = false;

    std::string text() const; // "-name/2"
    friend auto operator<=>(const Predicate &, const Predicate &) = default;
};

// The predicate of an undefined atom or signature. Requires: `message` is about one.
Predicate undefined_predicate(const GroundMessage &message);
// The atom, signature or term that a message with a topic is about, as clingo prints it.
std::string_view subject(const GroundMessage &message);

// Maps a place in the text that clingo was given back to the user's source.
using PlaceMap = std::function<base::SourceSpan(std::uint32_t line, std::uint32_t column,
                                                std::uint32_t end_line, std::uint32_t end_column)>;

// The message as a diagnostic at the user's place, with a hint if we have one. If the message has notes, they say
// what is wrong; the rule that clingo prints, which may be one that we generated, is then left out.
Diagnostic to_diagnostic(const GroundMessage &message, const base::SourceMap &sources,
                         const PlaceMap &origin);

} // namespace neurasp::asp
