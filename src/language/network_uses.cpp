// Warnings about literals that look like a network's and mean nothing of it.
#include "language/network_uses.hpp"

#include "base/suggest.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace neurasp::language {

namespace {

using Rules = std::vector<const NetworkAtoms *>;

std::optional<long> integer(const TermPattern &term) {
    if (term.kind != TermPattern::Kind::literal) return std::nullopt;
    long value = 0;
    const char *end = term.text.data() + term.text.size();
    const auto result = std::from_chars(term.text.data(), end, value);
    return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}

std::string listed(const std::vector<std::string> &texts) {
    constexpr std::size_t most = 12;
    std::string list;
    for (std::size_t i = 0; i < std::min(texts.size(), most); ++i) {
        list += (i == 0 ? "" : ", ") + printable(texts[i]);
    }
    return texts.size() > most ? list + ", ..." : list;
}

// Looks at the literals of one statement.
class UseChecker {
  public:
    UseChecker(const SourceMap &sources, const Statement &statement, const AtomIndex &index,
               int event_base, Reporter &reporter)
        : sources_(sources), statement_(statement), index_(index), event_base_(event_base),
          reporter_(reporter) {}

    void check_atom(const AtomPattern &atom, const LiteralShape &shape) {
        if (atom.negative || index_.derives(atom.signature())) return;
        const Rules rules = index_.rules_of(atom.signature());
        if (rules.empty()) return check_arity(atom);
        check_outcome(atom, shape, rules);
        check_event(atom, shape, rules);
    }

    // A comparison with a network's name on its left that is not the atom `m(i,t)=v`.
    void check_comparison(const LiteralShape &shape, const Signature &compared) {
        const std::uint32_t first = shape.sign.value_or(shape.name);
        if (index_.is_event(compared)) {
            return warn_of_terms({first, *shape.relation}, shape.value, *shape.relation);
        }
        const NetworkAtoms *rule = index_.first_rule_of(compared.first);
        if (rule == nullptr || statement_.kind_at(*shape.relation) != TokenKind::equal) return;
        reporter_.warning("network-arity", statement_.span({first, shape.value.end}),
                          "this compares two terms: the events of the network " +
                              in_quotes(compared.first) + " have " +
                              std::to_string(rule->terms.size() + 1) + " arguments, found " +
                              std::to_string(compared.second),
                          form_of(*rule));
    }

    // A comparison with an event on its right, `X = m(i,t)`.
    void check_right_side(TokenRange literal) {
        while (!literal.empty() && statement_.kind_at(literal.begin) == TokenKind::keyword_not)
            ++literal.begin;
        std::uint32_t relation = literal.begin;
        while (relation < literal.end && !is_relation(statement_.kind_at(relation)))
            relation = statement_.after(relation);
        const TokenRange left{literal.begin, relation};
        const TokenRange right{relation + 1, literal.end};
        const auto shape = right.empty() ? std::nullopt : shape_of(statement_, right);
        if (left.empty() || !shape || shape->relation || shape->not_count > 0) return;
        const auto tuples = argument_tuples(statement_, *shape);
        const std::string name(sources_.text(statement_.span(shape->name)));
        if (tuples.size() != 1 || !index_.is_event({name, tuples.front().size()})) return;
        warn_of_terms(right, left, relation);
    }

  private:
    void warn_of_terms(TokenRange event, TokenRange other, std::uint32_t relation) {
        const std::string term = printable(joined_text(sources_, statement_, event));
        const std::string value = printable(joined_text(sources_, statement_, other));
        const TokenKind kind = statement_.kind_at(relation);
        std::string hint = "write '" + term + "=X' and compare X";
        if (kind == TokenKind::equal) hint = "write '" + term + "=" + value + "'";
        if (kind == TokenKind::not_equal) hint = "write 'not " + term + "=" + value + "'";
        const TokenRange all{std::min(event.begin, other.begin), std::max(event.end, other.end)};
        reporter_.warning(
            "constant-comparison", statement_.span(all),
            "this compares the term '" + term + "' itself, not an outcome of the network", hint);
    }

    // What the atoms of a rule look like.
    std::string form_of(const NetworkAtoms &rule) const {
        std::string form = rule.network + "(" + std::to_string(event_base_);
        for (std::size_t i = 1; i <= rule.terms.size(); ++i) form += ",T" + std::to_string(i);
        form += "," + rule.outcome_texts.front() + ")";
        return "event, terms, outcome: " + in_quotes(form);
    }

    SourceSpan argument(const LiteralShape &shape, bool last) const {
        if (last && shape.relation) return statement_.span(shape.value);
        const auto tuples = argument_tuples(statement_, shape);
        return statement_.span(last ? tuples.front().back() : tuples.front().front());
    }

    void check_arity(const AtomPattern &atom) {
        const NetworkAtoms *rule = index_.first_rule_of(atom.name);
        if (rule == nullptr) return;
        reporter_.warning("network-arity", atom.span,
                          "the atoms of the network " + in_quotes(atom.name) + " have " +
                              std::to_string(rule->terms.size() + 2) + " arguments, found " +
                              std::to_string(atom.arguments.size()),
                          form_of(*rule));
    }

    void check_outcome(const AtomPattern &atom, const LiteralShape &shape, const Rules &rules) {
        const TermPattern &found = atom.arguments.back();
        if (!index_.is_fixed(found)) return;
        const auto may_have = [&](const NetworkAtoms *rule) {
            return !index_.decidable(*rule) ||
                   std::any_of(rule->outcomes.begin(), rule->outcomes.end(),
                               [&](const TermPattern &v) { return may_unify(v, found); });
        };
        if (std::any_of(rules.begin(), rules.end(), may_have)) return;
        const SourceSpan span = argument(shape, true);
        const std::vector<std::string> &outcomes = rules.front()->outcome_texts;
        const auto close = base::closest_name(sources_.text(span), outcomes);
        reporter_.warning("unknown-outcome", span,
                          "the network " + in_quotes(atom.name) + " has no outcome " +
                              in_quotes(sources_.text(span)) + ", so this is never true",
                          (close ? "did you mean " + in_quotes(*close) + "? " : std::string()) +
                              "its outcomes are " + listed(outcomes));
    }

    void check_event(const AtomPattern &atom, const LiteralShape &shape, const Rules &rules) {
        const std::optional<long> event = integer(atom.arguments.front());
        if (!event) return;
        long most = 0;
        for (const NetworkAtoms *rule : rules) {
            const std::optional<long> events = integer(rule->events);
            if (!events) return;
            most = std::max(most, *events);
        }
        const long last = event_base_ + most - 1;
        if (*event >= event_base_ && *event <= last) return;
        const std::string from = std::to_string(event_base_);
        reporter_.warning("unknown-event", argument(shape, false),
                          "the network " + in_quotes(atom.name) + " has no event " +
                              std::to_string(*event) + ", so this is never true",
                          most == 1 ? "its only event has the number " + from
                                    : "its events are " + from + " to " + std::to_string(last));
    }

    const SourceMap &sources_;
    const Statement &statement_;
    const AtomIndex &index_;
    int event_base_;
    Reporter &reporter_;
};

// Whether a literal stands in a head as something to derive; the checks of heads see to these.
bool is_derived(const Statement &statement, const LiteralSite &site,
                const std::optional<LiteralShape> &shape) {
    if (!site.derived || !shape || shape->not_count > 0) return false;
    return !shape->relation || statement.kind_at(*shape->relation) == TokenKind::equal;
}

} // namespace

void check_network_uses(const SourceMap &sources, const Statement &statement,
                        const ValuedTerms &known, int event_base, Reporter &reporter) {
    if (!known.index.has_networks()) return;
    UseChecker checker(sources, statement, known.index, event_base, reporter);
    for (const LiteralSite &site : find_literals(statement)) {
        const std::optional<LiteralShape> shape = shape_of(statement, site.range);
        if (is_derived(statement, site, shape)) continue;
        if (!shape) {
            checker.check_right_side(site.range);
            continue;
        }
        const auto tuples = argument_tuples(statement, *shape);
        if (tuples.size() != 1) continue; // a pool stands for several atoms
        const Signature compared{std::string(sources.text(statement.span(shape->name))),
                                 tuples.front().size()};
        if (shape->relation && known.constants.contains(compared)) continue;
        const bool is_atom =
            !shape->relation || (statement.kind_at(*shape->relation) == TokenKind::equal &&
                                 known.index.is_event(compared));
        if (!is_atom) {
            checker.check_comparison(*shape, compared);
            if (!known.index.is_event(compared)) checker.check_right_side(site.range);
            continue;
        }
        for (const AtomPattern &atom : atom_patterns(sources, statement, *shape)) {
            checker.check_atom(atom, *shape);
        }
    }
}

} // namespace neurasp::language
