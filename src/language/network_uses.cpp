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

    // `m(i,t)=v`, which compares two terms.
    void check_comparison(const LiteralShape &shape, const Signature &compared) {
        if (statement_.kind_at(*shape.relation) != TokenKind::equal) return;
        const NetworkAtoms *rule = index_.first_rule_of(compared.first);
        if (rule == nullptr) return;
        const bool complete = compared.second == rule->terms.size() + 1;
        const std::uint32_t first = shape.sign.value_or(shape.name);
        reporter_.warning("network-comparison", statement_.span({first, shape.value.end}),
                          "this compares two terms, which differ; it is no atom of the network " +
                              in_quotes(compared.first),
                          complete ? "write " + in_quotes(atom_of(shape)) : form_of(*rule));
    }

  private:
    std::string atom_of(const LiteralShape &shape) const {
        return std::string(sources_.text(statement_.span(shape.name))) + "(" +
               joined_text(sources_, statement_, shape.arguments) + "," +
               joined_text(sources_, statement_, shape.value) + ")";
    }

    // What the atoms of a rule look like.
    std::string form_of(const NetworkAtoms &rule) const {
        std::string form = rule.network + "(" + std::to_string(event_base_);
        for (std::size_t i = 1; i <= rule.terms.size(); ++i) form += ",T" + std::to_string(i);
        form += "," + rule.outcome_texts.front() + ")";
        return "event, terms, outcome: " + in_quotes(form);
    }

    SourceSpan argument(const LiteralShape &shape, bool last) const {
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

} // namespace

void check_network_uses(const SourceMap &sources, const Statement &statement,
                        const AtomIndex &index, const std::set<Signature> &constants,
                        int event_base, Reporter &reporter) {
    if (!index.has_networks()) return;
    UseChecker checker(sources, statement, index, event_base, reporter);
    for (const LiteralSite &site : find_literals(statement)) {
        const std::optional<LiteralShape> shape = shape_of(statement, site.range);
        if (!shape || site.derived) continue;
        const auto tuples = argument_tuples(statement, *shape);
        if (tuples.size() != 1) continue; // a pool stands for several atoms
        if (shape->relation) {
            const Signature compared{std::string(sources.text(statement.span(shape->name))),
                                     tuples.front().size()};
            if (!constants.contains(compared)) checker.check_comparison(*shape, compared);
            continue;
        }
        for (const AtomPattern &atom : atom_patterns(sources, statement, *shape)) {
            checker.check_atom(atom, *shape);
        }
    }
}

} // namespace neurasp::language
