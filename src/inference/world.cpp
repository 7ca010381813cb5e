#include "inference/world.hpp"

#include "asp/term_size.hpp"
#include "inference/variable_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace neurasp::inference {

namespace {

std::pair<Severity, const char *> severity_and_code(asp::GroundMessage::Kind kind) {
    switch (kind) {
    case asp::GroundMessage::Kind::error: return {Severity::error, "clingo-error"};
    case asp::GroundMessage::Kind::warning: return {Severity::warning, "clingo-warning"};
    case asp::GroundMessage::Kind::info: break;
    }
    return {Severity::info, "clingo-info"};
}

// What to do about a message of clingo, if that can be said.
std::string hint_for(const std::string &message, base::SourceSpan place,
                     const base::SourceMap &sources) {
    if (message.starts_with("unsafe variables")) {
        return "every variable must stand in an atom of the body that is not negated; what is no "
               "variable begins with a small letter";
    }
    if (!message.starts_with("syntax error")) return {};
    // A statement that begins a line, behind one without its dot.
    const SourceLocation at = sources.locate(place);
    const std::string_view own = sources.line(place.source, at.line);
    if (own.find_first_not_of(" \t") + 1 != at.column) return {};
    for (std::uint32_t line = at.line - 1; line > 0; --line) {
        std::string_view before = sources.line(place.source, line);
        before = before.substr(0, before.find('%'));
        const std::size_t last = before.find_last_not_of(" \t\r");
        if (last == std::string_view::npos) continue;
        constexpr std::string_view goes_on = ".,;:|([{&+-*/=<>";
        if (goes_on.find(before[last]) != std::string_view::npos) return {};
        return fmt::format("is the '.' missing at the end of line {}?", line);
    }
    return {};
}

// clingo's message at the user's place. Where it has notes, these say what is wrong and the printed
// rule, which may be one that we generated, is left out.
Diagnostic to_diagnostic(const asp::GroundMessage &message, const base::SourceMap &sources,
                         const language::LoweredText &lowered) {
    const auto [severity, code] = severity_and_code(message.kind);
    if (message.line == 0) return {severity, code, message.text, {}, {}, {}};
    const auto place = [&](const asp::GroundMessage &at) {
        return lowered.origin(at.line, at.column, at.end_line, at.end_column);
    };
    std::string text = message.text;
    if (!message.notes.empty()) {
        text = text.substr(0, text.find(" in:"));
        for (std::size_t i = 0; i < message.notes.size(); ++i) {
            const SourceLocation at = sources.locate(place(message.notes[i]));
            text += fmt::format("{} {} (line {}, column {})", i == 0 ? ":" : ",",
                                message.notes[i].text, at.line, at.column);
        }
    }
    const base::SourceSpan span = place(message);
    std::string hint = hint_for(text, span, sources);
    return sources.diagnose(severity, code, span, std::move(text), std::move(hint));
}

LimitError to_limit_error(base::LimitReached limit, const GroundingLimits &limits) {
    switch (limit) {
    case base::LimitReached::rules:
        return {fmt::format(
                    "the ground program is too large: more than {} rules, or {} literals in them",
                    limits.rules, limits.rules * asp::GroundLimits::literals_per_rule),
                "look for a rule with too many instances, or one that makes ever larger terms; "
                "--ground-limit allows more (not in train, evaluate, predict)",
                false};
    case base::LimitReached::term_size:
        return {
            fmt::format("a ground term is too large: deeper than {}, or with more than {} parts",
                        asp::largest_term.depth, asp::largest_term.nodes),
            "look for a rule that makes ever larger terms", false};
    case base::LimitReached::stopped: return {"interrupted while grounding", "", true};
    default: return {"the time limit was reached while grounding", "", false};
    }
}

bool is_helper(Symbol symbol) { return symbol.name().starts_with(language::helper_prefix); }

// Sorts by term and puts the conditions of one term together.
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

World::World(base::SourceMap sources, language::Program program, const Constants &constants,
             const GroundingLimits &limits)
    : sources_(std::move(sources)), text_(std::move(program)), limits_(limits) {
    try {
        grounder_ = asp::Grounder(constants);
    } catch (const asp::GroundingError &error) {
        throw InputError(Diagnostic{Severity::error,
                                    "clingo-error",
                                    error.what(),
                                    {},
                                    {},
                                    "check the -c name=value options"});
    }
    ground_part(sources_, text_);
    base::DiagnosticSink diagnostics;
    const asp::GroundProgram &ground = grounder_.program();
    variables_ = read_variables(text_, sources_, ground, diagnostics);
    diagnostics.throw_if_errors();
    variable_of_.resize(ground.atom_limit());
    std::vector<std::size_t> all;
    std::vector<std::vector<AtomId>> groups;
    for (const RandomVariable &variable : variables_) {
        for (const AtomId atom : variable.atoms) variable_of_[atom.index()] = all.size();
        all.push_back(all.size());
        groups.push_back(variable.atoms);
    }
    absorb_rules(diagnostics);
    diagnostics.throw_if_errors();
    for (const asp::Minimize &minimize : ground.minimize()) {
        rules_.add_minimize(minimize.priority, minimize.literals);
    }
    for (const asp::External &external : ground.externals()) rules_.add_external(external);
    for (const asp::AcyclicityEdge &edge : ground.edges()) rules_.add_edge(edge);
    program_rules_ = rules_.rule_count();
    analysis_ = asp::analyse(rules_);
    problem_ =
        std::make_unique<Problem>(rules_, std::move(all), std::move(groups), analysis_.determined);
}

Symbol World::with_constants(Symbol symbol) const {
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

void World::ground_part(const base::SourceMap &sources, const language::Program &part) {
    try {
        grounder_.ground(part.lowered.text(),
                         {limits_.rules, base::Budget(limits_.time_limit, {}, {}, limits_.stop)});
    } catch (const asp::GroundingStopped &stopped) {
        throw to_limit_error(stopped.limit(), limits_);
    } catch (const asp::GroundingError &error) {
        base::DiagnosticSink sink;
        for (const asp::GroundMessage &message : error.messages()) {
            sink.add(to_diagnostic(message, sources, part.lowered));
        }
        sink.throw_if_errors();
        throw;
    }
    for (const asp::GroundMessage &message : grounder_.messages()) {
        diagnostics_.push_back(to_diagnostic(message, sources, part.lowered));
    }
}

// The user's head atom that a ground head may come from: same name, arity and sign.
const language::HeadAtom *World::find_head(AtomId atom) const {
    const Symbol symbol = *grounder_.program().symbol(atom);
    const language::Signature signature{std::string(symbol.name()), symbol.arguments().size()};
    for (const language::HeadAtom &head : text_.head_atoms) {
        if (head.signature == signature && head.negated != symbol.positive()) return &head;
    }
    return nullptr;
}

void World::report_random_head(AtomId atom, const language::HeadAtom &head,
                               base::DiagnosticSink &diagnostics) const {
    const Symbol symbol = *grounder_.program().symbol(atom);
    const bool neural = variables_[*variable_of_[atom.index()]].network.has_value();
    diagnostics.add(sources_.diagnose(
        Severity::error, neural ? "network-atom-in-head" : "probabilistic-atom-in-head", head.span,
        fmt::format("a rule derives '{}', which is an outcome of a random variable", symbol.text()),
        fmt::format("to observe an outcome, write `:- not {}.`", symbol.text())));
}

// Whether a body asks for two outcomes of one random variable at once. clingo adds such constraints
// for atoms and their strong negations.
bool World::never_holds(const asp::RuleView &rule) const {
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

void World::absorb_rules(base::DiagnosticSink &diagnostics) {
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
            // Where the user wrote no such head, clingo did: it translates recursive aggregates into
            // rules and disjunctions that derive nothing new.
            if (const language::HeadAtom *head = find_head(*found)) {
                report_random_head(*found, *head, diagnostics);
                if (diagnostics.error_count() > 20) return;
            }
        }
        rules_.add(rule);
    }
    for (const AtomId atom : ground.named_atoms()) {
        if (!rules_.symbol(atom))
            rules_.set_symbol(atom, *ground.symbol(atom), ground.is_fact(atom));
    }
}

void World::extend(const base::SourceMap &sources, const language::Program &delta) {
    const std::size_t known = diagnostics_.size();
    ground_part(sources, delta);
    // In a question, an atom that no rule derives is more likely a typing error than a default.
    for (std::size_t i = known; i < diagnostics_.size(); ++i) {
        if (diagnostics_[i].severity == Severity::info) {
            diagnostics_[i].severity = Severity::warning;
            diagnostics_[i].code = "clingo-warning";
        }
    }
    base::DiagnosticSink diagnostics;
    absorb_rules(diagnostics);
    diagnostics.throw_if_errors();
}

QuestionAtoms World::question_atoms(std::uint32_t number, std::uint32_t first_query,
                                    std::size_t queries) const {
    const auto find = [&](std::string_view name, std::uint32_t k) {
        const Symbol argument = Symbol::number(static_cast<int>(k));
        return rules_.find(Symbol::function(std::string(name), std::span(&argument, 1)));
    };
    QuestionAtoms atoms;
    atoms.violated = find(language::violated_helper, number);
    for (std::size_t i = 0; i < queries; ++i) {
        atoms.queries.push_back(
            find(language::query_helper, first_query + static_cast<std::uint32_t>(i)));
    }
    return atoms;
}

const World::OutcomeTexts &World::outcome_texts(std::size_t variable) const {
    outcome_texts_.resize(variables_.size());
    OutcomeTexts &texts = outcome_texts_[variable];
    if (!texts.atoms.empty()) return texts;
    for (const AtomId atom : variables_[variable].atoms) {
        const auto symbol = rules_.symbol(atom);
        texts.atoms.push_back(symbol->text());
        const auto arguments = symbol->arguments();
        texts.values.push_back(arguments.empty() ? texts.atoms.back() : arguments.back().text());
    }
    return texts;
}

asp::Relevance World::relevance(std::span<const AtomId> roots) const {
    return asp::relevant_rules(rules_, roots, true);
}

std::unique_ptr<Slice> World::slice(const asp::Relevance &relevance) const {
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
    auto slice = std::make_unique<Slice>();
    slice->program.reserve_atoms(rules_.atom_limit());
    for (std::size_t i = 0; i < rules_.rule_count(); ++i) {
        if (relevance.rules[i]) slice->program.add(rules_.rule(i));
    }
    for (const asp::External &external : rules_.externals()) {
        if (relevance.atoms[external.atom.index()]) slice->program.add_external(external);
    }
    for (const asp::AcyclicityEdge &edge : rules_.edges()) slice->program.add_edge(edge);
    slice->analysis = asp::analyse(slice->program);
    if (!slice->analysis.determined) return nullptr;
    slice->problem =
        std::make_unique<Problem>(slice->program, std::move(variables), std::move(groups), true);
    return slice;
}

const Consistency &World::consistency() {
    if (!consistency_) {
        const asp::Relevance relevant = relevance({});
        consistency_.emplace();
        consistency_->coherent = relevant.rule_count == 0 && rules_.edges().empty();
        if (!consistency_->coherent) consistency_->slice = slice(relevant);
    }
    return *consistency_;
}

const std::vector<Shown> &World::shown(bool all_atoms) {
    const asp::GroundProgram &ground = grounder_.program();
    if (all_atoms) {
        if (!all_atoms_ready_) {
            for (const AtomId atom : ground.named_atoms()) {
                const Symbol symbol = *ground.symbol(atom);
                if (is_helper(symbol)) continue;
                std::vector<Literal> condition;
                if (!ground.is_fact(atom)) condition.emplace_back(atom);
                all_atoms_.push_back({symbol, symbol.text(), {std::move(condition)}});
            }
            all_atoms_ = sorted(std::move(all_atoms_));
            all_atoms_ready_ = true;
        }
        return all_atoms_;
    }
    if (!shown_ready_) {
        for (const asp::ShownTerm &term : ground.shown()) {
            if (is_helper(term.symbol)) continue;
            shown_.push_back({term.symbol, term.symbol.text(), {term.condition}});
        }
        shown_ = sorted(std::move(shown_));
        shown_ready_ = true;
    }
    return shown_;
}

} // namespace neurasp::inference
