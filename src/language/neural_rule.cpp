// Reads neural rules, checks what their text shows, and lowers them.
//
// Once the form of the head is right, all checks run, so that several mistakes of a rule are reported at once.
// Only plain numbers and strings are checked here; names and expressions get their values by grounding, and
// inference/variable_reader.cpp repeats the checks there. language/program.hpp shows the lowered form.
#include "language/neural_rule.hpp"

#include "language/lexer.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace neurasp::language {

namespace {

// Reads one neural rule; the members are the rule's parts as far as they are read.
class NeuralRuleParser {
  public:
    NeuralRuleParser(const SourceMap &sources, const Statement &statement, Reporter &reporter)
        : sources_(sources), statement_(statement), reporter_(reporter) {}

    std::optional<ParsedNeuralRule> parse() {
        const std::size_t before = reporter_.count();
        if (!read_frame() || !read_network()) return std::nullopt;
        check_events();
        check_outcomes();
        check_size();
        if (reporter_.count() > before || reporter_.full()) return std::nullopt;
        parsed_.rule.span = statement_.span();
        parsed_.rule.events = statement_.span(parsed_.events);
        parsed_.rule.term_count = parsed_.terms.size();
        for (const TokenRange outcome : parsed_.outcomes) {
            parsed_.rule.outcomes.push_back(statement_.span(outcome));
        }
        return std::move(parsed_);
    }

  private:
    // nn( .. , [ .. ] ) and then `:-` or the dot.
    bool read_frame() {
        const std::uint32_t close = statement_.partner[1];
        comma_ = statement_.find({2, close}, TokenKind::comma);
        if (comma_ == close || statement_.kind_at(comma_ + 1) != TokenKind::left_bracket) {
            return expected("a list of outcomes '[v1,..,vn]' as second argument of nn",
                            comma_ == close ? close : comma_ + 1,
                            "'nn' is a keyword: nn(digit(1,X),[0,1,2]) :- img(X).");
        }
        const std::uint32_t list_end = statement_.partner[comma_ + 1];
        if (list_end + 1 != close) return expected("')' after the list of outcomes", list_end + 1);
        const TokenKind next = statement_.kind_at(close + 1);
        if (next != TokenKind::dot && next != TokenKind::implies) {
            return expected("':-' or '.' after the head of a neural rule", close + 1);
        }
        const TokenRange list{comma_ + 2, list_end};
        const std::uint32_t pool = statement_.find(list, TokenKind::semicolon);
        if (pool != list.end) return expected("',' between outcomes", pool);
        parsed_.outcomes = statement_.split(list, TokenKind::comma);
        return none_empty(parsed_.outcomes, "an outcome") && commas_between();
    }

    // m(e,t1,..,tk)
    bool read_network() {
        const std::uint32_t name = 2;
        if (statement_.kind_at(name) != TokenKind::identifier) {
            return expected("the name of a network, as in nn(digit(1,X),[..])", name);
        }
        parsed_.rule.network = std::string(sources_.text(statement_.span(name)));
        if (name + 1 == comma_) {
            return missing_term(statement_.span(name));
        }
        if (statement_.kind_at(name + 1) != TokenKind::left_paren) {
            return expected("'(' after the name of the network", name + 1);
        }
        const TokenRange inside{name + 2, statement_.partner[name + 1]};
        if (inside.end + 1 != comma_) return expected("',' after the network", inside.end + 1);
        const std::uint32_t pool = statement_.find(inside, TokenKind::semicolon);
        if (pool != inside.end) {
            return expected("',' between the arguments of a network", pool,
                            "put a pool in parentheses: m(1,(a;b))");
        }
        std::vector<TokenRange> arguments = statement_.split(inside, TokenKind::comma);
        if (!none_empty(arguments, "an argument")) return false;
        if (arguments.size() < 2) {
            return missing_term(statement_.span({name, comma_}));
        }
        parsed_.events = arguments.front();
        parsed_.terms.assign(arguments.begin() + 1, arguments.end());
        return true;
    }

    bool missing_term(SourceSpan at) {
        reporter_.error("missing-term", at,
                        "expected the number of events and at least one term that points at the "
                        "input, found " +
                            in_quotes(sources_.text(at)),
                        "write nn(digit(1,X),[..]) :- img(X).");
        return false;
    }

    // Checks plain numbers and strings; names and expressions are left to grounding.
    void check_events() {
        const TokenRange events = parsed_.events;
        const bool negative =
            statement_.kind_at(events.begin) == TokenKind::minus && events.size() == 2;
        if (events.size() != 1 && !negative) return;
        const std::uint32_t token = events.end - 1;
        const TokenKind kind = statement_.kind_at(token);
        if (kind != TokenKind::number && (kind != TokenKind::string || negative)) return;
        const std::string_view text = sources_.text(statement_.span(token));
        if (kind == TokenKind::number && !negative && is_positive(text)) return;
        reporter_.error("events-not-positive", statement_.span(events),
                        "expected the number of events, from 1 to " + std::to_string(max_events) +
                            ", found " + in_quotes(sources_.text(statement_.span(events))),
                        "the number of events comes first: nn(digit(1,X),[..]) :- img(X).");
    }

    static bool is_positive(std::string_view text) {
        const std::optional<std::int32_t> value = value_of_number(text);
        return value && *value >= 1 && *value <= max_events;
    }

    // The lowered choice repeats all terms for each outcome.
    void check_size() {
        constexpr std::size_t most_arguments = 10'000'000;
        if ((parsed_.terms.size() + 2) * parsed_.outcomes.size() <= most_arguments) return;
        reporter_.error("network-too-large", statement_.span(2),
                        "the atoms of this neural rule have more than " +
                            std::to_string(most_arguments) + " arguments in total");
    }

    void check_outcomes() {
        std::map<std::string, TokenRange> seen;
        for (const TokenRange outcome : parsed_.outcomes) {
            check_interval(outcome);
            const auto [first, is_new] =
                seen.try_emplace(joined_text(sources_, statement_, outcome), outcome);
            if (is_new) continue;
            reporter_.error("duplicate-outcome", statement_.span(outcome),
                            "the outcome " + in_quotes(first->first) + " is listed twice",
                            "the outcomes of an event must be distinct");
        }
        if (parsed_.outcomes.size() < 2 && !interval_) {
            const std::uint32_t open = comma_ + 1;
            reporter_.error(
                "too-few-outcomes", statement_.span({open, statement_.partner[open] + 1}),
                "expected at least two outcomes, found " + std::to_string(parsed_.outcomes.size()),
                "write 'yes' and 'no' for an event that happens or not: [yes,no]");
        }
    }

    // With an interval, grounding would make several rules instead of one rule with more outcomes.
    void check_interval(TokenRange outcome) {
        for (std::uint32_t i = outcome.begin; i < outcome.end; ++i) {
            const TokenKind kind = statement_.kind_at(i);
            if (kind != TokenKind::dots && kind != TokenKind::semicolon) continue;
            interval_ = true;
            const bool alone = parsed_.outcomes.size() == 1;
            reporter_.error(alone ? "too-few-outcomes" : "interval-in-outcomes",
                            statement_.span(outcome),
                            "expected single outcomes, found the " +
                                std::string(kind == TokenKind::dots ? "interval " : "pool ") +
                                in_quotes(sources_.text(statement_.span(outcome))),
                            "list the outcomes one by one: [0,1,2,3]");
            return;
        }
    }

    // Two words next to each other are not a term: [sun rain].
    bool commas_between() {
        const auto is_word = [&](std::uint32_t token) {
            const TokenKind kind = statement_.kind_at(token);
            return kind == TokenKind::identifier || kind == TokenKind::number ||
                   kind == TokenKind::string || kind == TokenKind::variable;
        };
        for (const TokenRange outcome : parsed_.outcomes) {
            for (std::uint32_t i = outcome.begin + 1; i < outcome.end; ++i) {
                if (is_word(i - 1) && is_word(i)) return expected("',' between outcomes", i);
            }
        }
        return true;
    }

    bool none_empty(const std::vector<TokenRange> &parts, const char *what) {
        for (const TokenRange part : parts) {
            if (part.empty()) return expected(what, part.begin);
        }
        return true;
    }

    bool expected(const std::string &what, std::uint32_t token, std::string hint = {}) {
        const std::uint32_t last = statement_.size() - 1;
        return reporter_.expected(what, statement_.span(std::min(token, last)), std::move(hint));
    }

    const SourceMap &sources_;
    const Statement &statement_;
    Reporter &reporter_;
    ParsedNeuralRule parsed_;
    std::uint32_t comma_ = 0; // between the network and the outcomes
    bool interval_ = false;   // reported
};

void append_numbered(std::string &text, const char *prefix, std::size_t count) {
    for (std::size_t i = 1; i <= count; ++i) {
        if (i > 1) text += ',';
        text += prefix + std::to_string(i);
    }
}

} // namespace

std::optional<ParsedNeuralRule> parse_neural_rule(const SourceMap &sources,
                                                  const Statement &statement, Reporter &reporter) {
    return NeuralRuleParser(sources, statement, reporter).parse();
}

NetworkAtoms network_atoms(const SourceMap &sources, const Statement &statement,
                           const ParsedNeuralRule &parsed) {
    NetworkAtoms atoms;
    atoms.span = statement.span({0, statement.partner[1] + 1});
    atoms.network = parsed.rule.network;
    atoms.events = term_pattern(sources, statement, parsed.events);
    for (const TokenRange term : parsed.terms) {
        atoms.terms.push_back(term_pattern(sources, statement, term));
    }
    for (const TokenRange outcome : parsed.outcomes) {
        atoms.outcomes.push_back(term_pattern(sources, statement, outcome));
        atoms.outcome_texts.push_back(joined_text(sources, statement, outcome));
    }
    return atoms;
}

void lower_neural_head(const ParsedNeuralRule &parsed, std::size_t number, Edits &edits) {
    const std::uint32_t open = 1;
    const std::uint32_t network = 2;
    const std::uint32_t network_close = parsed.terms.back().end;
    edits.replace(0, std::string(neural_helper));
    edits.replace(open, "(" + std::to_string(number) + ",");
    edits.drop(network);
    edits.drop(network + 1);
    edits.after(parsed.events.end, "("); // after the comma that follows the events
    edits.replace(network_close, parsed.terms.size() == 1 ? ",)" : ")");
    edits.replace(network_close + 2, "(");
    edits.replace(parsed.outcomes.back().end, ")");
}

std::string neural_choice(const NeuralRule &rule, std::size_t number, int event_base) {
    const std::size_t outcomes = rule.outcomes.size();
    std::string terms;
    append_numbered(terms, "T", rule.term_count);
    std::string text = "{";
    for (std::size_t v = 1; v <= outcomes; ++v) {
        if (v > 1) text += ';';
        text += rule.network + "(I," + terms + ",V" + std::to_string(v) + ")";
    }
    text += "} :- " + std::string(neural_helper) + "(" + std::to_string(number) + ",E,(" + terms;
    text += rule.term_count == 1 ? ",),(" : "),(";
    append_numbered(text, "V", outcomes);
    const std::string base = std::to_string(event_base);
    // Tuples are compared because from 5.6 on, clingo derives bounds of integers from comparisons of integers, and would
    // try every E up to the limit.
    text += ")), I=" + base + ".." + base + "+E-1, (E,)<=(" + std::to_string(max_events) + ",).";
    return text;
}

} // namespace neurasp::language
