// Reduces the ground rules of many observations to those of one.
//
// Why. Where observations share a grounding, the compiler must not read all of it for each of them: 1,800 sums of two
// numbers have 10,000 ground rules, and one of them depends on four. And the rules that the grounder makes for an
// observation on its own are simpler than those that it makes for all: facts are gone from the bodies, and so are rules that
// cannot be applied.
//
// How. In three steps; the last two do what the grounder does, but a negated fact does not make further atoms impossible.
//
// 1. The cone: from the observation's violation, the costs and the rules that may destroy models (asp/analysis.hpp) down to all
//    they depend on. Rules of statements that are not there are never looked at, because rules are found by their head or by
//    their statement.
// 2. What is possible: an atom is if some rule has a body whose positive literals are. What is a fact: an atom of a rule
//    whose body holds whatever the random outcomes are. Both by counting what is missing in each body; a conjunction is a
//    weight body in which each literal weighs 1.
// 3. What is left: bodies without literals that hold, and without rules that cannot be applied or derive nothing new. Atoms
//    are numbered anew, so that nothing that follows depends on the size of the shared program.
//
// Undetermined programs. Choices that nothing asks for count (Num), so step 1 leaves nothing out there.
//
// Invariants. The rules that are left, with exactly one outcome of each random variable, have the same stable models on the
// atoms they mention as those of the cone, with the guards of the statements that are there true and all others false.
// Nothing of one run is left in the next: states have the stamp of their run.
//
// Source. The simplifications are those of gringo; counting what is missing is Dowling and Gallier's algorithm for Horn
// clauses (1984).
#include "inference/rule_reducer.hpp"

#include "asp/analysis.hpp"
#include "base/assert.hpp"

#include <algorithm>
#include <utility>

namespace neurasp::inference {

namespace {

std::int32_t literal_weight(const asp::RuleView &rule, std::size_t index) {
    return rule.weighted() ? rule.weights[index] : 1;
}

std::int64_t body_bound(const asp::RuleView &rule) {
    return rule.weighted() ? rule.bound : static_cast<std::int64_t>(rule.body.size());
}

} // namespace

RuleReducer::RuleReducer(const FamilyGrounding &family)
    : family_(family), rules_(family.grounding->rules()), variable_(rules_.atom_limit(), none),
      guard_(rules_.atom_limit(), none), external_(rules_.atom_limit()),
      guarded_(family.given.size()), destroys_(rules_.rule_count(), false),
      atoms_(rules_.atom_limit()), states_(rules_.rule_count()), there_(family.given.size(), 0) {
    NEURASP_ASSERT(rules_.edges().empty(), "rules with #edge statements are not reduced");
    const auto &groups = family.grounding->outcome_atoms();
    for (std::uint32_t v = 0; v < groups.size(); ++v) {
        for (const AtomId atom : groups[v]) variable_[atom.index()] = v;
    }
    for (std::uint32_t s = 0; s < family.given.size(); ++s) {
        if (family.given[s]) guard_[family.given[s]->index()] = s;
    }
    for (const asp::External &external : asp::undefined_externals(rules_)) {
        if (!is_guard(external.atom)) external_[external.atom.index()] = external.value;
    }
    for (const std::size_t rule : asp::destructive_rules(rules_)) destroys_[rule] = true;
    index_rules();
}

void RuleReducer::index_rules() {
    std::vector<bool> plain(rules_.rule_count(), true);
    begin_.assign(rules_.atom_limit() + std::size_t{1}, 0);
    for (std::uint32_t i = 0; i < rules_.rule_count(); ++i) {
        const asp::RuleView rule = rules_.rule(i);
        const auto guard = std::find_if(rule.body.begin(), rule.body.end(), [&](Literal literal) {
            return literal.positive() && is_guard(literal.atom());
        });
        plain[i] = rule.weighted() || guard == rule.body.end();
        if (!plain[i]) {
            guarded_[guard_[guard->atom().index()]].push_back(i);
            continue;
        }
        if (destroys_[i]) destructive_.push_back(i);
        for (const AtomId head : rule.head) ++begin_[head.index() + 1];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    plain_.resize(begin_.back());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t i = 0; i < rules_.rule_count(); ++i) {
        if (!plain[i]) continue;
        for (const AtomId head : rules_.rule(i).head) plain_[next[head.index()]++] = i;
    }
}

RuleReducer::AtomState &RuleReducer::state(AtomId atom) {
    AtomState &known = atoms_[atom.index()];
    if (known.stamp != stamp_) known = {stamp_};
    return known;
}

void RuleReducer::begin(std::span<const std::uint32_t> statements) {
    ++stamp_;
    statements_.assign(statements.begin(), statements.end());
    candidates_.clear();
    uses_.clear();
    cone_.clear();
    used_.clear();
    for (const std::uint32_t statement : statements_) {
        there_[statement] = stamp_;
        for (const std::uint32_t rule : guarded_[statement]) {
            for (const AtomId head : rules_.rule(rule).head) {
                std::uint32_t &first = state(head).first_rule;
                candidates_.push_back({rule, first});
                first = static_cast<std::uint32_t>(candidates_.size() - 1);
            }
        }
    }
}

void RuleReducer::reach(AtomId atom) {
    AtomState &known = state(atom);
    if (known.number != 0) return;
    known.number = 1; // reached; numbers come later
    stack_.push_back(atom);
}

void RuleReducer::take(std::uint32_t rule) {
    RuleState &known = states_[rule];
    if (known.stamp == stamp_) return;
    known = {stamp_};
    cone_.push_back(rule);
    const asp::RuleView view = rules_.rule(rule);
    for (const AtomId head : view.head) reach(head);
    for (const Literal literal : view.body) reach(literal.atom());
}

void RuleReducer::close() {
    while (!stack_.empty()) {
        const AtomId atom = stack_.back();
        stack_.pop_back();
        for (std::uint32_t i = begin_[atom.index()]; i < begin_[atom.index() + 1]; ++i) {
            take(plain_[i]);
        }
        for (std::uint32_t c = state(atom).first_rule; c != none; c = candidates_[c].next) {
            take(candidates_[c].rule);
        }
    }
}

void RuleReducer::collect(const std::optional<std::vector<std::int64_t>> &cost, bool whole) {
    if (family_.violated) reach(*family_.violated);
    if (cost) {
        for (const asp::Minimize &minimize : rules_.minimize()) {
            for (const auto &element : minimize.literals) reach(element.literal.atom());
        }
    }
    for (const std::uint32_t rule : destructive_) take(rule);
    for (const std::uint32_t statement : statements_) {
        for (const std::uint32_t rule : guarded_[statement]) {
            if (whole || destroys_[rule]) take(rule);
        }
    }
    if (whole) {
        for (const std::uint32_t rule : plain_) take(rule);
    }
    close();
    std::sort(cone_.begin(), cone_.end());
}

void RuleReducer::make_possible(std::uint32_t rule) {
    if (states_[rule].possible) return;
    states_[rule].possible = true;
    for (const AtomId head : rules_.rule(rule).head) {
        if (is_random(head) || state(head).possible) continue;
        state(head).possible = true;
        stack_.push_back(head);
    }
}

void RuleReducer::find_possible() {
    for (const std::uint32_t index : cone_) {
        const asp::RuleView rule = rules_.rule(index);
        std::int64_t &need = states_[index].need;
        need = body_bound(rule);
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            const AtomId atom = rule.body[i].atom();
            const std::int32_t weight = literal_weight(rule, i);
            if (is_guard(atom)) {
                const bool is_there = there_[guard_[atom.index()]] == stamp_;
                if (is_there == rule.body[i].positive()) need -= weight;
            } else if (!rule.body[i].positive() || is_random(atom)) {
                need -= weight;
            } else {
                AtomState &known = state(atom);
                uses_.push_back({index, weight, known.first_use});
                known.first_use = static_cast<std::uint32_t>(uses_.size() - 1);
                if (may_be_set(atom) && !known.possible) {
                    known.possible = true;
                    stack_.push_back(atom);
                }
            }
        }
    }
    for (const std::uint32_t i : cone_) {
        if (states_[i].need <= 0) make_possible(i);
    }
    while (!stack_.empty()) {
        const AtomId atom = stack_.back();
        stack_.pop_back();
        for (std::uint32_t u = state(atom).first_use; u != none; u = uses_[u].next) {
            RuleState &user = states_[uses_[u].rule];
            user.need -= uses_[u].weight;
            if (user.need <= 0) make_possible(uses_[u].rule);
        }
    }
}

RuleReducer::Value RuleReducer::value_of(Literal literal) {
    const AtomId atom = literal.atom();
    const auto as_literal = [&](bool atom_holds) {
        return atom_holds == literal.positive() ? Value::is_true : Value::is_false;
    };
    if (is_guard(atom)) return as_literal(there_[guard_[atom.index()]] == stamp_);
    if (is_random(atom)) return Value::open;
    const AtomState &known = state(atom);
    if (known.fact) return as_literal(true);
    return known.possible || may_be_set(atom) ? Value::open : as_literal(false);
}

// Notes the atom of a rule whose body holds.
void RuleReducer::note_fact(std::uint32_t rule) {
    const asp::RuleView view = rules_.rule(rule);
    if (view.choice || view.head.size() != 1 || is_random(view.head[0])) return;
    bool &fact = state(view.head[0]).fact;
    if (std::exchange(fact, true)) return;
    stack_.push_back(view.head[0]);
}

void RuleReducer::find_facts() {
    for (const std::uint32_t index : cone_) {
        RuleState &known = states_[index];
        if (!known.possible) continue;
        const asp::RuleView rule = rules_.rule(index);
        known.open = body_bound(rule);
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            // positive literals are counted when their atoms become facts
            const bool counts_later = rule.body[i].positive() && !is_guard(rule.body[i].atom());
            if (!counts_later && value_of(rule.body[i]) == Value::is_true) {
                known.open -= literal_weight(rule, i);
            }
        }
    }
    for (const std::uint32_t index : cone_) {
        if (states_[index].possible && states_[index].open <= 0) note_fact(index);
    }
    while (!stack_.empty()) {
        const AtomId atom = stack_.back();
        stack_.pop_back();
        for (std::uint32_t u = state(atom).first_use; u != none; u = uses_[u].next) {
            RuleState &user = states_[uses_[u].rule];
            user.open -= uses_[u].weight;
            if (user.possible && user.open <= 0) note_fact(uses_[u].rule);
        }
    }
}

// Copies what is left of a rule, with the atoms of the grounding.
void RuleReducer::emit_rule(const asp::RuleView &rule, asp::GroundProgram &result) {
    std::vector<AtomId> head;
    for (const AtomId atom : rule.head) {
        const bool fact = !is_random(atom) && state(atom).fact;
        if (fact && !rule.choice) return;
        if (!fact) head.push_back(atom);
    }
    if (rule.choice && head.empty()) return;
    std::int64_t bound = body_bound(rule), sum = 0;
    body_.clear();
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        const Value value = value_of(rule.body[i]);
        if (value == Value::is_true) bound -= literal_weight(rule, i);
        if (value != Value::open) continue;
        body_.push_back({rule.body[i], literal_weight(rule, i)});
        sum += literal_weight(rule, i);
    }
    if (bound > sum) return;
    if (bound <= 0) body_.clear();
    for (const AtomId atom : head) use(atom);
    for (const auto &element : body_) use(element.literal.atom());
    if (rule.weighted() && !body_.empty()) {
        result.add_weight_rule(rule.choice, head, static_cast<std::int32_t>(bound), body_);
        return;
    }
    std::vector<Literal> literals;
    for (const auto &element : body_) literals.push_back(element.literal);
    result.add_rule(rule.choice, head, literals);
}

// Notes that the result mentions the atom; a random variable is mentioned as a whole.
void RuleReducer::use(AtomId atom) {
    if (!is_random(atom)) {
        AtomState &known = state(atom);
        if (known.number == none) return;
        known.number = none;
        used_.push_back(atom);
        return;
    }
    const auto &group = family_.grounding->outcome_atoms()[variable_[atom.index()]];
    if (state(group.front()).number == none) return;
    for (const AtomId outcome : group) {
        state(outcome).number = none;
        used_.push_back(outcome);
    }
}

void RuleReducer::number_atoms(ReducedRules &result) {
    std::sort(used_.begin(), used_.end());
    result.atoms.emplace_back();
    for (const AtomId atom : used_) {
        state(atom).number = static_cast<std::uint32_t>(result.atoms.size());
        result.atoms.push_back(atom);
    }
    result.program.reserve_atoms(static_cast<std::uint32_t>(result.atoms.size()));
    std::vector<std::size_t> variables;
    for (const AtomId atom : used_) {
        if (is_random(atom)) variables.push_back(variable_[atom.index()]);
        const auto &external = external_[atom.index()];
        if (external) result.program.add_external({AtomId(state(atom).number), *external});
    }
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    for (const std::size_t variable : variables) {
        auto &group = result.groups.emplace_back();
        for (const AtomId atom : family_.grounding->outcome_atoms()[variable]) {
            group.emplace_back(state(atom).number);
        }
    }
    result.variables = std::move(variables);
}

Literal RuleReducer::renamed(Literal literal) {
    return Literal(AtomId(state(literal.atom()).number), literal.positive());
}

ReducedRules RuleReducer::emit(const std::optional<std::vector<std::int64_t>> &cost) {
    asp::GroundProgram left; // with the atoms of the grounding
    for (const std::uint32_t rule : cone_) {
        if (states_[rule].possible) emit_rule(rules_.rule(rule), left);
    }
    ReducedRules result;
    if (family_.violated) {
        const Literal holds(*family_.violated, false);
        const Value value = value_of(holds);
        if (value == Value::is_false) left.add_rule(false, {}, {});
        if (value == Value::open) {
            use(holds.atom());
            result.evidence.push_back(holds);
        }
    }
    for (std::size_t level = 0; cost && level < cost->size(); ++level) {
        circuit::CostLimit &limit = result.cost_limits.emplace_back();
        limit.most = (*cost)[level];
        for (const auto &element : rules_.minimize()[level].literals) {
            const Value value = value_of(element.literal);
            if (value == Value::is_true) limit.most -= element.weight;
            if (value != Value::open) continue;
            use(element.literal.atom());
            limit.literals.push_back(element);
        }
    }
    number_atoms(result);
    for (Literal &literal : result.evidence) literal = renamed(literal);
    for (circuit::CostLimit &limit : result.cost_limits) {
        for (auto &element : limit.literals) element.literal = renamed(element.literal);
    }
    for (std::size_t i = 0; i < left.rule_count(); ++i) {
        const asp::RuleView rule = left.rule(i);
        std::vector<AtomId> head;
        for (const AtomId atom : rule.head) head.emplace_back(state(atom).number);
        std::vector<Literal> body;
        for (const Literal literal : rule.body) body.push_back(renamed(literal));
        result.program.add({rule.choice, head, body, rule.weights, rule.bound});
    }
    return result;
}

ReducedRules RuleReducer::run(std::span<const std::uint32_t> statements,
                              const std::optional<std::vector<std::int64_t>> &cost) {
    const auto reduce = [&](bool whole) {
        begin(statements);
        collect(cost, whole);
        find_possible();
        find_facts();
        return emit(cost);
    };
    ReducedRules part = reduce(false);
    const bool determined =
        family_.grounding->analysis().determined || asp::analyse(part.program).determined;
    return determined ? std::move(part) : reduce(true);
}

} // namespace neurasp::inference
