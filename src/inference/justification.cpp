// The two passes: founding true atoms, then stopping the rules of false ones. The header says how and why.
#include "inference/justification.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

namespace neurasp::inference {

namespace {

constexpr double step_cost = 1.0;       // a rule that is shown
constexpr double literal_cost = 0.01;   // each literal of its body
constexpr double not_favoured = 1000.0; // a leaf that the derivation should do without
constexpr double negation = 1.5;        // `not a` in a body: a little more than a leaf

std::int64_t weight_of(const asp::RuleView &rule, std::size_t literal) {
    return rule.weighted() ? rule.weights[literal] : 1;
}

} // namespace

Truth truth_of(const asp::GroundProgram &program, const asp::ModelView &view) {
    Truth truth(program.atom_limit(), false);
    for (std::uint32_t atom = 1; atom < program.atom_limit(); ++atom) {
        truth[atom] = view.is_true(AtomId(atom));
    }
    return truth;
}

bool Justification::body_holds(const asp::RuleView &rule) const {
    if (!rule.weighted()) {
        return std::all_of(rule.body.begin(), rule.body.end(),
                           [&](Literal literal) { return is_true(literal); });
    }
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        if (is_true(rule.body[i])) sum += rule.weights[i];
    }
    return sum >= rule.bound;
}

double Justification::leaf_cost(AtomId atom) const {
    return leaves_[atom.index()].favoured ? step_cost : not_favoured;
}

double Justification::negation_cost(AtomId atom) const {
    return is_leaf(atom) ? leaf_cost(atom) : negation;
}

// Founds true atoms, cheapest first.
class Justification::Founding {
  public:
    explicit Founding(Justification &owner)
        : owner_(owner), program_(owner.program_), state_(program_.rule_count()) {}

    void run() {
        for (std::uint32_t atom = 1; atom < program_.atom_limit(); ++atom) {
            if (owner_.is_leaf(AtomId(atom)) && owner_.truth_[atom]) {
                open_.push({owner_.leaf_cost(AtomId(atom)), atom, no_rule});
            }
        }
        for (std::size_t i = 0; i < program_.rule_count(); ++i) {
            if (owner_.relevant_.rules[i]) begin(i);
        }
        do {
            settle();
        } while (take_case());
    }

  private:
    struct State {
        bool holds = false;
        std::int64_t missing = 0; // positive literals, or weight, until the body is founded
        double dearest = 0.0;
    };
    struct Offer {
        double cost;
        std::uint32_t atom;
        std::size_t rule;
        bool operator<(const Offer &other) const { // the least on top
            return std::tie(cost, atom, rule) > std::tie(other.cost, other.atom, other.rule);
        }
    };

    void begin(std::size_t index) {
        const asp::RuleView rule = program_.rule(index);
        State &state = state_[index];
        state.holds = !rule.head.empty() && owner_.body_holds(rule);
        if (!state.holds) return;
        state.missing = rule.weighted() ? rule.bound : static_cast<std::int64_t>(rule.body.size());
        for (std::size_t i = 0; i < rule.body.size() && state.missing > 0; ++i) {
            const Literal literal = rule.body[i];
            if (literal.positive() || !owner_.is_true(literal)) continue;
            state.missing -= weight_of(rule, i);
            state.dearest = std::max(state.dearest, owner_.negation_cost(literal.atom()));
        }
        if (state.missing <= 0) fire(index);
    }

    void fire(std::size_t index) {
        const asp::RuleView rule = program_.rule(index);
        std::vector<AtomId> heads;
        for (const AtomId head : rule.head) {
            if (owner_.truth_[head.index()]) heads.push_back(head);
        }
        if (!rule.choice && heads.size() > 1) {
            cases_.push_back(index);
            return;
        }
        for (const AtomId head : heads) open_.push({price(index), head.value, index});
    }

    double price(std::size_t index) const {
        const double literals = static_cast<double>(program_.rule(index).body.size());
        return state_[index].dearest + step_cost + literal_cost * std::min(literals, 50.0);
    }

    void settle() {
        while (!open_.empty()) {
            const Offer offer = open_.top();
            open_.pop();
            if (owner_.cost_[offer.atom] != unknown) continue;
            owner_.cost_[offer.atom] = offer.cost;
            owner_.founder_[offer.atom] = offer.rule;
            last_ = std::max(last_, offer.cost);
            for (const std::size_t rule : owner_.occurrences_[offer.atom]) advance(rule, offer);
        }
    }

    void advance(std::size_t index, const Offer &founded) {
        State &state = state_[index];
        if (!state.holds || state.missing <= 0) return;
        const asp::RuleView rule = program_.rule(index);
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            if (rule.body[i] != Literal(AtomId(founded.atom))) continue;
            state.missing -= weight_of(rule, i);
        }
        state.dearest = std::max(state.dearest, founded.cost);
        if (state.missing <= 0) fire(index);
    }

    // Of a disjunction none of whose true atoms is founded, takes the first as the case at hand.
    bool take_case() {
        for (; next_case_ < cases_.size(); ++next_case_) {
            const std::size_t index = cases_[next_case_];
            const asp::RuleView rule = program_.rule(index);
            std::optional<AtomId> first;
            bool founded = false;
            for (const AtomId head : rule.head) {
                if (!owner_.truth_[head.index()]) continue;
                founded = founded || owner_.cost_[head.index()] != unknown;
                if (!first) first = head;
            }
            if (founded) continue;
            open_.push({std::max(last_, price(index)) + step_cost, first->value, index});
            return true;
        }
        return false;
    }

    Justification &owner_;
    const asp::GroundProgram &program_;
    std::vector<State> state_; // by rule
    std::priority_queue<Offer> open_;
    std::vector<std::size_t> cases_; // disjunctions that ask for one of several true atoms
    std::size_t next_case_ = 0;
    double last_ = 0.0;
};

// Stops the rules of false atoms, cheapest first.
class Justification::Stopping {
  public:
    explicit Stopping(Justification &owner)
        : owner_(owner), program_(owner.program_), slack_(program_.rule_count(), 0),
          pending_(program_.atom_limit(), 0), dearest_(program_.atom_limit(), 0.0) {}

    void run() {
        for (std::size_t i = 0; i < program_.rule_count(); ++i) {
            if (owner_.relevant_.rules[i]) count(i);
        }
        for (std::size_t i = 0; i < program_.rule_count(); ++i) {
            if (owner_.relevant_.rules[i]) begin(i);
        }
        for (std::uint32_t atom = 1; atom < program_.atom_limit(); ++atom) {
            if (owner_.truth_[atom] || !owner_.relevant_.atoms[atom]) continue;
            const bool leaf = owner_.is_leaf(AtomId(atom));
            if (leaf || owner_.by_head_.of(AtomId(atom)).empty()) {
                open_.push({leaf ? owner_.leaf_cost(AtomId(atom)) : step_cost, atom, no_rule});
            }
        }
        while (!open_.empty()) {
            const Event event = open_.top();
            open_.pop();
            event.rule == no_rule ? settle(event) : reduce(event.rule, event.weight, event.cost);
        }
    }

  private:
    // An atom is settled; or, with a rule: a literal `not atom` of it fails, for the atom is true.
    struct Event {
        double cost;
        std::uint32_t atom;
        std::size_t rule;
        std::int64_t weight = 0;
        bool operator<(const Event &other) const {
            return std::tie(cost, atom, rule) > std::tie(other.cost, other.atom, other.rule);
        }
    };

    // Before any rule is stopped: an atom is settled with the last of its rules.
    void count(std::size_t index) {
        for (const AtomId head : program_.rule(index).head) {
            if (!owner_.truth_[head.index()]) ++pending_[head.index()];
        }
    }

    void begin(std::size_t index) {
        const asp::RuleView rule = program_.rule(index);
        if (owner_.body_holds(rule)) {
            for (const AtomId head : rule.head) stop(head, negation);
            return;
        }
        // how much of the body may still fail to hold until it is known to fail
        std::int64_t total = 0;
        for (const std::int32_t weight : rule.weights) total += weight;
        slack_[index] = rule.weighted() ? total - rule.bound + 1 : 1;
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            const Literal literal = rule.body[i];
            if (literal.positive() || owner_.is_true(literal)) continue;
            open_.push({owner_.negation_cost(literal.atom()), literal.atom().value, index,
                        weight_of(rule, i)});
        }
        if (slack_[index] <= 0) stop_all(index, step_cost); // a bound that nothing reaches
    }

    void settle(const Event &event) {
        if (owner_.cost_[event.atom] != unknown) return;
        owner_.cost_[event.atom] = event.cost;
        for (const std::size_t index : owner_.occurrences_[event.atom]) {
            const asp::RuleView rule = program_.rule(index);
            std::int64_t weight = 0;
            for (std::size_t i = 0; i < rule.body.size(); ++i) {
                if (rule.body[i] == Literal(AtomId(event.atom))) weight += weight_of(rule, i);
            }
            reduce(index, weight, event.cost);
        }
    }

    void reduce(std::size_t index, std::int64_t weight, double cost) {
        if (slack_[index] <= 0) return;
        slack_[index] -= weight;
        if (slack_[index] <= 0) stop_all(index, cost);
    }

    void stop_all(std::size_t index, double cost) {
        for (const AtomId head : program_.rule(index).head) stop(head, cost);
    }

    void stop(AtomId head, double cost) {
        const std::size_t atom = head.index();
        if (owner_.truth_[atom]) return;
        dearest_[atom] = std::max(dearest_[atom], cost);
        if (--pending_[atom] == 0 && !owner_.is_leaf(head)) {
            open_.push({dearest_[atom] + step_cost, head.value, no_rule});
        }
    }

    Justification &owner_;
    const asp::GroundProgram &program_;
    std::vector<std::int64_t> slack_;  // by rule
    std::vector<std::size_t> pending_; // by atom: rules that are not known to be stopped
    std::vector<double> dearest_;      // by atom
    std::priority_queue<Event> open_;
};

Justification::Justification(const asp::GroundProgram &program, Truth truth,
                             std::vector<Leaf> leaves, std::span<const AtomId> roots)
    : program_(program), truth_(std::move(truth)), leaves_(std::move(leaves)),
      relevant_(asp::relevant_rules(program, roots, false)), by_head_(program),
      occurrences_(program.atom_limit()), founder_(program.atom_limit(), no_rule),
      cost_(program.atom_limit(), unknown) {
    for (std::size_t i = 0; i < program.rule_count(); ++i) {
        if (!relevant_.rules[i]) continue;
        for (const Literal literal : program.rule(i).body) {
            auto &rules = occurrences_[literal.atom().index()];
            // an atom that a body mentions twice counts once here
            if (literal.positive() && (rules.empty() || rules.back() != i)) rules.push_back(i);
        }
    }
    Founding(*this).run();
    Stopping(*this).run();
}

std::optional<std::size_t> Justification::founder(AtomId atom) const {
    if (is_leaf(atom)) return std::nullopt;
    NEURASP_ASSERT(founder_[atom.index()] != no_rule, "every atom of a stable model is founded");
    return founder_[atom.index()];
}

std::vector<Literal> Justification::used_body(std::size_t index) const {
    const asp::RuleView rule = program_.rule(index);
    if (!rule.weighted()) return {rule.body.begin(), rule.body.end()};
    const auto cost_of = [&](Literal literal) {
        return literal.positive() ? cost_[literal.atom().index()] : negation_cost(literal.atom());
    };
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        if (is_true(rule.body[i])) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return cost_of(rule.body[a]) < cost_of(rule.body[b]);
    });
    std::vector<Literal> used;
    std::int64_t missing = rule.bound;
    for (const std::size_t i : order) {
        if (missing <= 0) break;
        used.push_back(rule.body[i]);
        missing -= rule.weights[i];
    }
    return used;
}

std::vector<Literal> Justification::stoppers(std::size_t index) const {
    const asp::RuleView rule = program_.rule(index);
    std::vector<Literal> stopping;
    if (body_holds(rule)) {
        for (const AtomId head : rule.head) {
            if (!rule.choice && truth_[head.index()]) stopping.emplace_back(head);
        }
        return stopping;
    }
    const auto cost_of = [&](std::size_t i) {
        const AtomId atom = rule.body[i].atom();
        return rule.body[i].positive() ? cost_[atom.index()] : negation_cost(atom);
    };
    std::vector<std::size_t> order;
    std::int64_t slack = rule.weighted() ? 1 - std::int64_t{rule.bound} : 1;
    for (std::size_t i = 0; i < rule.body.size(); ++i) {
        if (rule.weighted()) slack += rule.weights[i];
        if (!is_true(rule.body[i])) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return cost_of(a) < cost_of(b); });
    for (const std::size_t i : order) {
        if (slack <= 0) break;
        stopping.push_back(~rule.body[i]);
        slack -= weight_of(rule, i);
    }
    return stopping;
}

bool Justification::is_circular(AtomId atom) const { return cost_[atom.index()] == unknown; }

} // namespace neurasp::inference
