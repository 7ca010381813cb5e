// Reads probabilistic rules, checks their numbers, and lowers them.
//
// A head is a list of outcomes, separated by `;` or `|`, each with a probability in front: `0.3 : a`, `@0.3 a`
// (learnable), `1/3 : c=v`. The statement reader has asked the lexer for decimals in these places; here the
// tokens get their meaning.
//
// Idea. Each outcome becomes an atom in normal form (`c=v` is c(v), `~a` is `-a`, no blanks), which is also its
// text in the lowered choice rule. `p : a.` gets its complement `1-p : -a` as a second outcome, so all later
// code sees a list that sums to 1. `p : c=v.` gets none, because the other values of the constant are not known.
// The helper atom carries the variables of the head, and grounding makes one random variable for each of its
// instances (language/program.hpp shows the lowered form).
//
// Numbers. A decimal is read as the nearest double, a fraction as the quotient of two numbers. A decimal too
// small for a double is 0, one that is too large is infinite and therefore out of range. A division by zero is a
// NaN, which fails the check of the range and is left out of the check of the sum. Sums may miss 1 by
// `sum_tolerance`.
//
// Checks. Mistakes of form end the reading of the rule. Ranges, sums and repeated outcomes are then checked
// together. Two rules that share an outcome are found here only if both are ground and without a body; otherwise
// only grounding knows which instances exist (inference/variable_reader.cpp).
//
// Intervals, pools and `_` in heads are refused: each would stand for several atoms, and it would not be clear
// whether they are outcomes of one random variable or of several.
#include "language/probabilistic_rule.hpp"

#include "language/constants.hpp"
#include "language/lexer.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace neurasp::language {

namespace {

// The value of a decimal, or of an integer in any base.
double parse_probability(std::string_view text) {
    if (const auto integer = value_of_number(text)) return *integer;
    double value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc::result_out_of_range) return value;
    const std::size_t exponent = text.find_first_of("eE");
    const bool tiny = exponent == std::string_view::npos
                          ? text.starts_with('0') || text.starts_with('.')
                          : text.substr(exponent + 1).starts_with('-');
    return tiny ? 0.0 : std::numeric_limits<double>::infinity();
}

std::string number_text(double value) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.10g", value);
    return buffer;
}

class ProbabilisticRuleParser {
  public:
    ProbabilisticRuleParser(const SourceMap &sources, const Statement &statement,
                            Reporter &reporter)
        : sources_(sources), statement_(statement), reporter_(reporter) {}

    std::optional<ParsedProbabilisticRule> parse() {
        const std::size_t before = reporter_.count();
        for (const TokenRange part : parts()) {
            if (!read_outcome(part)) return std::nullopt;
        }
        add_complement();
        check_sum();
        check_distinct();
        if (reporter_.count() > before || reporter_.full()) return std::nullopt;
        parsed_.has_body = !body_of(statement_).empty();
        parsed_.rule.span = statement_.span();
        return std::move(parsed_);
    }

  private:
    // The parts of the head between its separators `;` and `|`.
    std::vector<TokenRange> parts() const {
        std::vector<TokenRange> result;
        const TokenRange head = head_of(statement_);
        std::uint32_t begin = head.begin;
        for (std::uint32_t i = head.begin; i < head.end; i = statement_.after(i)) {
            const TokenKind kind = statement_.kind_at(i);
            if (kind != TokenKind::semicolon && kind != TokenKind::bar) continue;
            result.push_back({begin, i});
            begin = i + 1;
        }
        result.push_back({begin, head.end});
        return result;
    }

    bool read_outcome(TokenRange part) {
        ParsedOutcome outcome{part, {}, {}, {}};
        std::uint32_t i = part.begin;
        const bool learnable = i < part.end && statement_.kind_at(i) == TokenKind::at;
        if (learnable) ++i;
        const std::uint32_t first = i;
        const bool negative = i < part.end && statement_.kind_at(i) == TokenKind::minus;
        if (negative) ++i;
        if (!is_number(i, part)) return expected("a probability such as 0.4 or 1/3", i);
        double value = parse_probability(sources_.text(statement_.span(i++)));
        bool by_zero = false;
        if (i < part.end && sources_.text(statement_.span(i)) == "/") {
            if (!is_number(++i, part)) return expected("a number after '/'", i);
            const double divisor = parse_probability(sources_.text(statement_.span(i++)));
            by_zero = divisor == 0;
            value = by_zero ? std::numeric_limits<double>::quiet_NaN() : value / divisor;
        }
        outcome.probability = {first, i};
        if (i < part.end && statement_.kind_at(i) == TokenKind::colon) ++i;
        outcome.atom = {i, part.end};
        if (!read_atom(outcome)) return false;
        if (negative || !(value >= 0 && value <= 1)) {
            const SourceSpan span = statement_.span(outcome.probability);
            reporter_.error("probability-range", span,
                            "expected a probability from 0 to 1, found " +
                                in_quotes(sources_.text(span)),
                            by_zero ? "it divides by zero" : "");
        }
        parsed_.rule.outcomes.push_back(statement_.span(outcome.atom));
        parsed_.rule.probabilities.push_back(value);
        parsed_.rule.learnable.push_back(learnable);
        parsed_.outcomes.push_back(outcome);
        return true;
    }

    bool is_number(std::uint32_t token, TokenRange part) const {
        const TokenKind kind = statement_.kind_at(token);
        return token < part.end && (kind == TokenKind::number || kind == TokenKind::decimal);
    }

    bool read_atom(ParsedOutcome &outcome) {
        const TokenRange atom = outcome.atom;
        if (atom.empty()) return expected("an atom after the probability", atom.begin);
        const std::optional<LiteralShape> shape = shape_of(statement_, atom);
        const bool comparison =
            shape && shape->relation && statement_.kind_at(*shape->relation) != TokenKind::equal;
        if (!shape || shape->not_count > 0 || comparison) {
            const std::uint32_t comma = statement_.find(atom, TokenKind::comma);
            if (comma != atom.end) return expected("';' or '|' between outcomes", comma);
            const std::string_view first = sources_.text(statement_.span(atom.begin));
            return expected("an atom after the probability", atom.begin,
                            first == "/" ? "a probability is a decimal or one fraction, such as 1/3"
                            : first == ":" ? "write one colon between them: 0.3 : rain."
                                           : "");
        }
        outcome.shape = *shape;
        for (std::uint32_t i = atom.begin; i < atom.end; ++i) {
            if (!check_term_token(i)) return false;
        }
        parsed_.atoms.push_back(atom_text(sources_, statement_, *shape));
        return true;
    }

    bool check_term_token(std::uint32_t i) {
        const TokenKind kind = statement_.kind_at(i);
        if (kind == TokenKind::dots || kind == TokenKind::semicolon) {
            reporter_.error("interval-in-probabilistic-head", statement_.span(i),
                            std::string("expected one atom for each outcome, found ") +
                                (kind == TokenKind::dots ? "an interval" : "a pool"),
                            "use a variable and bind it in the body: 0.4 : p(X) :- X=1..3.");
            return false;
        }
        if (kind == TokenKind::anonymous) {
            return expected("a named variable in the head of a probabilistic rule", i);
        }
        if (kind != TokenKind::variable) return true;
        std::string name(sources_.text(statement_.span(i)));
        if (seen_variables_.insert(name).second) parsed_.variables.push_back(std::move(name));
        return true;
    }

    // `p : a.` is short for `p : a | 1-p : -a.`
    void add_complement() {
        if (parsed_.outcomes.size() != 1 || parsed_.outcomes[0].shape.relation) return;
        parsed_.has_complement = true;
        const std::string &atom = parsed_.atoms[0];
        parsed_.atoms.push_back(atom.starts_with('-') ? atom.substr(1) : "-" + atom);
        ProbabilisticRule &rule = parsed_.rule;
        rule.outcomes.push_back(rule.outcomes[0]);
        rule.probabilities.push_back(1 - rule.probabilities[0]);
        rule.learnable.push_back(rule.learnable[0]);
    }

    void check_sum() {
        if (parsed_.has_complement) return;
        double sum = 0;
        for (const double probability : parsed_.rule.probabilities) sum += probability;
        if (std::isnan(sum) || std::abs(sum - 1) <= sum_tolerance) return;
        const TokenRange head = head_of(statement_);
        const bool lone = parsed_.outcomes.size() == 1;
        reporter_.error("probability-sum", statement_.span(head),
                        "the probabilities of a rule must sum to 1, found " + number_text(sum),
                        lone ? "list the other values of the constant as well" : "");
    }

    void check_distinct() {
        std::set<std::string> seen;
        for (std::size_t i = 0; i < parsed_.outcomes.size(); ++i) {
            if (seen.insert(parsed_.atoms[i]).second) continue;
            reporter_.error("random-variable-twice", statement_.span(parsed_.outcomes[i].atom),
                            "the atom " + in_quotes(parsed_.atoms[i]) +
                                " is already an outcome of this rule",
                            "the outcomes of a random variable must be distinct");
        }
    }

    bool expected(const std::string &what, std::uint32_t token, std::string hint = {}) {
        const std::uint32_t last = statement_.size() - 1;
        return reporter_.expected(what, statement_.span(std::min(token, last)), std::move(hint));
    }

    const SourceMap &sources_;
    const Statement &statement_;
    Reporter &reporter_;
    ParsedProbabilisticRule parsed_;
    std::set<std::string> seen_variables_;
};

// Whether no arithmetic in an atom can fail, as in a(1/0), of which clingo grounds no instance.
bool always_has_value(const std::string &atom) {
    constexpr std::string_view harmless =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_(),";
    return atom.find_first_not_of(harmless, atom.starts_with('-') ? 1 : 0) == std::string::npos;
}

// (X,Y), (X,) or ()
std::string variable_tuple(const std::vector<std::string> &variables) {
    std::string text = "(";
    for (std::size_t i = 0; i < variables.size(); ++i) {
        if (i > 0) text += ',';
        text += variables[i];
    }
    return text + (variables.size() == 1 ? ",)" : ")");
}

} // namespace

std::optional<ParsedProbabilisticRule>
parse_probabilistic_rule(const SourceMap &sources, const Statement &statement, Reporter &reporter) {
    return ProbabilisticRuleParser(sources, statement, reporter).parse();
}

void register_outcomes(const SourceMap &sources, const Statement &statement,
                       const ParsedProbabilisticRule &parsed, AtomIndex &index,
                       std::set<Signature> &constants, Reporter &reporter) {
    for (const ParsedOutcome &outcome : parsed.outcomes) {
        for (AtomPattern &atom : atom_patterns(sources, statement, outcome.shape)) {
            AtomPattern complement = atom;
            complement.negative = !atom.negative;
            index.add_outcome(std::move(atom));
            if (parsed.has_complement) index.add_outcome(std::move(complement));
        }
        const auto constant = compared_constant(sources, statement, outcome.shape);
        if (constant) constants.insert(*constant);
    }
    // With variables or a body, only grounding knows which instances there are.
    if (!parsed.variables.empty() || !body_of(statement).empty()) return;
    for (std::size_t i = 0; i < parsed.atoms.size(); ++i) {
        index.add_ground_outcome(parsed.atoms[i], parsed.rule.outcomes[i], reporter);
    }
}

void lower_probabilistic_head(const SourceMap &sources, const Statement &statement,
                              const ParsedProbabilisticRule &parsed, std::size_t number,
                              Edits &edits) {
    for (std::size_t i = 0; i < parsed.outcomes.size(); ++i) {
        const ParsedOutcome &outcome = parsed.outcomes[i];
        for (std::uint32_t t = outcome.part.begin; t < outcome.atom.begin; ++t) edits.drop(t);
        if (i == 0) {
            edits.before(outcome.atom.begin, std::string(probabilistic_helper) + "(" +
                                                 std::to_string(number) + "," +
                                                 variable_tuple(parsed.variables) + ",(");
        } else {
            edits.replace(outcome.part.begin - 1, ","); // the separator
        }
        const std::optional<std::uint32_t> sign = outcome.shape.sign;
        if (outcome.shape.relation) {
            rewrite_constant(sources, statement, outcome.shape, edits);
        } else if (sign && statement.kind_at(*sign) == TokenKind::tilde) {
            edits.replace(*sign, "-");
        }
    }
    const bool lone = parsed.atoms.size() == 1;
    const std::string rest = parsed.has_complement ? "," + parsed.atoms[1] : lone ? "," : "";
    edits.after(parsed.outcomes.back().atom.end - 1, rest + "))");
}

// A rule without variables and body has one instance, so its choice needs no body. For each body, clingo looks at all
// instances of the helper: 400 steps of a hidden Markov model, 1,600 such rules, were grounded in 0.9 s with it, 0.4 s
// without.
std::string probabilistic_choice(const ParsedProbabilisticRule &parsed, std::size_t number) {
    std::string text = "{";
    for (std::size_t i = 0; i < parsed.atoms.size(); ++i) {
        if (i > 0) text += ';';
        text += parsed.atoms[i];
    }
    const bool is_one_instance =
        parsed.variables.empty() && !parsed.has_body &&
        std::all_of(parsed.atoms.begin(), parsed.atoms.end(), always_has_value);
    if (is_one_instance) return text + "}.";
    return text + "} :- " + std::string(probabilistic_helper) + "(" + std::to_string(number) + "," +
           variable_tuple(parsed.variables) + ",_).";
}

} // namespace neurasp::language
