// Writes the steps breadth first, so that a limit cuts off what is furthest from the query. What auxiliary atoms
// stand for is put in their place: a step rests on literals that the user knows.
#include "inference/derivation.hpp"

#include "asp/analysis.hpp"
#include "inference/rule_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace neurasp::inference {

namespace {

constexpr std::size_t most_blocked = 5; // rules that a step shows
// Steps that are looked at in order to say how many are missing.
constexpr std::size_t most_counted = 100'000;

class DerivationWriter {
  public:
    DerivationWriter(const DerivationTask &task, const Justification &justification)
        : task_(task), why_(justification),
          text_(justification.program(), justification.by_head()) {
        const auto &variables = task.grounding.variables();
        for (std::size_t v = 0; v < variables.size(); ++v) {
            for (std::uint32_t o = 0; o < variables[v].atoms.size(); ++o) {
                places_[variables[v].atoms[o].value] = {v, o};
            }
        }
    }

    // The literals that a literal which holds rests on, if its atom is auxiliary; else itself.
    std::vector<Literal> known_to_users(Literal literal) const { return expand_all({literal}); }

    std::vector<DerivationLink> link(const std::vector<Literal> &literals) {
        std::vector<DerivationLink> links;
        for (const Literal literal : literals) {
            const auto [place, is_new] = numbers_.try_emplace(literal, order_.size());
            if (is_new) order_.push_back(literal);
            links.push_back({text_.literal(literal), place->second});
        }
        return links;
    }

    // Steps that are not literals; before any other.
    void add_constraint(std::size_t rule, Derivation &derivation) {
        DerivationStep step;
        step.literal = step.rule = text_.rule(rule);
        step.kind = StepKind::constraint;
        // `:- a(X), a(Y), X != Y.` has every instance twice
        for (const DerivationStep &known : first_) {
            if (known.rule == step.rule) return;
        }
        derivation.query.push_back({step.literal, first_.size()});
        first_.push_back(std::move(step));
        bodies_of_first_.push_back(rule);
        order_.emplace_back();
    }

    void finish(Derivation &derivation) {
        for (std::size_t i = 0; i < first_.size(); ++i) {
            first_[i].body = link(body_of(bodies_of_first_[i]));
            derivation.steps.push_back(std::move(first_[i]));
        }
        for (std::size_t i = first_.size(); i < order_.size() && i < most_counted; ++i) {
            DerivationStep step = explain(order_[i]);
            if (i < task_.most_steps) derivation.steps.push_back(std::move(step));
        }
        derivation.left_out =
            order_.size() - std::min<std::size_t>(order_.size(), task_.most_steps);
        if (derivation.steps.size() > task_.most_steps) derivation.steps.resize(task_.most_steps);
        cut(derivation.query);
        cut(derivation.observation);
        for (DerivationStep &step : derivation.steps) {
            cut(step.body);
            for (BlockedRule &rule : step.blocked) cut(rule.because);
        }
    }

  private:
    void expand(Literal literal, std::set<Literal> &seen, std::vector<Literal> &result) const {
        if (!seen.insert(literal).second) return;
        const AtomId atom = literal.atom();
        if (!is_auxiliary(why_.program(), atom)) {
            result.push_back(literal);
        } else if (literal.positive()) {
            if (const auto rule = why_.founder(atom)) {
                for (const Literal below : why_.used_body(*rule)) expand(below, seen, result);
            }
        } else {
            for (const std::size_t rule : why_.rules_of(atom)) {
                for (const Literal below : why_.stoppers(rule)) expand(below, seen, result);
            }
        }
    }

    std::vector<Literal> expand_all(const std::vector<Literal> &literals) const {
        std::vector<Literal> result;
        std::set<Literal> seen;
        for (const Literal literal : literals) expand(literal, seen, result);
        return in_order(why_.program(), std::move(result));
    }

    std::vector<Literal> body_of(std::size_t rule) const {
        return expand_all(why_.used_body(rule));
    }

    DerivationStep explain(Literal literal) {
        DerivationStep step;
        step.literal = text_.literal(literal);
        const auto place = places_.find(literal.atom().value);
        if (place != places_.end()) {
            explain_outcome(place->second, literal, step);
        } else if (why_.is_leaf(literal.atom())) {
            step.kind = StepKind::external;
        } else if (literal.positive()) {
            explain_true(literal.atom(), step);
        } else {
            explain_false(literal.atom(), step);
        }
        return step;
    }

    void explain_outcome(const Fixed &place, Literal literal, DerivationStep &step) const {
        step.kind = literal.positive() ? StepKind::outcome : StepKind::other;
        const RandomVariable &variable = task_.grounding.variables()[place.variable];
        const auto &atoms = variable.atoms;
        const auto actual = std::find_if(atoms.begin(), atoms.end(),
                                         [&](AtomId atom) { return why_.is_true(Literal(atom)); });
        const auto outcome = static_cast<std::uint32_t>(actual - atoms.begin());
        step.variable = variable.name;
        step.outcome = task_.grounding.outcome_texts(place.variable).atoms[outcome];
        step.probability = task_.weights.probabilities(place.variable)[outcome];
    }

    void explain_true(AtomId atom, DerivationStep &step) {
        const std::size_t index = *why_.founder(atom);
        const asp::RuleView rule = why_.program().rule(index);
        const bool is_fact = rule.body.empty() && !rule.choice && rule.head.size() == 1;
        step.kind = is_fact                ? StepKind::fact
                    : rule.choice          ? StepKind::choice
                    : rule.head.size() > 1 ? StepKind::disjunction
                                           : StepKind::rule;
        if (is_fact) return;
        step.rule = text_.rule(index, atom);
        step.body = link(body_of(index));
        // the other atoms of a disjunction are false, unless this one is only the case at hand
        if (step.kind != StepKind::disjunction) return;
        std::vector<Literal> others;
        for (const AtomId other : rule.head) {
            if (other != atom && !why_.is_true(Literal(other))) others.emplace_back(other, false);
        }
        for (DerivationLink &below : link(expand_all(others)))
            step.body.push_back(std::move(below));
    }

    void explain_false(AtomId atom, DerivationStep &step) {
        const auto all = why_.rules_of(atom);
        step.kind = all.empty()              ? StepKind::underivable
                    : why_.is_circular(atom) ? StepKind::circular
                                             : StepKind::blocked;
        // those that come closest to firing say most
        std::vector<std::size_t> rules(all.begin(), all.end());
        std::stable_sort(rules.begin(), rules.end(), [&](std::size_t one, std::size_t other) {
            return failing_literals(one) < failing_literals(other);
        });
        const std::size_t shown = std::min(rules.size(), most_blocked);
        for (std::size_t i = 0; i < shown; ++i) {
            step.blocked.push_back(
                {text_.rule(rules[i], atom), link(expand_all(why_.stoppers(rules[i])))});
        }
        step.more_blocked = rules.size() - shown;
    }

    std::ptrdiff_t failing_literals(std::size_t rule) const {
        const auto body = why_.program().rule(rule).body;
        return std::count_if(body.begin(), body.end(),
                             [&](Literal literal) { return !why_.is_true(literal); });
    }

    void cut(std::vector<DerivationLink> &links) const {
        for (DerivationLink &link : links) {
            if (link.step && *link.step >= task_.most_steps) link.step.reset();
        }
    }

    const DerivationTask &task_;
    const Justification &why_;
    RuleText text_;
    std::unordered_map<std::uint32_t, Fixed> places_; // of random outcomes, by atom
    std::map<Literal, std::size_t> numbers_;          // of steps
    std::vector<Literal> order_;                      // by step
    std::vector<DerivationStep> first_;
    std::vector<std::size_t> bodies_of_first_;
};

} // namespace

std::vector<Leaf> leaves_of(const Grounding &grounding, const asp::GroundProgram &program,
                            const FixedOutcomes *favoured) {
    std::vector<Leaf> leaves(program.atom_limit());
    for (const RandomVariable &variable : grounding.variables()) {
        for (const AtomId atom : variable.atoms) leaves[atom.index()] = {true, favoured == nullptr};
    }
    if (favoured != nullptr) {
        for (const Fixed &fixed : *favoured) {
            for (const AtomId atom : grounding.variables()[fixed.variable].atoms) {
                leaves[atom.index()].favoured = true;
            }
        }
    }
    for (const asp::External &external : asp::undefined_externals(program)) {
        leaves[external.atom.index()].is_leaf = true;
    }
    return leaves;
}

Derivation derive(const DerivationTask &task, Truth truth, const FixedOutcomes *favoured,
                  std::optional<AtomId> query, std::optional<AtomId> violated) {
    constexpr auto from_facts = "the query follows from facts alone";
    constexpr auto never = "nothing in the ground program can make the query true";
    Derivation derivation;
    std::vector<AtomId> roots;
    if (query) roots.push_back(*query);
    if (violated) roots.push_back(*violated);
    const asp::GroundProgram &program = task.grounding.rules();
    const Justification why(program, std::move(truth), leaves_of(task.grounding, program, favoured),
                            roots);
    DerivationWriter writer(task, why);
    if (query) {
        const bool holds = why.is_true(Literal(*query));
        derivation.query = writer.link(writer.known_to_users(Literal(*query, holds)));
        if (derivation.query.empty()) derivation.note = holds ? from_facts : never;
    } else {
        derivation.note = never;
    }
    if (violated) {
        derivation.observation = writer.link(writer.known_to_users(Literal(*violated, false)));
    }
    writer.finish(derivation);
    return derivation;
}

Derivation derive_conflict(const DerivationTask &task, const asp::GroundProgram &program,
                           Truth truth, std::span<const std::size_t> constraints) {
    std::vector<AtomId> roots;
    for (const std::size_t rule : constraints) roots.push_back(program.rule(rule).head.front());
    const Justification why(program, std::move(truth), leaves_of(task.grounding, program, nullptr),
                            roots);
    DerivationWriter writer(task, why);
    Derivation derivation;
    for (const std::size_t rule : constraints) writer.add_constraint(rule, derivation);
    writer.finish(derivation);
    return derivation;
}

} // namespace neurasp::inference
