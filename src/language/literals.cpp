// Finds the literals of a statement and describes their shapes.
//
// clingo parses the program, so a second parser here would only be another place where the two could disagree.
// The language layer needs three facts: which `=` may be an atom of a constant or network, which `~` is a strong
// negation, and which atoms a rule derives. Separators and brackets are enough for these, because the statement
// already knows which brackets belong together.
//
// Idea. A head is one aggregate, or literals with conditions, separated by `;`, `|` or `,`. A body is a row of
// literals, aggregates and conditions, separated by `,`, `;` and `:`. In both, `find` and `after` jump over
// brackets, so the separators of arguments are never seen. The elements of an aggregate are split at `;` and
// then at `:`; in a weighted one (`#sum{..}`) the first part is the tuple of terms, which is not a literal.
//
// The bar is ambiguous: `a | b` separates literals, `|X|` is an absolute value. A bar where a term must begin
// opens an absolute value, the next bar after an operand closes it, and every other bar separates.
//
// A comma in a head separates literals as well, except after a `:`, where it continues the condition.
//
// Shapes. Only `[-]name(..)`, alone or compared with a value, can be an atom that concerns us. All other literals
// (variables or arithmetic on the left, two relations in a row) have no shape and pass to clingo as they are.
//
// Texts that are not valid clingo get some result without a report: clingo reports the mistake.
// Cost: linear in the number of tokens.
#include "language/literals.hpp"

namespace neurasp::language {

namespace {

class Finder {
  public:
    explicit Finder(const Statement &statement) : statement_(statement) {}

    std::vector<LiteralSite> take() { return std::move(sites_); }

    // An aggregate, or literals with conditions.
    void head(TokenRange range) {
        const std::uint32_t brace = statement_.find(range, TokenKind::left_brace);
        if (brace == range.end) return disjunction(range);
        if (statement_.kind_at(range.begin) == TokenKind::ampersand) add(range, true);
        elements(brace, range.begin, true);
    }

    // Literals, aggregates and conditions in a row.
    void body(TokenRange range) {
        std::uint32_t begin = range.begin;
        for (std::uint32_t i = range.begin; i < range.end; i = statement_.after(i)) {
            const TokenKind kind = statement_.tokens[i].kind;
            if (kind != TokenKind::comma && kind != TokenKind::semicolon &&
                kind != TokenKind::colon)
                continue;
            body_literal({begin, i});
            begin = i + 1;
        }
        body_literal({begin, range.end});
    }

    // The inside of `{..}` that opens at `brace`, in an aggregate that begins at `begin`.
    void elements(std::uint32_t brace, std::uint32_t begin, bool derived) {
        const TokenRange inside{brace + 1, statement_.partner[brace]};
        const bool weighted =
            brace > begin && statement_.tokens[brace - 1].kind == TokenKind::directive;
        for (const TokenRange element : statement_.split(inside, TokenKind::semicolon)) {
            std::vector<TokenRange> parts = statement_.split(element, TokenKind::colon);
            if (weighted && !parts.empty()) parts.erase(parts.begin()); // the tuple of terms
            bool first = derived;
            for (const TokenRange part : parts) {
                if (first)
                    add(part, true);
                else
                    body(part);
                first = false;
            }
        }
    }

  private:
    void add(TokenRange range, bool derived) {
        if (!range.empty()) sites_.push_back({range, derived});
    }

    void body_literal(TokenRange range) {
        const std::uint32_t brace = statement_.find(range, TokenKind::left_brace);
        if (brace == range.end) return add(range, false);
        std::uint32_t begin = range.begin;
        while (statement_.kind_at(begin) == TokenKind::keyword_not) ++begin;
        if (statement_.kind_at(begin) == TokenKind::ampersand) return add(range, false);
        elements(brace, range.begin, false);
    }

    // A bar separates literals unless it opens or closes an absolute value: |X|.
    void disjunction(TokenRange range) {
        std::uint32_t begin = range.begin;
        bool derived = true;
        bool operand_expected = true;
        std::size_t open_bars = 0;
        for (std::uint32_t i = range.begin; i < range.end; i = statement_.after(i)) {
            const TokenKind kind = statement_.tokens[i].kind;
            bool separates = kind == TokenKind::semicolon || kind == TokenKind::comma;
            if (kind == TokenKind::bar) {
                if (operand_expected)
                    ++open_bars;
                else if (open_bars > 0)
                    --open_bars;
                else
                    separates = true;
            }
            const bool condition = kind == TokenKind::colon;
            if (separates || condition) {
                add({begin, i}, derived);
                begin = i + 1;
                derived = !condition && (derived || kind != TokenKind::comma);
                operand_expected = true;
            } else if (kind != TokenKind::bar) {
                operand_expected = !(kind <= TokenKind::keyword_not || is_opening(kind));
            }
        }
        add({begin, range.end}, derived);
    }

    const Statement &statement_;
    std::vector<LiteralSite> sites_;
};

// `#minimize{..}` holds weighted elements; other directives hold a term or an atom, then conditions.
void find_in_directive(const Statement &statement, Finder &finder, std::uint32_t dot) {
    if (statement.kind_at(1) == TokenKind::left_brace) return finder.elements(1, 0, false);
    finder.body({1, dot});
}

} // namespace

std::vector<LiteralSite> find_literals(const Statement &statement) {
    Finder finder(statement);
    const std::uint32_t dot = statement.find({0, statement.size()}, TokenKind::dot);
    switch (statement.kind) {
    case StatementKind::rule: finder.head(head_of(statement)); [[fallthrough]];
    case StatementKind::neural:
    case StatementKind::probabilistic:
    case StatementKind::weak_constraint: finder.body(body_of(statement)); break;
    case StatementKind::query: finder.body({0, dot}); break;
    case StatementKind::directive: find_in_directive(statement, finder, dot); break;
    case StatementKind::script: break;
    }
    return finder.take();
}

TokenRange head_of(const Statement &statement) {
    const TokenRange all{0, statement.size()};
    const std::uint32_t dot = statement.find(all, TokenKind::dot);
    return {0, statement.find({0, dot}, TokenKind::implies)};
}

TokenRange body_of(const Statement &statement) {
    const TokenRange all{0, statement.size()};
    const std::uint32_t dot = statement.find(all, TokenKind::dot);
    if (statement.kind == StatementKind::weak_constraint) return {1, dot};
    const std::uint32_t implies = statement.find({0, dot}, TokenKind::implies);
    return {implies < dot ? implies + 1 : dot, dot};
}

std::optional<LiteralShape> shape_of(const Statement &statement, TokenRange literal) {
    LiteralShape shape;
    std::uint32_t i = literal.begin;
    for (; i < literal.end && statement.kind_at(i) == TokenKind::keyword_not; ++i)
        ++shape.not_count;
    if (i < literal.end &&
        (statement.kind_at(i) == TokenKind::minus || statement.kind_at(i) == TokenKind::tilde)) {
        shape.sign = i++;
    }
    if (i >= literal.end || statement.kind_at(i) != TokenKind::identifier) return std::nullopt;
    shape.name = i++;
    if (i < literal.end && statement.kind_at(i) == TokenKind::left_paren) {
        shape.has_parentheses = true;
        shape.arguments = {i + 1, statement.partner[i]};
        i = statement.partner[i] + 1;
    }
    if (i == literal.end) return shape;
    if (!is_relation(statement.kind_at(i))) return std::nullopt;
    shape.relation = i;
    shape.value = {i + 1, literal.end};
    if (shape.value.empty()) return std::nullopt;
    for (std::uint32_t j = i + 1; j < literal.end; j = statement.after(j)) {
        if (is_relation(statement.kind_at(j))) return std::nullopt;
    }
    return shape;
}

std::vector<std::vector<TokenRange>> argument_tuples(const Statement &statement,
                                                     const LiteralShape &shape) {
    std::vector<std::vector<TokenRange>> tuples;
    if (shape.arguments.empty()) return {{}};
    for (const TokenRange part : statement.split(shape.arguments, TokenKind::semicolon)) {
        tuples.push_back(statement.split(part, TokenKind::comma));
    }
    return tuples;
}

} // namespace neurasp::language
