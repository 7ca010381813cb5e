// Takes observations apart.
//
// Idea. Ten thousand observations of a data set consist of a few hundred distinct statements. Cutting a text at its dots
// takes a microsecond; reading, checking and lowering it takes a hundred. So texts are cut, and only statements
// that were not seen before are read (training/family_table.hpp).
//
// A dot ends a statement unless it belongs to an interval (`1..3`) or a string; the weight in brackets behind the dot of a weak
// constraint belongs to it. The cut ignores everything else that the grammar knows, because wrong cuts do no harm: the halves of
// `0.3 : a.` are neither facts nor constraints, and the observation is then read as a whole. Comments could hide dots, so
// texts with comments are not cut.
#include "language/observation_parts.hpp"

#include "language/constraint_rule.hpp"
#include "language/literals.hpp"
#include "language/reporter.hpp"
#include "language/statement_reader.hpp"

namespace neurasp::language {

namespace {

constexpr std::string_view blanks = " \t\r\n";

// The position after the string that begins at `begin`.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
    std::size_t i = begin + 1;
    while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
    return i + 1;
}

// The position after the bracket that closes the one at `begin`, or the end of the text.
std::size_t end_of_weight(std::string_view text, std::size_t begin) {
    std::size_t i = begin;
    int depth = 0;
    while (i < text.size()) {
        if (text[i] == '"') {
            i = end_of_string(text, i);
            continue;
        }
        if (text[i] == '[') ++depth;
        if (text[i] == ']') --depth;
        ++i;
        if (depth == 0) return i;
    }
    return text.size();
}

// The text of a constraint with `#` for numbers, strings and names of constants inside parentheses.
std::string form_of(const SourceMap &sources, const Statement &statement) {
    std::string form;
    int depth = 0;
    for (std::uint32_t i = 0; i < statement.size(); ++i) {
        const TokenKind kind = statement.kind_at(i);
        if (is_opening(kind)) ++depth;
        if (is_closing(kind)) --depth;
        const bool is_name =
            kind == TokenKind::identifier && statement.kind_at(i + 1) != TokenKind::left_paren;
        const bool is_value = kind == TokenKind::number || kind == TokenKind::string || is_name;
        const bool is_sign =
            kind == TokenKind::minus && i > 0 && statement.kind_at(i + 1) == TokenKind::number &&
            (is_opening(statement.kind_at(i - 1)) || statement.kind_at(i - 1) == TokenKind::comma);
        if (depth > 0 && is_sign) continue; // -3 is a number like others
        form += depth > 0 && is_value ? "#" : std::string(sources.text(statement.span(i)));
        form += ' ';
    }
    return form;
}

std::vector<ObservationPart> facts_of(const SourceMap &sources, const Statement &statement,
                                      const LiteralShape &shape) {
    std::vector<ObservationPart> facts;
    std::string name(sources.text(statement.span(shape.name)));
    if (shape.sign) name.insert(0, "-");
    for (const auto &arguments : argument_tuples(statement, shape)) {
        std::string list;
        for (const TokenRange argument : arguments) {
            if (!list.empty()) list += ",";
            list += joined_text(sources, statement, argument);
        }
        // `p(1,)` and `p()` are left to clingo
        const bool plain = !shape.has_parentheses || !list.empty();
        if (!plain || (!list.empty() && list.back() == ',')) return {};
        facts.push_back({ObservationPart::Kind::fact,
                         shape.has_parentheses ? name + "(" + list + ")." : name + ".",
                         name + "/" + std::to_string(arguments.size())});
    }
    return facts;
}

} // namespace

std::optional<std::vector<std::string_view>> cut_at_dots(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t begin = text.find_first_not_of(blanks);
    std::size_t i = begin;
    while (i < text.size()) {
        const char c = text[i];
        if (c == '%' || (c == '#' && i + 1 < text.size() && text[i + 1] == '!'))
            return std::nullopt;
        if (c == '"') {
            i = end_of_string(text, i);
            continue;
        }
        if (c == '.' && i + 1 < text.size() && text[i + 1] == '.') {
            i += 2;
            continue;
        }
        ++i;
        if (c != '.') continue;
        std::size_t next = std::min(text.find_first_not_of(blanks, i), text.size());
        if (next < text.size() && text[next] == '[') {
            i = end_of_weight(text, next);
            next = std::min(text.find_first_not_of(blanks, i), text.size());
        }
        parts.push_back(text.substr(begin, i - begin));
        begin = i = next;
    }
    if (begin < text.size()) return std::nullopt;
    return parts;
}

std::optional<std::vector<ObservationPart>> read_part(std::string_view statement) {
    SourceMap sources;
    Reporter reporter(sources);
    const ReadOptions options;
    const SourceUnit unit{sources.add("<observation>", std::string(statement)), Role::observation};
    StatementReader reader(sources, unit, options, reporter);
    const std::optional<Statement> read = reader.next();
    if (!read || reader.next() || reporter.count() > 0) return std::nullopt;
    const bool is_weak = read->kind == StatementKind::weak_constraint;
    // `:~ . [1]` costs every model the same, and a guard would have no comma before it
    if (is_weak && read->kind_at(1) == TokenKind::dot) return std::nullopt;
    if (!is_weak && read->kind != StatementKind::rule) return std::nullopt;
    if (is_weak || is_constraint(sources, *read)) {
        return std::vector{ObservationPart{ObservationPart::Kind::constraint,
                                           joined_text(sources, *read, {0, read->size()}),
                                           form_of(sources, *read)}};
    }
    const TokenRange head = head_of(*read);
    if (read->kind_at(head.end) != TokenKind::dot) return std::nullopt;
    const std::optional<LiteralShape> shape = shape_of(*read, head);
    if (!shape || shape->relation || shape->not_count > 0) return std::nullopt;
    std::vector<ObservationPart> facts = facts_of(sources, *read, *shape);
    if (facts.empty()) return std::nullopt;
    return facts;
}

void add_guard(const Statement &statement, bool has_body, Edits &edits) {
    // the semicolon ends the condition of a conditional literal
    edits.before(statement.find({0, statement.size()}, TokenKind::dot),
                 (has_body ? "; " : " :- ") + std::string(given_helper) + "(" +
                     std::to_string(statement.unit.guard) + ")");
}

std::string guard_declaration(std::uint32_t greatest) {
    return "#external " + std::string(given_helper) + "(G) : G=1.." + std::to_string(greatest) +
           ".";
}

} // namespace neurasp::language
