#include "language/constants.hpp"

#include <utility>

namespace neurasp::language {

std::optional<Signature> compared_constant(const SourceMap &sources, const Statement &statement,
                                           const LiteralShape &shape) {
    if (!shape.relation) return std::nullopt;
    const std::vector<std::vector<TokenRange>> tuples = argument_tuples(statement, shape);
    if (tuples.size() != 1) return std::nullopt;
    return Signature{std::string(sources.text(statement.span(shape.name))), tuples[0].size()};
}

// Keeps columns: `size(a)=big` becomes `size(a ,big)`, `coin=head` becomes `coin(head)`.
void rewrite_constant(const Statement &statement, const LiteralShape &shape, Edits &edits) {
    if (shape.sign && statement.kind_at(*shape.sign) == TokenKind::tilde) {
        edits.replace(*shape.sign, "-");
    }
    if (shape.has_parentheses) {
        edits.drop(shape.arguments.end);
        if (shape.arguments.empty())
            edits.drop(*shape.relation);
        else
            edits.replace(*shape.relation, ",");
    } else {
        edits.replace(*shape.relation, "(");
    }
    edits.after(shape.value.end - 1, ")");
}

std::string atom_text(const SourceMap &sources, const Statement &statement,
                      const LiteralShape &shape) {
    std::string text = shape.sign ? "-" : "";
    text += sources.text(statement.span(shape.name));
    if (shape.arguments.empty() && !shape.relation) return text;
    text += '(';
    text += joined_text(sources, statement, shape.arguments);
    if (shape.relation) {
        if (!shape.arguments.empty()) text += ',';
        text += joined_text(sources, statement, shape.value);
    }
    return text + ')';
}

namespace {

void rewrite_literal(const SourceMap &sources, const Statement &statement, const LiteralSite &site,
                     const std::set<Signature> &known, Edits &edits, Reporter &reporter) {
    const std::optional<LiteralShape> shape = shape_of(statement, site.range);
    if (!shape) return;
    if (!shape->relation) {
        if (shape->sign && statement.kind_at(*shape->sign) == TokenKind::tilde) {
            edits.replace(*shape->sign, "-");
        }
        return;
    }
    const bool equal = statement.kind_at(*shape->relation) == TokenKind::equal;
    const bool derived = site.derived && shape->not_count == 0 && equal;
    const std::optional<Signature> constant = compared_constant(sources, statement, *shape);
    if (!constant) {
        if (!derived) return;
        reporter.error("syntax", statement.span(shape->arguments),
                       "expected the arguments of one constant, found a pool",
                       "write one head for each alternative");
    } else if (equal && (derived || known.contains(*constant))) {
        rewrite_constant(statement, *shape, edits);
    } else if (!equal && known.contains(*constant)) {
        const std::string name = joined_text(sources, statement, {shape->name, *shape->relation});
        const std::string value = joined_text(sources, statement, shape->value);
        const bool differs = statement.kind_at(*shape->relation) == TokenKind::not_equal;
        reporter.error("constant-comparison", statement.span(site.range),
                       "the multi-valued constant " + in_quotes(name) + " takes '=' only, found " +
                           in_quotes(sources.text(statement.span(*shape->relation))),
                       differs ? "write 'not " + printable(name) + "=" + printable(value) + "'"
                               : "write '" + printable(name) + "=X' and compare X");
    }
}

} // namespace

void rewrite_literals(const SourceMap &sources, const Statement &statement,
                      const std::set<Signature> &known, Edits &edits, Reporter &reporter) {
    for (const LiteralSite &site : find_literals(statement)) {
        rewrite_literal(sources, statement, site, known, edits, reporter);
    }
}

} // namespace neurasp::language
