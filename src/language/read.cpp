// Reads units in two passes: the first collects statements, rules and the names of constants, the second lowers.
// Two are needed because a constant `c=v` may be used before the head that defines it.
#include "language/atom_index.hpp"
#include "language/constants.hpp"
#include "language/constraint_rule.hpp"
#include "language/edits.hpp"
#include "language/global_variables.hpp"
#include "language/include.hpp"
#include "language/lexer.hpp"
#include "language/literals.hpp"
#include "language/lowered_writer.hpp"
#include "language/network_uses.hpp"
#include "language/neural_rule.hpp"
#include "language/observation_parts.hpp"
#include "language/probabilistic_rule.hpp"
#include "language/program.hpp"
#include "language/statement_reader.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace neurasp::language {

namespace {

class ProgramReader {
  public:
    ProgramReader(SourceMap &sources, const ReadOptions &options, const Program *base)
        : sources_(sources), options_(options), reporter_(sources), base_(base),
          index_(std::make_shared<AtomIndex>(base ? base->atoms : nullptr)) {
        if (base == nullptr) return;
        program_.first_neural_rule = base->first_neural_rule + base->neural_rules.size();
        program_.first_probabilistic_rule =
            base->first_probabilistic_rule + base->probabilistic_rules.size();
        program_.event_base = base->event_base;
        program_.constants = base->constants;
    }

    Program read(std::span<const SourceUnit> units, DiagnosticSink &diagnostics) {
        collect(units);
        index_->check(reporter_);
        check_observed_facts();
        lower();
        program_.atoms = std::move(index_);
        reporter_.flush(diagnostics);
        return std::move(program_);
    }

  private:
    // A statement with its number among the rules of its kind, if it is neural or probabilistic.
    struct Entry {
        Statement statement;
        std::size_t rule = 0;
    };

    void collect(std::span<const SourceUnit> units);
    void collect_unit(const SourceUnit &unit, std::vector<Statement> &includes);
    void accept(Statement statement, std::vector<Statement> &includes);
    bool accept_directive(const Statement &statement, std::vector<Statement> &includes);
    void accept_event_base(const Statement &statement);
    void accept_declaration(const Statement &statement);
    bool accept_neural(Entry &entry);
    bool accept_probabilistic(Entry &entry);
    void accept_heads(const Statement &statement);
    void accept_query(const Statement &statement);
    std::string query_head(const Statement &statement) const;
    void check_observed_facts();
    void check_theory(const Statement &statement);
    void note_role(const Statement &statement);

    void lower();
    void lower_statement(const Entry &entry, LoweredWriter &writer);
    void lower_rule_choices(LoweredWriter &writer);

    std::string_view text(const Statement &statement, std::uint32_t token) const {
        return sources_.text(statement.span(token));
    }

    SourceMap &sources_;
    const ReadOptions &options_;
    Reporter reporter_;
    const Program *base_;
    std::shared_ptr<AtomIndex> index_;
    Program program_;
    Includes includes_;
    std::optional<SourceSpan> event_base_;
    std::vector<Entry> entries_;
    std::vector<ParsedNeuralRule> neural_;
    std::vector<ParsedProbabilisticRule> probabilistic_;
    std::vector<HeadAtom> observed_facts_;              // stated by an observation
    std::map<Signature, SourceSpan> derived_constants_; // written with `=` in ordinary heads
};

void ProgramReader::collect(std::span<const SourceUnit> units) {
    std::deque<SourceUnit> waiting(units.begin(), units.end());
    for (const SourceUnit &unit : units) includes_.note(unit);
    while (!waiting.empty() && !reporter_.full()) {
        const SourceUnit unit = waiting.front();
        waiting.pop_front();
        // Files are opened after the text is read, because adding sources may move its bytes.
        std::vector<Statement> includes;
        collect_unit(unit, includes);
        std::vector<SourceUnit> included;
        for (const Statement &statement : includes) {
            const auto opened = includes_.open(sources_, statement, options_, reporter_);
            if (opened) included.push_back(*opened);
        }
        waiting.insert(waiting.begin(), included.begin(), included.end());
    }
}

void ProgramReader::collect_unit(const SourceUnit &unit, std::vector<Statement> &includes) {
    StatementReader reader(sources_, unit, options_, reporter_);
    while (std::optional<Statement> statement = reader.next()) {
        accept(std::move(*statement), includes);
    }
}

void ProgramReader::accept(Statement statement, std::vector<Statement> &includes) {
    Entry entry{std::move(statement), 0};
    bool keep = true;
    check_theory(entry.statement);
    switch (entry.statement.kind) {
    case StatementKind::directive: keep = accept_directive(entry.statement, includes); break;
    case StatementKind::neural: keep = accept_neural(entry); break;
    case StatementKind::probabilistic: keep = accept_probabilistic(entry); break;
    case StatementKind::rule: accept_heads(entry.statement); break;
    case StatementKind::weak_constraint: program_.has_weak_constraints = true; break;
    case StatementKind::query: accept_query(entry.statement); break;
    case StatementKind::script: break;
    }
    if (!keep) return;
    note_role(entry.statement);
    entries_.push_back(std::move(entry));
}

// Returns whether clingo gets the directive as well.
bool ProgramReader::accept_directive(const Statement &statement, std::vector<Statement> &includes) {
    const std::string_view name = text(statement, 0);
    if (name == "#include") {
        includes.push_back(statement);
        return false;
    }
    if (name == "#event_base") {
        accept_event_base(statement);
        return false;
    }
    if (name.starts_with("#mini") || name.starts_with("#maxi")) {
        program_.has_weak_constraints = true;
    }
    if (name == "#const" && statement.kind_at(1) == TokenKind::identifier) {
        index_->add_constant_name(std::string(text(statement, 1)));
    }
    if (name == "#external" || name == "#defined") accept_declaration(statement);
    if (name == "#program") {
        const std::string part = joined_text(sources_, statement, {1, statement.size() - 1});
        if (part != "base" && part != "base()") {
            const TokenRange named{1, std::max(statement.size() - 1, 2U)};
            reporter_.error("program-part", statement.span(named),
                            "expected '#program base.', found the part " + in_quotes(part),
                            "other parts are never grounded; put the rules into the base part");
            return false;
        }
    }
    return true;
}

// `#external a(X) : b(X).` or `#defined a/1.`
void ProgramReader::accept_declaration(const Statement &statement) {
    const bool negative = statement.kind_at(1) == TokenKind::minus;
    const std::uint32_t name = negative ? 2 : 1;
    if (statement.kind_at(name) != TokenKind::identifier) return;
    if (text(statement, 0) == "#defined") {
        if (statement.size() <= name + 2) return;
        const auto arity = value_of_number(text(statement, name + 2));
        if (!arity || *arity < 0) return;
        program_.declared.push_back(
            {statement.span(),
             {std::string(text(statement, name)), static_cast<std::size_t>(*arity)},
             negative});
        return;
    }
    const std::optional<LiteralShape> shape =
        shape_of(statement, find_literals(statement).front().range);
    if (!shape || shape->relation) return;
    for (const AtomPattern &atom : atom_patterns(sources_, statement, *shape)) {
        program_.declared.push_back({atom.span, atom.signature(), atom.negative});
    }
}

void ProgramReader::accept_event_base(const Statement &statement) {
    const std::string_view value = text(statement, 1);
    if (statement.size() != 3 || (value != "0" && value != "1")) {
        return reporter_.error("event-base", statement.span(1),
                               "expected '#event_base 0.' or '#event_base 1.', found " +
                                   in_quotes(value));
    }
    if (event_base_) {
        return reporter_.error("event-base", statement.span(),
                               "the event base was already set in " +
                                   reporter_.place(*event_base_, statement.span()));
    }
    event_base_ = statement.span();
    const int number = value == "1" ? 1 : 0;
    if (base_ != nullptr && base_->event_base != number) {
        return reporter_.error("event-base", statement.span(),
                               "the program itself has the event base " +
                                   std::to_string(base_->event_base),
                               "set the event base in the program, not in an observation or query");
    }
    program_.event_base = number;
}

bool ProgramReader::accept_neural(Entry &entry) {
    std::optional<ParsedNeuralRule> parsed =
        parse_neural_rule(sources_, entry.statement, reporter_);
    if (!parsed) return false;
    index_->add_network(network_atoms(sources_, entry.statement, *parsed));
    program_.neural_rules.push_back(parsed->rule);
    entry.rule = neural_.size();
    neural_.push_back(std::move(*parsed));
    return true;
}

bool ProgramReader::accept_probabilistic(Entry &entry) {
    std::optional<ParsedProbabilisticRule> parsed =
        parse_probabilistic_rule(sources_, entry.statement, reporter_);
    if (!parsed) return false;
    register_outcomes(sources_, entry.statement, *parsed, *index_, program_.constants, reporter_);
    for (const ParsedOutcome &outcome : parsed->outcomes) {
        for (const AtomPattern &atom : atom_patterns(sources_, entry.statement, outcome.shape)) {
            program_.declared.push_back({atom.span, atom.signature(), atom.negative});
        }
    }
    program_.probabilistic_rules.push_back(parsed->rule);
    entry.rule = probabilistic_.size();
    probabilistic_.push_back(std::move(*parsed));
    return true;
}

// Atoms and constants that an ordinary rule derives.
void ProgramReader::accept_heads(const Statement &statement) {
    if (statement.kind_at(0) == TokenKind::implies) return;
    const bool has_body = statement.kind_at(head_of(statement).end) == TokenKind::implies;
    for (const LiteralSite &site : find_literals(statement)) {
        if (!site.derived) continue;
        const std::optional<LiteralShape> shape = shape_of(statement, site.range);
        if (!shape || shape->not_count > 0) continue;
        if (shape->relation) {
            if (statement.kind_at(*shape->relation) != TokenKind::equal) continue;
            const auto constant = compared_constant(sources_, statement, *shape);
            if (!constant) continue;
            program_.constants.insert(*constant);
            derived_constants_.try_emplace(*constant, statement.span(site.range));
        }
        for (AtomPattern &atom : atom_patterns(sources_, statement, *shape)) {
            program_.head_atoms.push_back({atom.span, atom.signature(), atom.negative});
            if (!has_body && statement.unit.role == Role::observation)
                observed_facts_.push_back(program_.head_atoms.back());
            index_->add_head(std::move(atom), has_body);
        }
    }
}

void ProgramReader::accept_query(const Statement &statement) {
    if (statement.unit.role != Role::each_query) return;
    program_.each_queries.push_back(each_query(sources_, statement));
}

std::string ProgramReader::query_head(const Statement &statement) const {
    std::string arguments = std::to_string(statement.unit.number);
    if (statement.unit.role == Role::each_query) {
        for (const std::string &name : each_query(sources_, statement).variables) {
            arguments += "," + name;
        }
    }
    return std::string(query_helper) + "(" + arguments + ")";
}

// An observation without constraints that states a fact which the program can derive was probably meant to
// observe this fact.
void ProgramReader::check_observed_facts() {
    if (base_ == nullptr || program_.has_constraints) return;
    for (const HeadAtom &fact : observed_facts_) {
        if (!base_->atoms->has_rule_for(fact.signature)) continue;
        const std::string atom = printable(sources_.text(fact.span));
        reporter_.warning("observed-fact", fact.span,
                          "this adds '" + atom + "' to the program; it does not observe it",
                          "to observe that it is true, write ':- not " + atom + ".'");
    }
}

void ProgramReader::check_theory(const Statement &statement) {
    const auto is_ampersand = [](Token token) { return token.kind == TokenKind::ampersand; };
    if (std::none_of(statement.tokens.begin(), statement.tokens.end(), is_ampersand)) return;
    for (const LiteralSite &site : find_literals(statement)) {
        std::uint32_t first = site.range.begin;
        while (first < site.range.end && statement.kind_at(first) == TokenKind::keyword_not)
            ++first;
        if (first == site.range.end || statement.kind_at(first) != TokenKind::ampersand) continue;
        reporter_.error("theory-unsupported", statement.span(first),
                        "theory atoms '&..' are not supported");
    }
}

void ProgramReader::note_role(const Statement &statement) {
    if (statement.unit.role != Role::observation) return;
    if (is_constraint(sources_, statement))
        program_.has_constraints = true;
    else
        program_.extends_program = true;
}

void ProgramReader::lower() {
    LoweredWriter writer(sources_);
    std::optional<SourceUnit> unit;
    std::uint32_t guards = 0;
    for (const Entry &entry : entries_) {
        const SourceUnit &own = entry.statement.unit;
        if (!unit || unit->source != own.source || unit->role != own.role ||
            unit->number != own.number || unit->guard != own.guard) {
            writer.begin_unit(own.source);
            unit = own;
        }
        guards = std::max(guards, own.guard);
        lower_statement(entry, writer);
    }
    lower_rule_choices(writer);
    if (guards > 0) writer.line(entries_.back().statement.span(), guard_declaration(guards));
    program_.lowered = writer.finish();
}

void ProgramReader::lower_statement(const Entry &entry, LoweredWriter &writer) {
    const Statement &statement = entry.statement;
    const std::string number = "(" + std::to_string(statement.unit.number) + ")";
    Edits edits;
    if (statement.kind == StatementKind::neural) {
        lower_neural_head(neural_[entry.rule], program_.first_neural_rule + entry.rule, edits);
    } else if (statement.kind == StatementKind::probabilistic) {
        lower_probabilistic_head(sources_, statement, probabilistic_[entry.rule],
                                 program_.first_probabilistic_rule + entry.rule, edits);
    } else if (statement.kind == StatementKind::query) {
        edits.before(0, query_head(statement) + " :- ");
    } else if (statement.unit.role == Role::observation) {
        const bool constrains = is_constraint(sources_, statement);
        if (constrains) {
            lower_constraint(sources_, statement, std::string(violated_helper) + number, edits);
        }
        if (statement.unit.guard != 0) {
            const bool is_weak = statement.kind == StatementKind::weak_constraint;
            add_guard(statement, constrains || is_weak, edits);
        }
    }
    const bool has_literals = statement.kind != StatementKind::directive ||
                              (text(statement, 0) != "#const" && text(statement, 0) != "#defined");
    if (has_literals) {
        rewrite_literals(sources_, statement, {program_.constants, *index_}, edits, reporter_);
        check_network_uses(sources_, statement, {program_.constants, *index_}, program_.event_base,
                           reporter_);
    }
    const std::uint32_t last = statement.size() - 1;
    const bool dotless =
        statement.kind == StatementKind::query && statement.kind_at(last) != TokenKind::dot;
    if (dotless) edits.after(last, ".");
    edits.write(sources_, statement, writer);
}

void ProgramReader::lower_rule_choices(LoweredWriter &writer) {
    for (std::size_t i = 0; i < neural_.size(); ++i) {
        const NeuralRule &rule = neural_[i].rule;
        writer.line(rule.span,
                    neural_choice(rule, program_.first_neural_rule + i, program_.event_base));
    }
    for (std::size_t i = 0; i < probabilistic_.size(); ++i) {
        writer.line(probabilistic_[i].rule.span,
                    probabilistic_choice(probabilistic_[i], program_.first_probabilistic_rule + i));
    }
    for (const auto &[constant, span] : derived_constants_) {
        std::string arguments;
        for (std::size_t i = 1; i <= constant.second; ++i) {
            arguments += "X" + std::to_string(i) + ",";
        }
        const std::string start = constant.first + "(" + arguments;
        writer.line(span, ":- " + start + "V), " + start + "W), V<W.");
    }
}

} // namespace

Program read(SourceMap &sources, std::span<const SourceUnit> units, const ReadOptions &options,
             const Program *base, DiagnosticSink &diagnostics) {
    return ProgramReader(sources, options, base).read(units, diagnostics);
}

} // namespace neurasp::language
