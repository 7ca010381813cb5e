// Ground programs: appending rules, looking them up, checking invariants.
#include "asp/ground_program.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <stdexcept>

namespace neurasp::asp {

void GroundProgram::note(AtomId atom) { atom_limit_ = std::max(atom_limit_, atom.value + 1); }

GroundProgram::Rule &GroundProgram::push_head(bool choice, std::span<const AtomId> head) {
    Rule rule;
    rule.choice = choice;
    rule.head_begin = static_cast<std::uint32_t>(heads_.size());
    heads_.insert(heads_.end(), head.begin(), head.end());
    rule.head_end = static_cast<std::uint32_t>(heads_.size());
    rule.body_begin = bodies_.size();
    for (const AtomId atom : head) note(atom);
    return rules_.emplace_back(rule);
}

void GroundProgram::add_rule(bool choice, std::span<const AtomId> head,
                             std::span<const Literal> body) {
    Rule &rule = push_head(choice, head);
    rule.body_size = static_cast<std::uint32_t>(body.size());
    bodies_.insert(bodies_.end(), body.begin(), body.end());
    for (const Literal literal : body) note(literal.atom());
}

void GroundProgram::add_weight_rule(bool choice, std::span<const AtomId> head, std::int32_t bound,
                                    std::span<const WeightedLiteral> body) {
    if (bound <= 0) return add_rule(choice, head, {});
    if (body.empty()) return; // never holds
    Rule &rule = push_head(choice, head);
    rule.body_size = static_cast<std::uint32_t>(body.size());
    rule.bound = bound;
    rule.weights_begin = weights_.size();
    for (const WeightedLiteral &element : body) {
        bodies_.push_back(element.literal);
        weights_.push_back(element.weight);
        note(element.literal.atom());
    }
}

void GroundProgram::add(const RuleView &rule) {
    if (!rule.weighted()) return add_rule(rule.choice, rule.head, rule.body);
    std::vector<WeightedLiteral> body;
    body.reserve(rule.body.size());
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        body.push_back({rule.body[i], rule.weights[i]});
    }
    add_weight_rule(rule.choice, rule.head, rule.bound, body);
}

void GroundProgram::add_minimize(std::int32_t priority, std::span<const WeightedLiteral> literals) {
    auto place = std::find_if(minimize_.begin(), minimize_.end(),
                              [&](const Minimize &m) { return m.priority <= priority; });
    if (place == minimize_.end() || place->priority != priority) {
        place = minimize_.insert(place, Minimize{priority, {}});
    }
    place->literals.insert(place->literals.end(), literals.begin(), literals.end());
    for (const WeightedLiteral &element : literals) note(element.literal.atom());
}

void GroundProgram::add_external(External external) {
    note(external.atom);
    externals_.push_back(external);
}

void GroundProgram::set_symbol(AtomId atom, Symbol symbol, bool fact) {
    note(atom);
    if (symbols_.size() < atom_limit_) {
        symbols_.resize(atom_limit_);
        facts_.resize(atom_limit_);
    }
    symbols_[atom.index()] = symbol;
    facts_[atom.index()] = fact;
    atoms_by_symbol_.insert_or_assign(symbol, atom);
}

RuleView GroundProgram::rule(std::size_t index) const {
    NEURASP_ASSERT(index < rules_.size(), "rules are numbered from 0");
    const Rule &rule = rules_[index];
    RuleView view;
    view.choice = rule.choice;
    view.head = std::span(heads_).subspan(rule.head_begin, rule.head_end - rule.head_begin);
    view.body = std::span(bodies_).subspan(rule.body_begin, rule.body_size);
    view.bound = rule.bound;
    if (rule.weights_begin != no_weights) {
        view.weights = std::span(weights_).subspan(rule.weights_begin, rule.body_size);
    }
    return view;
}

std::optional<Symbol> GroundProgram::symbol(AtomId atom) const {
    if (atom.index() >= symbols_.size() || symbols_[atom.index()].handle() == 0)
        return std::nullopt;
    return symbols_[atom.index()];
}

std::optional<AtomId> GroundProgram::find(Symbol symbol) const {
    const auto found = atoms_by_symbol_.find(symbol);
    if (found == atoms_by_symbol_.end()) return std::nullopt;
    return found->second;
}

bool GroundProgram::is_fact(AtomId atom) const {
    return atom.index() < facts_.size() && facts_[atom.index()];
}

std::vector<AtomId> GroundProgram::named_atoms() const {
    std::vector<AtomId> result;
    for (std::uint32_t atom = 1; atom < symbols_.size(); ++atom) {
        if (symbols_[atom].handle() != 0) result.emplace_back(atom);
    }
    return result;
}

void GroundProgram::verify() const {
    const auto require = [](bool holds, const char *what) {
        if (!holds) throw std::logic_error(what);
    };
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        const RuleView view = rule(i);
        for (const AtomId atom : view.head) {
            require(atom.value > 0 && atom.value < atom_limit_, "head atom out of range");
        }
        for (const Literal literal : view.body) {
            require(literal.value() != 0 && literal.atom().value < atom_limit_,
                    "body literal out of range");
        }
        for (const std::int32_t weight : view.weights) require(weight > 0, "weight not positive");
    }
    for (std::size_t i = 1; i < minimize_.size(); ++i) {
        require(minimize_[i - 1].priority > minimize_[i].priority, "priorities out of order");
    }
}

} // namespace neurasp::asp
