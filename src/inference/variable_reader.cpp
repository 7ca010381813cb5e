// Reads random variables off the ground program.
#include "inference/variable_reader.hpp"

#include "language/undecided_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace neurasp::inference {

namespace {

std::string join(const std::vector<Symbol> &symbols) {
    std::string text;
    for (const Symbol symbol : symbols) {
        if (!text.empty()) text += ',';
        text += symbol.text();
    }
    return text;
}

// A ground neural rule: the arguments of its helper atom.
struct NeuralInstance {
    std::size_t rule = 0;
    AtomId helper;
    Symbol events;
    Symbol terms;
    Symbol outcomes;
};

struct ProbabilisticInstance {
    std::size_t rule = 0;
    AtomId helper;
    Symbol variables; // of the head: their values
    Symbol atoms;
};

class VariableReader {
  public:
    VariableReader(const language::Program &program, const base::SourceMap &sources,
                   const asp::GroundProgram &ground, base::DiagnosticSink &diagnostics)
        : program_(program), sources_(sources), ground_(ground), diagnostics_(diagnostics) {}

    std::vector<RandomVariable> read() {
        collect();
        for (const NeuralInstance &instance : neural_) read_neural(instance);
        for (const ProbabilisticInstance &instance : probabilistic_) read_probabilistic(instance);
        return std::move(variables_);
    }

  private:
    void collect();
    void read_neural(const NeuralInstance &instance);
    void read_probabilistic(const ProbabilisticInstance &instance);
    bool is_decided(AtomId helper, base::SourceSpan span, const char *kind,
                    std::optional<std::size_t> probabilistic_rule = {});
    std::string undecided_hint(std::optional<std::size_t> probabilistic_rule,
                               base::SourceSpan span) const;
    std::optional<int> read_events(const language::NeuralRule &rule, Symbol events);
    bool outcomes_differ(const language::NeuralRule &rule, const std::vector<Symbol> &outcomes);
    bool agrees_with_earlier(const language::NeuralRule &rule, const NeuralInstance &instance);
    void add(RandomVariable variable);
    std::string undecided_atom(AtomId helper) const;
    void error(const char *code, base::SourceSpan span, std::string message,
               std::string hint = {}) {
        diagnostics_.add(
            sources_.diagnose(Severity::error, code, span, std::move(message), std::move(hint)));
    }

    const language::Program &program_;
    const base::SourceMap &sources_;
    const asp::GroundProgram &ground_;
    base::DiagnosticSink &diagnostics_;
    std::vector<NeuralInstance> neural_;
    std::vector<ProbabilisticInstance> probabilistic_;
    std::vector<RandomVariable> variables_;
    std::map<AtomId, std::size_t> owner_; // the variable of each outcome atom
    std::map<std::pair<std::string, std::vector<std::uint64_t>>, const NeuralInstance *> calls_;
    std::map<std::string, const NeuralInstance *> domains_; // by network
    std::set<std::size_t> undecided_rules_;
};

void VariableReader::collect() {
    for (const AtomId atom : ground_.named_atoms()) {
        const Symbol symbol = *ground_.symbol(atom);
        const std::string_view name = symbol.name();
        if (name == language::neural_helper) {
            const auto arguments = symbol.arguments();
            neural_.push_back({static_cast<std::size_t>(*arguments[0].number()), atom, arguments[1],
                               arguments[2], arguments[3]});
        } else if (name == language::probabilistic_helper) {
            const auto arguments = symbol.arguments();
            probabilistic_.push_back({static_cast<std::size_t>(*arguments[0].number()), atom,
                                      arguments[1], arguments[2]});
        }
    }
    // the order of variables is that of the rules and then of the terms, not of grounding
    std::stable_sort(neural_.begin(), neural_.end(), [](const auto &a, const auto &b) {
        return a.rule != b.rule ? a.rule < b.rule : a.terms < b.terms;
    });
    std::stable_sort(probabilistic_.begin(), probabilistic_.end(),
                     [](const auto &a, const auto &b) {
                         return a.rule != b.rule ? a.rule < b.rule : a.atoms < b.atoms;
                     });
}

// The first named atom below the helper's bodies that grounding left open.
std::string VariableReader::undecided_atom(AtomId helper) const {
    std::set<AtomId> seen{helper};
    std::vector<AtomId> open{helper};
    while (!open.empty()) {
        const AtomId atom = open.back();
        open.pop_back();
        for (std::size_t i = 0; i < ground_.rule_count(); ++i) {
            const asp::RuleView rule = ground_.rule(i);
            if (std::find(rule.head.begin(), rule.head.end(), atom) == rule.head.end()) continue;
            for (const Literal literal : rule.body) {
                if (const auto symbol = ground_.symbol(literal.atom())) return symbol->text();
                if (seen.insert(literal.atom()).second) open.push_back(literal.atom());
            }
        }
    }
    return {};
}

bool VariableReader::is_decided(AtomId helper, base::SourceSpan span, const char *kind,
                                std::optional<std::size_t> probabilistic_rule) {
    if (ground_.is_fact(helper)) return true;
    // one message per rule: its instances tend to fail for the same reason
    if (!undecided_rules_.insert(span.source * std::size_t{0x100000000} + span.begin).second) {
        return false;
    }
    const std::string atom = undecided_atom(helper);
    error("undecided-body", span,
          fmt::format("the body of this {} rule is not decided by grounding{}", kind,
                      atom.empty() ? "" : fmt::format(": it depends on '{}'", atom)),
          undecided_hint(probabilistic_rule, span));
    return false;
}

// The lines that a probabilistic rule stands for; for other rules, what may stand in their bodies.
std::string VariableReader::undecided_hint(std::optional<std::size_t> probabilistic_rule,
                                           base::SourceSpan span) const {
    constexpr std::size_t most_forms = 20; // each looks at all atoms
    constexpr std::size_t longest = 600;
    language::DecidedForm form;
    if (probabilistic_rule && undecided_rules_.size() <= most_forms) {
        language::UndecidedRule rule{span, {}, {}};
        for (const ProbabilisticInstance &instance : probabilistic_) {
            if (instance.rule != *probabilistic_rule) continue;
            std::vector<std::string> &row = rule.instances.emplace_back();
            for (const Symbol value : instance.variables.arguments()) row.push_back(value.text());
        }
        std::set<std::tuple<std::string, std::size_t, bool>> open;
        for (const AtomId atom : ground_.named_atoms()) {
            if (ground_.is_fact(atom)) continue;
            const Symbol symbol = *ground_.symbol(atom);
            open.emplace(symbol.name(), symbol.arguments().size(), !symbol.positive());
        }
        rule.is_decided = [&](const language::Signature &signature, bool negative) {
            return !open.contains({signature.first, signature.second, negative});
        };
        form = language::decided_form(sources_, program_, rule);
    }
    std::string text = "for an effect of an uncertain cause, write ";
    for (std::size_t i = 0; i < form.lines.size(); ++i) {
        const bool last = i + 1 == form.lines.size();
        text += fmt::format("{}'{}'", i == 0 ? "" : last ? " and " : ", ", form.lines[i]);
    }
    if (!form.facts.empty()) text += fmt::format(", with facts for '{}'", form.facts);
    if (!form.lines.empty() && text.size() <= longest) return text;
    return "bodies of neural and probabilistic rules may use facts and what follows from them "
           "without choice; no choice, disjunction, random outcome or negative loop may decide "
           "them";
}

std::optional<int> VariableReader::read_events(const language::NeuralRule &rule, Symbol events) {
    const auto number = events.number();
    if (number && *number >= 1 && *number <= language::max_events) return number;
    error("events-not-positive", rule.events,
          number && *number > language::max_events
              ? fmt::format("the number of events is {}; at most {} are supported", *number,
                            language::max_events)
              : fmt::format("the number of events must be a positive integer, found '{}'",
                            events.text()),
          "the number of events comes first: nn(digit(1,X),[..]) :- img(X).");
    return std::nullopt;
}

bool VariableReader::outcomes_differ(const language::NeuralRule &rule,
                                     const std::vector<Symbol> &outcomes) {
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (outcomes[i] != outcomes[j]) continue;
            error("duplicate-outcome", rule.outcomes.at(i),
                  fmt::format("the outcome '{}' is listed twice", outcomes[i].text()));
            return false;
        }
    }
    return true;
}

bool VariableReader::agrees_with_earlier(const language::NeuralRule &rule,
                                         const NeuralInstance &instance) {
    std::vector<std::uint64_t> key;
    for (const Symbol term : instance.terms.arguments()) key.push_back(term.handle());
    const auto [call, is_new] = calls_.try_emplace({rule.network, key}, &instance);
    const NeuralInstance &earlier = *call->second;
    if (!is_new && (earlier.outcomes != instance.outcomes || earlier.events != instance.events)) {
        error(
            "network-conflict", rule.span,
            fmt::format("network '{}' is called for '{}' with {} event(s) of outcomes {} here, but "
                        "with {} event(s) of outcomes {} elsewhere",
                        rule.network, join(instance.terms.arguments()), instance.events.text(),
                        instance.outcomes.text(), earlier.events.text(), earlier.outcomes.text()),
            "one network has one list of outcomes; use another network name for another list");
        return false;
    }
    const auto [domain, first_use] = domains_.try_emplace(rule.network, &instance);
    if (!first_use && domain->second->outcomes != instance.outcomes) {
        error("network-two-domains", rule.span,
              fmt::format("network '{}' has the outcomes {} here, but {} elsewhere", rule.network,
                          instance.outcomes.text(), domain->second->outcomes.text()),
              "one network has one list of outcomes; use another network name for another list");
        return false;
    }
    return is_new; // an equal instance is the same random variables
}

void VariableReader::read_neural(const NeuralInstance &instance) {
    const auto &rule = program_.neural_rules.at(instance.rule - program_.first_neural_rule);
    if (!is_decided(instance.helper, rule.span, "neural")) return;
    const auto events = read_events(rule, instance.events);
    const std::vector<Symbol> outcomes = instance.outcomes.arguments();
    if (!events || !outcomes_differ(rule, outcomes) || !agrees_with_earlier(rule, instance)) return;
    const std::vector<Symbol> terms = instance.terms.arguments();
    for (int event = 0; event < *events; ++event) {
        RandomVariable variable;
        variable.network = NetworkEvent{rule.network, terms, static_cast<std::size_t>(event),
                                        static_cast<std::size_t>(*events)};
        const int index = event + program_.event_base;
        variable.name = *events == 1
                            ? fmt::format("{}({})", rule.network, join(terms))
                            : fmt::format("{}({}), event {}", rule.network, join(terms), index);
        variable.span = rule.span;
        std::vector<Symbol> arguments{Symbol::number(index)};
        arguments.insert(arguments.end(), terms.begin(), terms.end());
        arguments.emplace_back();
        for (const Symbol outcome : outcomes) {
            arguments.back() = outcome;
            variable.atoms.push_back(
                ground_.find(Symbol::function(rule.network, arguments)).value());
        }
        add(std::move(variable));
    }
}

void VariableReader::read_probabilistic(const ProbabilisticInstance &instance) {
    const auto &rule =
        program_.probabilistic_rules.at(instance.rule - program_.first_probabilistic_rule);
    if (!is_decided(instance.helper, rule.span, "probabilistic", instance.rule)) return;
    RandomVariable variable;
    variable.rule = instance.rule;
    variable.probabilities = rule.probabilities;
    variable.learnable =
        std::find(rule.learnable.begin(), rule.learnable.end(), true) != rule.learnable.end();
    variable.span = rule.span;
    for (const Symbol atom : instance.atoms.arguments()) {
        const auto id = ground_.find(atom);
        if (!id) {
            error("syntax", rule.span, fmt::format("'{}' is not an atom", atom.text()));
            return;
        }
        variable.atoms.push_back(*id);
    }
    variable.name = join(instance.atoms.arguments());
    const bool same_rule = !variables_.empty() && !variables_.back().network &&
                           variables_.back().rule == variable.rule;
    if (same_rule && variables_.back().atoms == variable.atoms) return; // the same instance
    add(std::move(variable));
}

void VariableReader::add(RandomVariable variable) {
    for (const AtomId atom : variable.atoms) {
        const auto [place, is_new] = owner_.try_emplace(atom, variables_.size());
        if (is_new) continue;
        const bool same = place->second == variables_.size();
        error("random-variable-twice", variable.span,
              same ? fmt::format("'{}' is listed twice as an outcome of one random variable",
                                 ground_.symbol(atom)->text())
                   : fmt::format("'{}' is an outcome of two random variables: {} and {}",
                                 ground_.symbol(atom)->text(), variables_[place->second].name,
                                 variable.name),
              "every outcome atom belongs to one random variable; give it another name");
        return;
    }
    variables_.push_back(std::move(variable));
}

} // namespace

std::vector<RandomVariable> read_variables(const language::Program &program,
                                           const base::SourceMap &sources,
                                           const asp::GroundProgram &ground,
                                           base::DiagnosticSink &diagnostics) {
    return VariableReader(program, sources, ground, diagnostics).read();
}

} // namespace neurasp::inference
