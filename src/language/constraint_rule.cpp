// Moves heads that derive nothing into bodies; see constraint_rule.hpp for why that is right.
#include "language/constraint_rule.hpp"

#include "language/literals.hpp"

#include <algorithm>

namespace neurasp::language {

namespace {

std::uint32_t count_nots(const Statement &statement, TokenRange literal) {
    std::uint32_t count = 0;
    while (count < literal.size() &&
           statement.kind_at(literal.begin + count) == TokenKind::keyword_not) {
        ++count;
    }
    return count;
}

bool is_boolean(const SourceMap &sources, const Statement &statement, TokenRange literal) {
    if (literal.size() != 1) return false;
    const std::string_view text = sources.text(statement.span(literal.begin));
    return text == "#true" || text == "#false";
}

// Whether an element of a head derives nothing: a negated atom, a comparison (`c=v` with a name on its
// left is the atom of a constant), #true or #false. clingo takes at most two `not`s.
bool derives_nothing(const SourceMap &sources, const Statement &statement, TokenRange literal) {
    const std::uint32_t nots = count_nots(statement, literal);
    if (nots > 2) return false;
    if (const auto shape = shape_of(statement, literal)) {
        return nots > 0 ||
               (shape->relation && statement.kind_at(*shape->relation) != TokenKind::equal);
    }
    const TokenRange rest{literal.begin + nots, literal.end};
    for (std::uint32_t i = rest.begin; i < rest.end; i = statement.after(i)) {
        if (is_relation(statement.kind_at(i))) return true;
    }
    return is_boolean(sources, statement, rest);
}

bool is_false(const SourceMap &sources, const Statement &statement, TokenRange head) {
    return head.size() == 1 && sources.text(statement.span(head.begin)) == "#false";
}

// The elements of a head, without their conditions.
std::vector<TokenRange> head_elements(const Statement &statement, TokenRange head) {
    std::vector<TokenRange> elements;
    for (const LiteralSite &site : find_literals(statement)) {
        if (site.derived && site.range.begin < head.end) elements.push_back(site.range);
    }
    return elements;
}

// `t : L : C` of a head aggregate is `t : L, C` in a body; sets `{L : C}` are written alike.
void lower_aggregate(const Statement &statement, TokenRange head, std::uint32_t brace,
                     Edits &edits) {
    const bool weighted = brace > 0 && statement.kind_at(brace - 1) == TokenKind::directive;
    const bool guarded = brace > (weighted ? 1U : 0U) || statement.partner[brace] + 1 < head.end;
    // Without a bound it always holds; negated, clingo 5.4 would take it for true as well.
    edits.before(0, guarded ? "not " : "not #inf<=");
    if (!weighted) return;
    const TokenRange inside{brace + 1, statement.partner[brace]};
    for (const TokenRange element : statement.split(inside, TokenKind::semicolon)) {
        const std::vector<TokenRange> parts = statement.split(element, TokenKind::colon);
        if (parts.size() < 3) continue;
        if (parts[2].empty())
            edits.drop(parts[1].end);
        else
            edits.replace(parts[1].end, ",");
    }
}

// Every disjunct negated; `;` takes the place of what separated them.
void lower_disjunction(const Statement &statement, TokenRange head, Edits &edits) {
    for (const TokenRange element : head_elements(statement, head)) {
        if (element.begin > head.begin) edits.replace(element.begin - 1, ";");
        if (count_nots(statement, element) == 2)
            edits.drop(element.begin); // not not not a is not a
        else
            edits.before(element.begin, "not ");
    }
}

} // namespace

bool is_constraint(const SourceMap &sources, const Statement &statement) {
    if (statement.kind != StatementKind::rule) return false;
    const TokenRange head = head_of(statement);
    if (head.empty()) return true;
    const bool aggregate = statement.find(head, TokenKind::left_brace) != head.end;
    if (aggregate && statement.kind_at(head.begin) == TokenKind::keyword_not) return false;
    const std::vector<TokenRange> elements = head_elements(statement, head);
    if (elements.empty() && !aggregate) return false;
    return std::all_of(elements.begin(), elements.end(), [&](TokenRange element) {
        return derives_nothing(sources, statement, element);
    });
}

void lower_constraint(const SourceMap &sources, const Statement &statement, const std::string &head,
                      Edits &edits) {
    const TokenRange old_head = head_of(statement);
    if (old_head.empty()) return edits.before(0, head + " ");
    if (is_false(sources, statement, old_head)) return edits.replace(0, head);
    edits.before(0, head + " :- ");
    const std::uint32_t brace = statement.find(old_head, TokenKind::left_brace);
    if (brace != old_head.end)
        lower_aggregate(statement, old_head, brace, edits);
    else
        lower_disjunction(statement, old_head, edits);
    const std::uint32_t implies = old_head.end;
    if (statement.kind_at(implies) != TokenKind::implies) return;
    if (body_of(statement).empty())
        edits.drop(implies);
    else
        edits.replace(implies, ";");
}

} // namespace neurasp::language
