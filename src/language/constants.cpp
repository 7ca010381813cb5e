// Rewrites literals: `c=v` and `m(i,t)=v` into atoms, `~a` into `-a`.
#include "language/constants.hpp"

#include <algorithm>
#include <utility>

namespace neurasp::language {

std::optional<Signature> compared_constant(const SourceMap &sources, const Statement &statement,
                                           const LiteralShape &shape) {
    if (!shape.relation) return std::nullopt;
    const std::vector<std::vector<TokenRange>> tuples = argument_tuples(statement, shape);
    if (tuples.size() != 1) return std::nullopt;
    return Signature{std::string(sources.text(statement.span(shape.name))), tuples[0].size()};
}

// Keeps columns: `size(a)=big` becomes `size(a ,big)`, `coin=head` becomes `coin(head)`. In a pool, each
// alternative gets the value: `size(a;b)=big` becomes `size(a,big;b ,big)`.
void rewrite_constant(const SourceMap &sources, const Statement &statement,
                      const LiteralShape &shape, Edits &edits) {
    if (shape.sign && statement.kind_at(*shape.sign) == TokenKind::tilde) {
        edits.replace(*shape.sign, "-");
    }
    for (std::uint32_t i = shape.arguments.begin; i < shape.arguments.end; i = statement.after(i)) {
        if (statement.kind_at(i) != TokenKind::semicolon) continue;
        edits.before(i, "," + joined_text(sources, statement, shape.value));
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

// Whether a literal gives a known constant or event a value, in every alternative if it holds a pool.
bool is_known(const SourceMap &sources, const Statement &statement, const LiteralShape &shape,
              const ValuedTerms &known) {
    const std::string name(sources.text(statement.span(shape.name)));
    const std::vector<std::vector<TokenRange>> tuples = argument_tuples(statement, shape);
    return std::all_of(tuples.begin(), tuples.end(), [&](const std::vector<TokenRange> &tuple) {
        return known.contains({name, tuple.size()}) && (tuples.size() == 1 || !tuple.empty());
    });
}

void report_comparison(const SourceMap &sources, const Statement &statement, TokenRange literal,
                       const LiteralShape &shape, Reporter &reporter) {
    const std::string name = joined_text(sources, statement, {shape.name, *shape.relation});
    const std::string value = joined_text(sources, statement, shape.value);
    const bool differs = statement.kind_at(*shape.relation) == TokenKind::not_equal;
    reporter.error("constant-comparison", statement.span(literal),
                   "the multi-valued constant " + in_quotes(name) + " takes '=' only, found " +
                       in_quotes(sources.text(statement.span(*shape.relation))),
                   differs ? "write 'not " + printable(name) + "=" + printable(value) + "'"
                           : "write '" + printable(name) + "=X' and compare X");
}

void rewrite_literal(const SourceMap &sources, const Statement &statement, const LiteralSite &site,
                     const ValuedTerms &known, Edits &edits, Reporter &reporter) {
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
    if (derived && !constant) {
        reporter.error("syntax", statement.span(shape->arguments),
                       "expected the arguments of one constant, found a pool",
                       "write one head for each alternative");
    } else if (derived || (equal && is_known(sources, statement, *shape, known))) {
        rewrite_constant(sources, statement, *shape, edits);
    } else if (!equal && constant && known.constants.contains(*constant)) {
        report_comparison(sources, statement, site.range, *shape, reporter);
    }
}

} // namespace

void rewrite_literals(const SourceMap &sources, const Statement &statement,
                      const ValuedTerms &known, Edits &edits, Reporter &reporter) {
    for (const LiteralSite &site : find_literals(statement)) {
        rewrite_literal(sources, statement, site, known, edits, reporter);
    }
}

} // namespace neurasp::language
