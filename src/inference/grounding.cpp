// Grounds a program, and turns its ground rules into rules and random variables.
//
// clingo grounds the lowered text. Its result holds helper atoms and choice rules for neural and probabilistic
// rules (language/program.hpp). `read_variables` makes random variables of the helper atoms; `absorb_rules`
// takes over all other rules and drops the choices over outcomes, so the rules that are analysed and searched
// are the user's own (docs/adr/0009-native-random-variables.md). Rules that questions add later take the same
// way.
#include "inference/grounding.hpp"

#include "asp/term_size.hpp"
#include "base/assert.hpp"
#include "base/counted.hpp"
#include "base/option_names.hpp"
#include "inference/variable_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace neurasp::inference {

namespace {

std::uint64_t most_rules(const Limits &limits) {
    return limits.ground_rules.value_or(asp::GroundLimits::default_rules);
}

LimitError to_limit_error(base::LimitReached limit, const Limits &limits) {
    switch (limit) {
    case base::LimitReached::rules:
        return {fmt::format("the ground program is too large: more than {}, or {} literals in them",
                            base::counted(most_rules(limits), "rule"),
                            most_rules(limits) * asp::GroundLimits::literals_per_rule),
                "look for a rule with too many instances, or one that builds larger and larger "
                "terms; or "
                "allow more",
                false, base::option::ground_limit};
    case base::LimitReached::term_size:
        return {
            fmt::format("a ground term is too large: deeper than {}, or with more than {} parts",
                        asp::largest_term.depth, asp::largest_term.nodes),
            "look for a rule that builds larger and larger terms", false};
    case base::LimitReached::stopped: return {"interrupted while grounding", "", true};
    default: return {"the time limit was reached while grounding", "", false};
    }
}

bool is_helper(Symbol symbol) { return symbol.name().starts_with(language::helper_prefix); }

// Sorts by term, and merges the conditions of equal terms.
std::vector<Shown> sorted(std::vector<Shown> shown) {
    std::stable_sort(shown.begin(), shown.end(),
                     [](const Shown &a, const Shown &b) { return a.symbol < b.symbol; });
    std::vector<Shown> merged;
    for (Shown &entry : shown) {
        if (!merged.empty() && merged.back().symbol == entry.symbol) {
            merged.back().conditions.push_back(std::move(entry.conditions.front()));
        } else {
            merged.push_back(std::move(entry));
        }
    }
    return merged;
}

} // namespace

bool Shown::holds(const asp::ModelView &view) const {
    return std::any_of(conditions.begin(), conditions.end(), [&](const auto &condition) {
        return std::all_of(condition.begin(), condition.end(),
                           [&](Literal literal) { return view.is_true(literal); });
    });
}

namespace {

std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

asp::Grounder make_grounder(const Grounding::Constants &constants) {
    try {
        return asp::Grounder(constants);
    } catch (const asp::GroundingError &error) {
        Diagnostic diagnostic;
        diagnostic.code = "clingo-error";
        diagnostic.message = error.what();
        diagnostic.hint = "check the constants that are set from outside";
        diagnostic.option = base::option::constants;
        throw InputError(std::move(diagnostic));
    }
}

} // namespace

Grounding::Grounding(base::SourceMap sources, language::Program program, const Constants &constants,
                     const Limits &limits, std::span<const Diagnostic> known)
    : number_(next_number()), sources_(std::move(sources)), program_(std::move(program)),
      grounder_(make_grounder(constants)) {
    ground_part(sources_, program_, limits);
    remarks_ = read_remarks({sources_, program_, program_, grounder_, known});
    base::DiagnosticSink diagnostics;
    const asp::GroundProgram &ground = grounder_.program();
    variables_ = read_variables(program_, sources_, ground, diagnostics);
    diagnostics.throw_if_errors();
    variable_of_.resize(ground.atom_limit());
    std::vector<std::size_t> all;
    std::vector<std::vector<AtomId>> groups;
    for (const RandomVariable &variable : variables_) {
        for (const AtomId atom : variable.atoms) {
            NEURASP_ASSERT(!variable_of_[atom.index()],
                           "the atoms of two random variables are disjoint");
            variable_of_[atom.index()] = all.size();
        }
        all.push_back(all.size());
        groups.push_back(variable.atoms);
    }
    absorb_rules(diagnostics);
    diagnostics.throw_if_errors();
    for (const asp::Minimize &minimize : ground.minimize()) {
        rules_->add_minimize(minimize.priority, minimize.literals);
    }
    for (const asp::External &external : ground.externals()) rules_->add_external(external);
    for (const asp::AcyclicityEdge &edge : ground.edges()) rules_->add_edge(edge);
    program_rules_ = rules_->rule_count();
    analysis_ = asp::analyse(*rules_);
    problem_ = std::make_unique<SearchProblem>(rules_, std::move(all), std::move(groups),
                                               analysis_.determined);
}

Symbol Grounding::with_constants(Symbol symbol) const {
    if (!symbol.is_function()) return symbol;
    std::vector<Symbol> arguments = symbol.arguments();
    const std::string name(symbol.name());
    if (arguments.empty()) {
        if (name.empty() || !symbol.positive()) return symbol;
        return grounder_.constant(name).value_or(symbol);
    }
    for (Symbol &argument : arguments) argument = with_constants(argument);
    return Symbol::function(name, arguments, symbol.positive());
}

void Grounding::ground_part(const base::SourceMap &sources, const language::Program &part,
                            const Limits &limits) {
    const auto origin = [&](std::uint32_t line, std::uint32_t column, std::uint32_t end_line,
                            std::uint32_t end_column) {
        return part.lowered.origin(line, column, end_line, end_column);
    };
    try {
        const base::Budget budget(limits);
        budget.report(Phase::grounding);
        grounder_.ground(part.lowered.text(), {most_rules(limits), budget});
    } catch (const asp::GroundingStopped &stopped) {
        throw to_limit_error(stopped.limit(), limits);
    } catch (const asp::GroundingError &error) {
        base::DiagnosticSink sink;
        for (const asp::GroundMessage &message : error.messages()) {
            sink.add(asp::to_diagnostic(message, sources, origin));
        }
        sink.throw_if_errors();
        throw;
    }
}

// A head atom of the user's text with the name, arity and sign of a ground atom.
const language::HeadAtom *Grounding::find_head(AtomId atom) const {
    const Symbol symbol = *grounder_.program().symbol(atom);
    const language::Signature signature{std::string(symbol.name()), symbol.arguments().size()};
    for (const language::HeadAtom &head : program_.head_atoms) {
        if (head.signature == signature && head.negated != symbol.positive()) return &head;
    }
    return nullptr;
}

void Grounding::report_random_head(AtomId atom, const language::HeadAtom &head,
                                   base::DiagnosticSink &diagnostics) const {
    const Symbol symbol = *grounder_.program().symbol(atom);
    const bool neural = variables_[*variable_of_[atom.index()]].network.has_value();
    diagnostics.add(sources_.diagnose(
        Severity::error, neural ? "network-atom-in-head" : "probabilistic-atom-in-head", head.span,
        fmt::format("a rule derives '{}', which is an outcome of a random variable", symbol.text()),
        fmt::format("to observe an outcome, write `:- not {}.`", symbol.text())));
}

// Whether a body needs two outcomes of one random variable at once. clingo adds such constraints for atoms and
// their strong negations.
bool Grounding::never_holds(const asp::RuleView &rule) const {
    if (rule.weighted()) return false;
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        const auto variable = variable_of_[rule.body[i].atom().index()];
        if (!variable || !rule.body[i].positive()) continue;
        for (std::size_t j = 0; j < i; ++j) {
            if (rule.body[j].positive() && rule.body[j] != rule.body[i] &&
                variable_of_[rule.body[j].atom().index()] == variable) {
                return true;
            }
        }
    }
    return false;
}

void Grounding::absorb_rules(base::DiagnosticSink &diagnostics) {
    const asp::GroundProgram &ground = grounder_.program();
    variable_of_.resize(ground.atom_limit());
    const auto random = [&](AtomId atom) { return variable_of_[atom.index()].has_value(); };
    for (; absorbed_rules_ < ground.rule_count(); ++absorbed_rules_) {
        const asp::RuleView rule = ground.rule(absorbed_rules_);
        if (never_holds(rule)) continue;
        const auto found = std::find_if(rule.head.begin(), rule.head.end(), random);
        if (found != rule.head.end()) {
            const bool is_choice_of_outcomes =
                rule.choice && rule.body.empty() &&
                std::all_of(rule.head.begin(), rule.head.end(), random);
            if (is_choice_of_outcomes) continue;
            // If the user wrote no such head, clingo made the rule: it translates recursive aggregates
            // into rules and disjunctions that derive nothing new.
            if (const language::HeadAtom *head = find_head(*found)) {
                report_random_head(*found, *head, diagnostics);
                if (diagnostics.error_count() > 20) return;
            }
        }
        rules_->add(rule);
    }
    for (const AtomId atom : ground.named_atoms()) {
        if (!rules_->symbol(atom))
            rules_->set_symbol(atom, *ground.symbol(atom), ground.is_fact(atom));
    }
}

Remarks Grounding::extend(const base::SourceMap &sources, const language::Program &delta,
                          const Limits &limits, std::span<const Diagnostic> known) {
    const std::unique_lock lock(mutex_);
    ground_part(sources, delta, limits);
    base::DiagnosticSink diagnostics;
    absorb_rules(diagnostics);
    diagnostics.throw_if_errors();
    return read_remarks({sources, delta, program_, grounder_, known});
}

std::shared_lock<std::shared_mutex> Grounding::reading() const {
    base::refuse_while_reporting();
    return std::shared_lock(mutex_);
}

std::optional<AtomId> Grounding::helper(std::string_view name, std::uint32_t number) const {
    const Symbol argument = Symbol::number(static_cast<int>(number));
    return rules_->find(Symbol::function(std::string(name), std::span(&argument, 1)));
}

const Grounding::OutcomeTexts &Grounding::outcome_texts(std::size_t variable) const {
    return outcome_texts_.get([&] { return make_outcome_texts(); })[variable];
}

std::vector<Grounding::OutcomeTexts> Grounding::make_outcome_texts() const {
    std::vector<OutcomeTexts> all;
    for (const RandomVariable &variable : variables_) {
        OutcomeTexts &texts = all.emplace_back();
        for (const AtomId atom : variable.atoms) {
            const auto symbol = rules_->symbol(atom);
            texts.atoms.push_back(symbol->text());
            const auto arguments = symbol->arguments();
            texts.values.push_back(arguments.empty() ? texts.atoms.back()
                                                     : arguments.back().text());
        }
    }
    return all;
}

asp::Relevance Grounding::relevance(std::span<const AtomId> roots) const {
    return asp::relevant_rules(*rules_, roots, true);
}

std::shared_ptr<const SearchProblem> Grounding::slice(const asp::Relevance &relevance) const {
    std::vector<std::size_t> variables;
    std::vector<std::vector<AtomId>> groups;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
        const auto &atoms = variables_[i].atoms;
        const bool relevant = std::any_of(
            atoms.begin(), atoms.end(), [&](AtomId atom) { return relevance.atoms[atom.index()]; });
        if (!relevant) continue;
        variables.push_back(i);
        groups.push_back(atoms);
    }
    if (analysis_.determined && variables.size() == variables_.size()) return nullptr;
    auto part = std::make_shared<asp::GroundProgram>();
    part->reserve_atoms(rules_->atom_limit());
    for (std::size_t i = 0; i < rules_->rule_count(); ++i) {
        if (relevance.rules[i]) part->add(rules_->rule(i));
    }
    for (const asp::External &external : rules_->externals()) {
        if (relevance.atoms[external.atom.index()]) part->add_external(external);
    }
    for (const asp::AcyclicityEdge &edge : rules_->edges()) part->add_edge(edge);
    if (!asp::analyse(*part).determined) return nullptr;
    return std::make_shared<const SearchProblem>(std::move(part), std::move(variables),
                                                 std::move(groups), true);
}

Consistency Grounding::make_consistency() const {
    const asp::Relevance relevant = relevance({});
    Consistency consistency;
    consistency.coherent = relevant.rule_count == 0 && rules_->edges().empty();
    if (!consistency.coherent) consistency.slice = slice(relevant);
    return consistency;
}

const Consistency &Grounding::consistency() const {
    return consistency_.get([&] { return make_consistency(); });
}

std::vector<Shown> Grounding::list_all_atoms() const {
    const asp::GroundProgram &ground = grounder_.program();
    std::vector<Shown> all;
    for (const AtomId atom : ground.named_atoms()) {
        const Symbol symbol = *ground.symbol(atom);
        if (is_helper(symbol)) continue;
        std::vector<Literal> condition;
        if (!ground.is_fact(atom)) condition.emplace_back(atom);
        all.push_back({symbol, symbol.text(), {std::move(condition)}});
    }
    return sorted(std::move(all));
}

std::vector<Shown> Grounding::list_shown() const {
    std::vector<Shown> shown;
    for (const asp::ShownTerm &term : grounder_.program().shown()) {
        if (is_helper(term.symbol)) continue;
        shown.push_back({term.symbol, term.symbol.text(), {term.condition}});
    }
    return sorted(std::move(shown));
}

const std::vector<Shown> &Grounding::shown(bool all_atoms) const {
    return all_atoms ? all_atoms_.get([&] { return list_all_atoms(); })
                     : shown_.get([&] { return list_shown(); });
}

} // namespace neurasp::inference
