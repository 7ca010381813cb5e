#include "language/statement_reader.hpp"

#include "base/option_names.hpp"
#include "language/directives.hpp"

#include <utility>

namespace neurasp::language {

namespace {

// Whether an identifier follows the token without a blank, as in `0.3:-a`.
bool names_directly(Lexer &ahead, Token token) {
    const Token following = ahead.next();
    return following.kind == TokenKind::identifier && following.begin == token.end;
}

} // namespace

StatementReader::StatementReader(const SourceMap &sources, SourceUnit unit,
                                 const ReadOptions &options, Reporter &reporter)
    : unit_(unit), options_(&options), reporter_(&reporter),
      lexer_(sources.text(unit.source), unit.source, &reporter) {}

std::optional<Statement> StatementReader::next() {
    while (!reporter_->full()) {
        statement_ = {};
        statement_.unit = unit_;
        open_.clear();
        operators_ = {};
        too_deep_ = false;
        errors_before_ = reporter_->count();
        const std::uint32_t start = lexer_.position();
        read_statement();
        if (!spoilt() && !statement_.tokens.empty()) return std::move(statement_);
        if (lexer_.position() == start) break; // the end, or nothing but blanks before it
    }
    return std::nullopt;
}

void StatementReader::read_statement() {
    if (unit_.role == Role::query || unit_.role == Role::each_query) return read_query();
    if (starts_probabilistic()) return read_probabilistic();
    const Token first = lexer_.next();
    switch (first.kind) {
    case TokenKind::end: return;
    case TokenKind::dot:
        if (!spoilt()) syntax(span(first), "expected a statement, found '.'");
        return;
    case TokenKind::directive:
        if (!is_term_directive(lexer_.text(first))) return read_directive(first);
        break;
    case TokenKind::weak: statement_.kind = StatementKind::weak_constraint; break;
    default: break;
    }
    read_to_dot(first);
    if (statement_.kind == StatementKind::weak_constraint) {
        read_brackets_behind_dot();
    } else if (!spoilt() && is_neural()) {
        statement_.kind = StatementKind::neural;
    }
}

// A query is the whole text: one body with an optional dot.
void StatementReader::read_query() {
    const std::uint32_t start = lexer_.position();
    statement_.kind = StatementKind::query;
    for (Token token = lexer_.next(); token.kind != TokenKind::end; token = lexer_.next()) {
        if (token.kind == TokenKind::dot) {
            end_with(token);
            const Token more = lexer_.next();
            if (more.kind != TokenKind::end && !spoilt()) {
                syntax(span(more),
                       "expected the end of the query, found " + in_quotes(lexer_.text(more)),
                       "a query is one body; give each query on its own");
            }
            break;
        }
        if (token.kind == TokenKind::implies || token.kind == TokenKind::weak) {
            syntax(span(token),
                   "expected a query, found a rule with " + in_quotes(lexer_.text(token)),
                   "a query is a body, such as: addition(i1,i2,7), not blocked");
            break;
        }
        if (token.kind == TokenKind::directive && stops_at(token)) break;
        push(token);
    }
    const bool empty =
        statement_.kind_at(0) == TokenKind::end || statement_.kind_at(0) == TokenKind::dot;
    if (empty && !spoilt() && start == 0) {
        syntax({unit_.source, 0, 0}, "expected a query, found an empty text",
               "a query is a body, such as: addition(i1,i2,7), not blocked");
    }
    if (!open_.empty() && !spoilt())
        end_with({lexer_.position(), lexer_.position(), TokenKind::end});
    lexer_.skip_all();
}

// Whether a statement that starts here is a probabilistic rule. Starts that no clingo rule has
// decide at once; after `1 -` it takes the token behind the atom: `1 -a; ..` against `1-k {..}`.
bool StatementReader::starts_probabilistic() const {
    Lexer ahead = lexer_.probe();
    Token token = ahead.next(Lexer::Mode::probability);
    const bool marked = token.kind == TokenKind::at;
    const bool negative = token.kind == TokenKind::minus;
    if (marked || negative) token = ahead.next(Lexer::Mode::probability);
    if (token.kind == TokenKind::decimal) return true;
    if (token.kind != TokenKind::number) return false;
    if (marked) return true;
    token = ahead.next();
    while (ahead.text(token) == "/") { // 1/3 : a
        token = ahead.next(Lexer::Mode::probability);
        if (token.kind == TokenKind::decimal) return true;
        if (token.kind != TokenKind::number) return false;
        token = ahead.next();
    }
    if (token.kind == TokenKind::colon) return true;
    if (negative) return false;
    switch (token.kind) {
    case TokenKind::identifier:
    case TokenKind::tilde:
    case TokenKind::weak: return true;
    case TokenKind::implies: return names_directly(ahead, token);
    case TokenKind::minus: break;
    default: return false;
    }
    if (ahead.next().kind != TokenKind::identifier) return false;
    token = ahead.next();
    for (std::size_t depth = 0; token.kind != TokenKind::end && token.kind != TokenKind::dot;) {
        if (token.kind == TokenKind::left_paren)
            ++depth;
        else if (token.kind == TokenKind::right_paren && depth > 0)
            --depth;
        else if (depth == 0)
            break;
        token = ahead.next();
    }
    return token.kind == TokenKind::semicolon || token.kind == TokenKind::bar ||
           token.kind == TokenKind::dot || token.kind == TokenKind::implies;
}

void StatementReader::read_probabilistic() {
    statement_.kind = StatementKind::probabilistic;
    bool head = true;
    bool expected = true; // a probability, here
    while (true) {
        const bool probability = head && expected && open_.empty();
        const Token token =
            lexer_.next(probability ? Lexer::Mode::probability : Lexer::Mode::plain);
        if (token.kind == TokenKind::end) return missing_dot();
        if (token.kind == TokenKind::dot) return end_with(token);
        if (token.kind == TokenKind::directive && stops_at(token)) return;
        push(token);
        if (!head || !open_.empty()) continue;
        if (token.kind == TokenKind::implies) {
            head = false;
        } else if (token.kind == TokenKind::semicolon || token.kind == TokenKind::bar ||
                   token.kind == TokenKind::comma) { // a comma is a mistake, reported later
            expected = true;
        } else if (token.kind != TokenKind::at && token.kind != TokenKind::minus) {
            if (expected && takes_slash()) continue;
            if (expected) split_colon();
            expected = false;
        }
    }
}

// Behind a probability, a slash announces the denominator of a fraction.
bool StatementReader::takes_slash() {
    Lexer ahead = lexer_.probe();
    if (ahead.text(ahead.next()) != "/") return false;
    push(lexer_.next());
    operators_ = {}; // it is no operator of a term
    return true;
}

// Behind a probability, `:-a` and `:~a` are a colon and a negated atom.
void StatementReader::split_colon() {
    Lexer ahead = lexer_.probe();
    const Token token = ahead.next();
    const bool splits = token.kind == TokenKind::weak ||
                        (token.kind == TokenKind::implies && names_directly(ahead, token));
    if (!splits) return;
    push({token.begin, token.begin + 1, TokenKind::colon});
    push({token.begin + 1, token.end,
          token.kind == TokenKind::weak ? TokenKind::tilde : TokenKind::minus});
    lexer_.rewind(token.end);
}

void StatementReader::read_directive(Token name) {
    const std::string_view text = lexer_.text(name);
    if (text == "#script") return read_script(name);
    if (text == "#theory") {
        reporter_->error("theory-unsupported", span(name), "theory definitions are not supported",
                         "remove the '#theory' and the theory atoms '&..'");
        return skip_silently_to_dot();
    }
    if (!is_statement_directive(text)) {
        reporter_->error("unknown-directive", span(name), "unknown directive " + in_quotes(text),
                         directive_hint(text));
        return skip_silently_to_dot();
    }
    statement_.kind = StatementKind::directive;
    push(name);
    read_to_dot(lexer_.next());
    if (text == "#external" || text == "#heuristic" || text == "#const") read_brackets_behind_dot();
}

void StatementReader::read_script(Token name) {
    if (!options_->allow_script) {
        reporter_->error(
            "script-refused", span(name), "scripts are not allowed here",
            "a script can do anything to this machine; allow it only for programs that "
            "you trust",
            base::option::allow_script);
        lexer_.script_body();
        return skip_silently_to_dot();
    }
    statement_.kind = StatementKind::script;
    push(name);
    for (const TokenKind expected :
         {TokenKind::left_paren, TokenKind::identifier, TokenKind::right_paren}) {
        const Token token = lexer_.next();
        if (token.kind != expected) {
            syntax(span(token), "expected '#script (python)' or '#script (lua)'");
            lexer_.script_body();
            return skip_silently_to_dot();
        }
        push(token);
    }
    const Token body = lexer_.script_body();
    if (body.kind == TokenKind::end) {
        return syntax(span(name), "this script is never closed: expected '#end.'");
    }
    push(body);
    const Token dot = lexer_.next();
    if (dot.kind != TokenKind::dot) return syntax(span(body), "expected '.' behind '#end'");
    push(dot);
}

void StatementReader::skip_silently_to_dot() {
    Lexer ahead = lexer_.probe();
    Token token = ahead.next();
    while (token.kind != TokenKind::dot && token.kind != TokenKind::end) token = ahead.next();
    lexer_.rewind(ahead.position());
}

// Takes a token into the statement and keeps the books about brackets.
void StatementReader::push(Token token) {
    const std::uint32_t index = statement_.size();
    statement_.tokens.push_back(token);
    statement_.partner.push_back(index);
    if (token.kind == TokenKind::identifier && lexer_.text(token).starts_with("__neurasp")) {
        reporter_->error("reserved-name", span(token),
                         "names that start with '__neurasp' are reserved, found " +
                             in_quotes(lexer_.text(token)),
                         "choose another name");
    }
    if (token.kind != TokenKind::raw && token.end - token.begin > longest_token) {
        syntax(span(token), "expected at most " + std::to_string(longest_token) +
                                " bytes in a name, number or string, found " +
                                std::to_string(token.end - token.begin));
    }
    if (too_deep_) return;
    operators_.take(token.kind);
    if (operators_.deepest() > deepest_nesting) {
        too_deep_ = true;
        return syntax(span(token), "operators nest deeper than " + std::to_string(deepest_nesting),
                      "each operator of a term counts, as in 1+1+1; use shorter terms, or #sum");
    }
    if (is_opening(token.kind)) {
        open_.push_back(index);
        if (open_.size() > deepest_nesting) {
            too_deep_ = true;
            syntax(span(token), "brackets nest deeper than " + std::to_string(deepest_nesting));
        }
    } else if (is_closing(token.kind)) {
        if (open_.empty()) {
            if (!spoilt())
                syntax(span(token), in_quotes(lexer_.text(token)) + " closes no bracket");
            return;
        }
        const Token opening = statement_.tokens[open_.back()];
        if (closing_of(opening.kind) != token.kind && !spoilt()) {
            syntax(span(token), "expected the partner of " + in_quotes(lexer_.text(opening)) +
                                    " in " + reporter_->place(span(opening), span(token)) +
                                    ", found " + in_quotes(lexer_.text(token)));
        }
        statement_.partner[index] = open_.back();
        statement_.partner[open_.back()] = index;
        open_.pop_back();
    }
}

void StatementReader::read_to_dot(Token first) {
    for (Token token = first;; token = lexer_.next()) {
        if (token.kind == TokenKind::end) return missing_dot();
        if (token.kind == TokenKind::dot) return end_with(token);
        if (token.kind == TokenKind::directive && stops_at(token)) return;
        push(token);
    }
}

// Weights and modifiers: `:~ a. [1@2]`, `#external a. [true]`, `#const n=1. [override]`.
void StatementReader::read_brackets_behind_dot() {
    if (spoilt()) return;
    const Token dot = statement_.tokens.back();
    if (lexer_.probe().next().kind != TokenKind::left_bracket) {
        if (statement_.kind == StatementKind::weak_constraint) {
            syntax(span(dot), "expected a weight '[w@l,t]' behind the weak constraint");
        }
        return;
    }
    do {
        const Token token = lexer_.next();
        if (token.kind == TokenKind::end || token.kind == TokenKind::dot) {
            if (!spoilt())
                syntax(span(statement_.size() > 0 ? statement_.tokens.back() : dot),
                       "expected ']' behind the weight");
            return;
        }
        if (token.kind == TokenKind::directive && stops_at(token)) return;
        push(token);
    } while (!open_.empty());
}

// Whether a directive inside a statement ends it: the dot before it was forgotten.
bool StatementReader::stops_at(Token token) {
    const std::string_view name = lexer_.text(token);
    if (is_term_directive(name)) return false;
    if (!is_statement_directive(name)) {
        reporter_->error("unknown-directive", span(token), "unknown directive " + in_quotes(name),
                         directive_hint(name));
        return false;
    }
    syntax(span(token), "expected '.' before " + in_quotes(name));
    lexer_.rewind(token.begin);
    return true;
}

void StatementReader::end_with(Token dot) {
    // A dot without width stands for a string that was not closed.
    const bool real = dot.begin < dot.end || dot.kind == TokenKind::end;
    if (real && !open_.empty() && !spoilt()) {
        const Token opening = statement_.tokens[open_.back()];
        syntax(span(opening),
               in_quotes(lexer_.text(opening)) + " is never closed in this statement");
    }
    if (dot.kind == TokenKind::dot) push(dot);
}

void StatementReader::missing_dot() {
    if (statement_.tokens.empty() || spoilt()) return;
    if (!open_.empty()) return end_with({0, 0, TokenKind::end});
    const Token last = statement_.tokens.back();
    const bool observes =
        statement_.unit.role == Role::observation && statement_.kind_at(0) != TokenKind::implies;
    syntax(span(last),
           "expected '.' at the end of the statement, found the end of the text after " +
               in_quotes(lexer_.text(last)),
           observes ? "to observe that an atom is true, write ':- not atom.'" : "");
}

// `nn` is a keyword: `nn(` at the start of a statement is a neural rule, whatever is wrong with the rest.
bool StatementReader::is_neural() const {
    return statement_.kind_at(0) == TokenKind::identifier &&
           lexer_.text(statement_.tokens[0]) == "nn" &&
           statement_.kind_at(1) == TokenKind::left_paren;
}

void StatementReader::syntax(SourceSpan at, std::string message, std::string hint) {
    reporter_->error("syntax", at, std::move(message), std::move(hint));
}

} // namespace neurasp::language
