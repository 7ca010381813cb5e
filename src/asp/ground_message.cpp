// Parses clingo's messages and turns them into diagnostics with hints.
#include "asp/ground_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace neurasp::asp {

namespace {

// Removes a number from the front of `text`.
bool take_number(std::string_view &text, std::uint32_t &number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

bool take(std::string_view &text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

// Removes "<block>:L:C-C: " or "<block>:L:C-L:C: " from the front, if it is there.
void take_location(std::string_view &text, GroundMessage &message) {
    std::string_view rest = text;
    GroundMessage found;
    if (!take(rest, "<block>:") || !take_number(rest, found.line) || !take(rest, ":") ||
        !take_number(rest, found.column)) {
        return;
    }
    found.end_line = found.line;
    found.end_column = found.column + 1;
    if (take(rest, "-")) {
        std::uint32_t number = 0;
        if (!take_number(rest, number)) return;
        found.end_column = number;
        if (take(rest, ":") && !rest.starts_with(' ')) {
            found.end_line = number;
            if (!take_number(rest, found.end_column)) return;
            take(rest, ":");
        }
    } else {
        take(rest, ":");
    }
    take(rest, " ");
    message.line = found.line;
    message.column = found.column;
    message.end_line = found.end_line;
    message.end_column = found.end_column;
    text = rest;
}

std::pair<Severity, const char *> severity_and_code(GroundMessage::Kind kind) {
    switch (kind) {
    case GroundMessage::Kind::error: return {Severity::error, "clingo-error"};
    case GroundMessage::Kind::warning: return {Severity::warning, "clingo-warning"};
    case GroundMessage::Kind::info: break;
    }
    return {Severity::info, "clingo-info"};
}

GroundMessage::Topic topic_of(std::string_view text) {
    using Topic = GroundMessage::Topic;
    constexpr std::array<std::pair<std::string_view, Topic>, 5> beginnings{{
        {"atom does not occur in any rule head:", Topic::undefined_atom},
        {"no atoms over signature occur in program:", Topic::undefined_signature},
        {"operation undefined:", Topic::undefined_operation},
        {"interval undefined:", Topic::undefined_operation},
        {"tuple ignored:", Topic::undefined_operation},
    }};
    for (const auto &[beginning, topic] : beginnings) {
        if (text.starts_with(beginning)) return topic;
    }
    return Topic::other;
}

// How many arguments an atom has whose text behind the name is `text`: nothing, or "(..)".
std::size_t count_arguments(std::string_view text) {
    if (text.empty()) return 0;
    std::size_t count = 1;
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            if (c == '"') quoted = false;
            continue;
        }
        if (c == '"') quoted = true;
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (c == ',' && depth == 1) ++count;
    }
    return count;
}

// A hint for a message of clingo; empty if we have none.
std::string hint_for(const std::string &message, base::SourceSpan place,
                     const base::SourceMap &sources) {
    if (message.starts_with("unsafe variables")) {
        return "every variable must occur in an atom of the body that is not negated; names that "
               "are not variables start with a lower-case letter";
    }
    if (!message.starts_with("syntax error")) return {};
    // If the mistake is at the beginning of a line, the statement before may lack its dot.
    const SourceLocation at = sources.locate(place);
    const std::string_view own = sources.line(place.source, at.line);
    if (own.find_first_not_of(" \t") + 1 != at.column) return {};
    for (std::uint32_t line = at.line - 1; line > 0; --line) {
        std::string_view before = sources.line(place.source, line);
        before = before.substr(0, before.find('%'));
        const std::size_t last = before.find_last_not_of(" \t\r");
        if (last == std::string_view::npos) continue;
        constexpr std::string_view goes_on = ".,;:|([{&+-*/=<>";
        if (goes_on.find(before[last]) != std::string_view::npos) return {};
        return fmt::format("is the '.' missing at the end of line {}?", line);
    }
    return {};
}

} // namespace

GroundMessage parse_message(std::string_view text) {
    GroundMessage message;
    for (std::size_t at = 0; (at = text.find("\n<block>:", at)) != std::string_view::npos;) {
        ++at;
        message.notes.push_back(parse_message(text.substr(at, text.find('\n', at) - at)));
    }
    text = text.substr(0, text.find("\n<block>:"));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    take_location(text, message);
    if (take(text, "error: ")) {
        message.kind = GroundMessage::Kind::error;
    } else if (take(text, "warning: ")) {
        message.kind = GroundMessage::Kind::warning;
    } else if (!take(text, "info: ")) {
        take(text, "note: ");
    }
    message.text = text;
    if (message.kind == GroundMessage::Kind::info) message.topic = topic_of(text);
    // clingo adds a bookkeeping atom to the rules of each part: "[#inc_base]" or "[#inc_part2]".
    for (std::size_t at = 0; (at = message.text.find("[#inc_", at)) != std::string::npos;) {
        std::size_t end = message.text.find(']', at);
        if (end == std::string::npos) break;
        ++end;
        if (message.text.compare(end, 1, ";") == 0) {
            ++end;
        } else if (at >= 2 && message.text.compare(at - 2, 2, ":-") == 0) {
            at -= 2; // the body consisted of it alone
        }
        message.text.erase(at, end - at);
    }
    return message;
}

std::string_view subject(const GroundMessage &message) {
    const std::string_view text = message.text;
    const std::size_t begin = text.find_first_not_of(" \n", text.find(':') + 1);
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

std::string Predicate::text() const {
    return (negative ? "-" : "") + name + "/" + std::to_string(arity);
}

Predicate undefined_predicate(const GroundMessage &message) {
    std::string_view atom = subject(message);
    Predicate predicate;
    predicate.negative = take(atom, "-");
    const std::size_t end = std::min(atom.find_first_of("(/"), atom.size());
    predicate.name = atom.substr(0, end);
    atom.remove_prefix(end);
    if (message.topic == GroundMessage::Topic::undefined_atom) {
        predicate.arity = count_arguments(atom);
    } else if (std::uint32_t arity = 0; take(atom, "/") && take_number(atom, arity)) {
        predicate.arity = arity;
    }
    return predicate;
}

Diagnostic to_diagnostic(const GroundMessage &message, const base::SourceMap &sources,
                         const PlaceMap &origin) {
    const auto [severity, code] = severity_and_code(message.kind);
    if (message.line == 0) return {severity, code, message.text, {}, {}, {}};
    const auto place = [&](const GroundMessage &at) {
        return origin(at.line, at.column, at.end_line, at.end_column);
    };
    std::string text = message.text;
    if (!message.notes.empty()) {
        text = text.substr(0, text.find(" in:"));
        for (std::size_t i = 0; i < message.notes.size(); ++i) {
            const SourceLocation at = sources.locate(place(message.notes[i]));
            text += fmt::format("{} {} (line {}, column {})", i == 0 ? ":" : ",",
                                message.notes[i].text, at.line, at.column);
        }
    }
    const base::SourceSpan span = place(message);
    std::string hint = hint_for(text, span, sources);
    return sources.diagnose(severity, code, span, std::move(text), std::move(hint));
}

} // namespace neurasp::asp
