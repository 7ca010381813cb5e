// Remarks: clingo's messages about undefined atoms and operations, in terms of the user's text.
#include "inference/remarks.hpp"

#include "base/option_names.hpp"
#include "base/suggest.hpp"
#include "inference/access.hpp"
#include "language/bare_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace neurasp::inference {

namespace {

using asp::GroundMessage;
using base::SourceSpan;

bool is_before(const SourceSpan &a, const SourceSpan &b) {
    return std::tie(a.source, a.begin) < std::tie(b.source, b.begin);
}

Predicate predicate_of(const language::HeadAtom &atom) {
    return {atom.signature.first, atom.signature.second, atom.negated};
}

void add_predicates(const language::Program &program, std::set<Predicate> &predicates) {
    for (const auto *atoms : {&program.head_atoms, &program.declared}) {
        const language::HeadAtom *last = nullptr; // facts of one predicate mostly stand together
        for (const language::HeadAtom &atom : *atoms) {
            if (last != nullptr && last->signature == atom.signature &&
                last->negated == atom.negated) {
                continue;
            }
            predicates.insert(predicate_of(atom));
            last = &atom;
        }
    }
    for (const language::NeuralRule &rule : program.neural_rules) {
        predicates.insert({rule.network, rule.term_count + 2, false});
    }
}

// As users speak of it: an atom without arguments is its own predicate.
std::string shown(const Predicate &predicate) {
    if (predicate.arity > 0) return predicate.text();
    return (predicate.negative ? "-" : "") + predicate.name;
}

std::string count_of_arguments(std::size_t arity) {
    return arity == 0 ? "no arguments" : fmt::format("{} argument{}", arity, arity == 1 ? "" : "s");
}

// Hints for predicates that no rule derives.
class Hints {
  public:
    explicit Hints(const GroundedPart &grounded) : grounded_(grounded) {
        add_predicates(grounded.program, known_);
        if (&grounded.part != &grounded.program) add_predicates(grounded.part, known_);
    }

    bool is_derived(const Predicate &predicate) const { return known_.contains(predicate); }

    // How the predicate is derived, where it is, but never as the atom that is asked for.
    std::string other_arguments(const Predicate &predicate) const {
        constexpr std::size_t most = 3;
        std::vector<std::string> heads;
        bool more = false;
        for (const auto *atoms : {&grounded_.program.head_atoms, &grounded_.program.declared}) {
            for (const language::HeadAtom &head : *atoms) {
                if (predicate_of(head) != predicate) continue;
                std::string text = fmt::format("'{}'", grounded_.sources.text(head.span));
                if (std::find(heads.begin(), heads.end(), text) != heads.end()) continue;
                more = more || heads.size() == most;
                if (more) break;
                heads.push_back(std::move(text));
            }
        }
        if (heads.empty()) return fmt::format("other atoms of '{}' are derived", predicate.text());
        return fmt::format("rules derive {}{}", fmt::join(heads, ", "), more ? ", ..." : "");
    }

    std::string missing(const Predicate &predicate, bool in_query) const {
        if (const auto arity = other_arity(predicate)) return *arity;
        Predicate opposite = predicate;
        opposite.negative = !predicate.negative;
        if (is_derived(opposite)) {
            return fmt::format("rules derive '{}', but not '{}'", shown(opposite),
                               shown(predicate));
        }
        if (const auto close = closest(predicate)) return *close;
        if (in_query) return {};
        return fmt::format("if that is meant, write '#defined {}.'", predicate.text());
    }

  private:
    std::optional<std::string> other_arity(const Predicate &predicate) const {
        std::vector<std::size_t> others;
        for (const Predicate &known : known_) {
            if (known.name == predicate.name && known.arity != predicate.arity) {
                others.push_back(known.arity);
            }
        }
        if (others.empty()) return std::nullopt;
        std::sort(others.begin(), others.end());
        others.erase(std::unique(others.begin(), others.end()), others.end());
        const bool none = others.size() == 1 && others.front() == 0;
        return fmt::format("'{}' has {} here, but {} elsewhere", predicate.name,
                           count_of_arguments(predicate.arity),
                           none ? "none" : fmt::format("{}", fmt::join(others, " or ")));
    }

    std::optional<std::string> closest(const Predicate &predicate) const {
        constexpr std::size_t shortest = 3; // all shorter names are alike
        if (predicate.name.size() < shortest) return std::nullopt;
        std::vector<std::string> alike;
        std::vector<std::string> all;
        std::map<std::string, Predicate> by_name;
        for (const Predicate &known : known_) {
            if (known.name.starts_with(language::helper_prefix)) continue;
            if (known.arity == predicate.arity) alike.push_back(known.name);
            all.push_back(known.name);
            by_name.try_emplace(known.name, known);
        }
        if (const auto name = base::closest_name(predicate.name, alike)) {
            return fmt::format("did you mean '{}'?", *name);
        }
        const auto name = base::closest_name(predicate.name, all);
        if (!name) return std::nullopt;
        return fmt::format("did you mean '{}/{}'?", *name, by_name.at(*name).arity);
    }

    const GroundedPart &grounded_;
    std::set<Predicate> known_;
};

class RemarkReader {
  public:
    explicit RemarkReader(const GroundedPart &grounded) : grounded_(grounded) {}

    Remarks read() {
        for (const GroundMessage &message : grounded_.grounder.messages()) take(message);
        Remarks remarks;
        std::stable_sort(others_.begin(), others_.end(), [](const Placed &a, const Placed &b) {
            return is_before(a.span, b.span);
        });
        for (Placed &placed : others_) remarks.others.push_back(std::move(placed.diagnostic));
        if (!atoms_.empty()) remarks.undefined = warn_of_atoms();
        return remarks;
    }

  private:
    struct Placed {
        SourceSpan span;
        Diagnostic diagnostic;
    };
    // The first of the places where atoms of a predicate stand, and how many there are.
    struct Use {
        SourceSpan span;
        const GroundMessage *message = nullptr;
        std::size_t places = 0;
    };

    SourceSpan span_of(const GroundMessage &message) const {
        return grounded_.part.lowered.origin(message.line, message.column, message.end_line,
                                             message.end_column);
    }

    void take(const GroundMessage &message) {
        const SourceSpan span = message.line == 0 ? SourceSpan{} : span_of(message);
        if (message.line > 0 && is_known(span)) return;
        switch (message.topic) {
        case GroundMessage::Topic::undefined_atom:
        case GroundMessage::Topic::undefined_signature: {
            Use &use = atoms_[asp::undefined_predicate(message)];
            if (use.places++ == 0 || is_before(span, use.span)) {
                use.span = span;
                use.message = &message;
            }
            return;
        }
        case GroundMessage::Topic::undefined_operation:
            if (auto warning = operation_without_value(span)) {
                others_.push_back({span, std::move(*warning)});
                return;
            }
            break;
        case GroundMessage::Topic::other: break;
        }
        const auto origin = [&](auto... place) { return grounded_.part.lowered.origin(place...); };
        others_.push_back({span, asp::to_diagnostic(message, grounded_.sources, origin)});
    }

    bool is_known(SourceSpan span) const {
        if (grounded_.known.empty()) return false;
        const SourceLocation location = grounded_.sources.locate(span);
        return std::any_of(
            grounded_.known.begin(), grounded_.known.end(),
            [&](const Diagnostic &diagnostic) { return diagnostic.location == location; });
    }

    // A warning if the text itself names something that is not a number. Where a variable is to blame, only some
    // instances may be undefined, and that may well be meant.
    std::optional<Diagnostic> operation_without_value(SourceSpan span) const {
        const std::string text(grounded_.sources.text(span));
        for (const std::string &name : language::bare_names(text)) {
            const std::optional<Symbol> value = grounded_.grounder.constant(name);
            if (value && value->number()) continue;
            const std::string message =
                value ? fmt::format("'{}' is undefined: '{}' is '{}', which is not a number", text,
                                    name, value->text())
                      : fmt::format("'{}' is undefined: '{}' is not a number", text, name);
            Diagnostic diagnostic = grounded_.sources.diagnose(
                Severity::warning, "undefined-operation", span, message,
                value ? "give it a number"
                      : fmt::format(
                            "'{}' has no value: write '#const {} = 3.', or give it from outside",
                            name, name));
            diagnostic.option = base::option::constants;
            diagnostic.option_value = name + "=3";
            return diagnostic;
        }
        return std::nullopt;
    }

    std::vector<UndefinedPredicate> warn_of_atoms() const {
        std::vector<std::pair<Predicate, Use>> uses(atoms_.begin(), atoms_.end());
        std::sort(uses.begin(), uses.end(), [](const auto &a, const auto &b) {
            return is_before(a.second.span, b.second.span);
        });
        const Hints hints(grounded_);
        std::vector<UndefinedPredicate> undefined;
        for (const auto &[predicate, use] : uses) {
            undefined.push_back({predicate, warn_of(predicate, use, hints)});
        }
        return undefined;
    }

    Diagnostic warn_of(const Predicate &predicate, const Use &use, const Hints &hints) const {
        const bool shows = use.message->topic == GroundMessage::Topic::undefined_signature;
        const bool is_derived = !shows && hints.is_derived(predicate);
        const std::string what =
            is_derived ? std::string(asp::subject(*use.message)) : shown(predicate);
        std::string message =
            fmt::format("no rule derives '{}', so {}", what,
                        shows ? "there is nothing to show" : "this is never true");
        if (use.places > 1) {
            message += fmt::format(", here and at {} other place{}", use.places - 1,
                                   use.places == 2 ? "" : "s");
        }
        const bool in_query = grounded_.sources.name(use.span.source) == "<query>";
        return grounded_.sources.diagnose(
            Severity::warning, "undefined-atom", use.span, std::move(message),
            is_derived ? hints.other_arguments(predicate) : hints.missing(predicate, in_query));
    }

    const GroundedPart &grounded_;
    std::map<Predicate, Use> atoms_;
    std::vector<Placed> others_;
};

} // namespace

void Remarks::add(const Remarks &later) {
    for (const UndefinedPredicate &found : later.undefined) {
        const bool known =
            std::any_of(undefined.begin(), undefined.end(), [&](const UndefinedPredicate &own) {
                return own.predicate == found.predicate;
            });
        if (!known) undefined.push_back(found);
    }
    others.insert(others.end(), later.others.begin(), later.others.end());
}

std::vector<Diagnostic> Remarks::all() const {
    std::vector<Diagnostic> all;
    for (const UndefinedPredicate &found : undefined) all.push_back(found.warning);
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

Remarks read_remarks(const GroundedPart &grounded) {
    if (grounded.grounder.messages().empty()) return {};
    return RemarkReader(grounded).read();
}

std::vector<Predicate> brought_by(const language::Program &observation) {
    std::set<Predicate> predicates;
    add_predicates(observation, predicates);
    return {predicates.begin(), predicates.end()};
}

std::vector<Predicate> brought_by(const Program &program, const std::string &observation) {
    const ProgramParts &parts = internal::Access::parts(program);
    base::SourceMap sources = parts.sources;
    const std::vector<language::SourceUnit> units{
        {sources.add("<observation>", observation), language::Role::observation, 0}};
    base::DiagnosticSink diagnostics;
    const language::Program read =
        language::read(sources, units, parts.read_options(), &parts.program, diagnostics);
    if (diagnostics.has_errors()) return {};
    return brought_by(read);
}

} // namespace neurasp::inference
