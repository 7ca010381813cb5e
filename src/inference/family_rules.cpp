// Grounds the statements of a family, and finds out which of them only forbid or price outcomes.
//
// Why. The examples of a path finder differ in the ends of the path, in the edges that are removed and in the costs of
// edges. As variables of one circuit, 24 removed edges make its search ten times longer, and costs cannot be there at all, because
// the least cost is not a property of single models. But `:- sp(X,g,true), removed(X).` only says that an outcome is
// impossible if a fact is there, and `:~ sp(X,g,true), cost(X,C). [C,X]` what it costs. Both can wait until the circuit is
// conditioned on one observation.
//
// How. An atom is carried by a statement if it is its guard, or if its only rule is `atom :- carried`. A literal names an
// outcome if its atom is one, or if the only rule of its atom is `atom :- literal` with a literal of a random variable. Then
//
// - a constraint whose body is one literal that names an outcome and carried atoms is a Ban; without the literal it bans the
//   observation. The constraints of the program count like those of the observation: either way no model of the
//   total choice is left, so its probability does not depend on which of them Num counts;
// - a literal of a weak constraint is a Fee if it names an outcome, or if it is an atom whose only rule has one such literal
//   and carried atoms as its body; the rule is left out if nothing else uses the atom. What does not depend on random variables
//   costs all models of one observation the same, and is left out. Other costs are an obstacle: they belong to derived atoms.
//
// All other rules that matter are kept, and a statement that one of them depends on decides something. Where total choices do
// not determine the model, all rules matter, as in the translation of a single observation (circuit/translation.cpp).
//
// Invariants. For every set of statements that is there: the models of the kept rules, with the guards of these statements
// true and all others false, and without the outcomes that bans rule out, are the models of the program with these
// statements. Costs of models differ by the fees of their outcomes.
//
// Cost: linear in the ground program.
#include "inference/family_rules.hpp"

#include "asp/analysis.hpp"
#include "inference/access.hpp"
#include "inference/reading.hpp"

#include <algorithm>

namespace neurasp::inference {

using internal::Access;

FamilyGrounding ground_family(const Program &program, std::span<const FamilyStatement> statements,
                              std::shared_ptr<CircuitLibrary> library, const Limits &limits) {
    const ProgramParts &parts = Access::parts(program);
    base::SourceMap sources = parts.sources;
    std::vector<language::SourceUnit> units;
    for (const FamilyStatement &statement : statements) {
        units.push_back({sources.add(statement.name, statement.text), language::Role::observation,
                         0, static_cast<std::uint32_t>(units.size() + 1)});
    }
    Reading reading = read_on_top(parts, std::move(sources), std::move(units));
    std::shared_ptr<const Grounding> grounding = ground_whole(parts, reading, limits);
    auto scope = std::make_shared<const Scope>(grounding, 0, ScopeQueries{});
    std::vector<std::optional<AtomId>> given;
    for (std::uint32_t guard = 1; guard <= statements.size(); ++guard) {
        given.push_back(grounding->helper(language::given_helper, guard));
    }
    const std::optional<AtomId> violated = scope->violated();
    Question question =
        Access::question({std::move(scope), std::move(library), std::move(reading.warnings),
                          grounding->remarks(), brought_by(reading.delta)});
    return {std::move(grounding), std::move(question), violated, std::move(given)};
}

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};

class Splitter {
  public:
    Splitter(const FamilyGrounding &family, bool optimal)
        : family_(family), rules_(family.grounding->rules()), carrier_(rules_.atom_limit(), none),
          variable_(rules_.atom_limit(), none), names_(rules_.atom_limit()),
          rule_of_(rules_.atom_limit(), no_rule), uses_(rules_.atom_limit(), 0) {
        result_.decides.assign(family.given.size(), false);
        find_relevant(optimal);
        note_rules();
        note_carried();
        note_names();
    }

    FamilyRules run(bool optimal) {
        for (std::size_t i = 0; i < rules_.rule_count(); ++i) {
            if (result_.keeps[i] && take_ban(rules_.rule(i))) result_.keeps[i] = false;
        }
        if (optimal) take_fees();
        for (std::size_t i = 0; i < rules_.rule_count(); ++i) {
            if (result_.keeps[i] && !carries(i)) note_deciding(rules_.rule(i).body);
        }
        for (const asp::AcyclicityEdge &edge : rules_.edges()) note_deciding(edge.condition);
        for (std::size_t i = 0; i < rules_.rule_count(); ++i) {
            if (result_.keeps[i] && carries(i)) {
                result_.keeps[i] = result_.decides[carrier_[rules_.rule(i).head[0].index()]];
            }
        }
        return std::move(result_);
    }

  private:
    static constexpr std::size_t no_rule = ~std::size_t{0};
    static constexpr std::size_t several_rules = no_rule - 1;

    void find_relevant(bool optimal) {
        std::vector<AtomId> roots;
        if (family_.violated) roots.push_back(*family_.violated);
        if (optimal) {
            for (const asp::Minimize &minimize : rules_.minimize()) {
                for (const auto &element : minimize.literals) {
                    roots.push_back(element.literal.atom());
                }
            }
        }
        result_.keeps = family_.grounding->relevance(roots).rules;
        // Choices that nothing asks for may depend on what is asked for; then they matter for Num.
        if (!asp::analyse(rules_, result_.keeps).determined) {
            result_.keeps.assign(rules_.rule_count(), true);
        }
    }

    void note_rules() {
        for (std::size_t i = 0; i < rules_.rule_count(); ++i) {
            if (!result_.keeps[i]) continue;
            const asp::RuleView rule = rules_.rule(i);
            for (const AtomId head : rule.head) {
                std::size_t &known = rule_of_[head.index()];
                known = known == no_rule ? i : several_rules;
            }
            for (const Literal literal : rule.body) ++uses_[literal.atom().index()];
        }
        const auto &groups = family_.grounding->outcome_atoms();
        for (std::uint32_t v = 0; v < groups.size(); ++v) {
            for (const AtomId atom : groups[v]) variable_[atom.index()] = v;
        }
    }

    // The body of the atom's only rule, if that is one literal.
    std::optional<Literal> definition(std::uint32_t atom) const {
        if (rule_of_[atom] >= several_rules || AtomId(atom) == family_.violated) return {};
        const asp::RuleView rule = rules_.rule(rule_of_[atom]);
        const bool plain = !rule.choice && rule.head.size() == 1 && !rule.weighted();
        if (!plain || rule.body.size() != 1) return {};
        return rule.body[0];
    }

    void note_carried() {
        for (std::uint32_t s = 0; s < family_.given.size(); ++s) {
            if (family_.given[s]) carrier_[family_.given[s]->index()] = s;
        }
        for (std::uint32_t atom = 1; atom < rules_.atom_limit(); ++atom) {
            const std::optional<Literal> body = definition(atom);
            if (body && body->positive()) carrier_[atom] = carrier_[body->atom().index()];
        }
    }

    void note_names() {
        for (std::uint32_t atom = 1; atom < rules_.atom_limit(); ++atom) {
            if (variable_[atom] != none) {
                names_[atom] = Literal(AtomId(atom));
            } else if (const auto body = definition(atom)) {
                if (variable_[body->atom().index()] != none) names_[atom] = body;
            }
        }
    }

    // The literal of a random variable that holds if and only if this one does; nothing if it does not name one.
    std::optional<Literal> named(Literal literal) const {
        const std::optional<Literal> &name = names_[literal.atom().index()];
        if (!name) return {};
        return Literal(name->atom(), name->positive() == literal.positive());
    }

    // Whether a rule only carries a statement to its atom.
    bool carries(std::size_t index) const {
        const asp::RuleView rule = rules_.rule(index);
        return rule.head.size() == 1 && carrier_[rule.head[0].index()] != none;
    }

    struct Condition {
        std::vector<std::uint32_t> statements; // ascending
        std::optional<Literal> random;
    };
    // A conjunction of carried atoms and at most one literal of a random variable; nothing if it is anything else.
    std::optional<Condition> condition_of(const asp::RuleView &rule) const {
        if (rule.weighted()) return std::nullopt;
        Condition condition;
        for (const Literal literal : rule.body) {
            const std::uint32_t statement = carrier_[literal.atom().index()];
            if (statement != none && literal.positive()) {
                condition.statements.push_back(statement);
            } else if (const auto name = named(literal); name && !condition.random) {
                condition.random = name;
            } else {
                return std::nullopt;
            }
        }
        std::sort(condition.statements.begin(), condition.statements.end());
        return condition;
    }

    // The outcomes of which one is there if and only if the literal holds.
    std::vector<OutcomeRef> outcomes_of(Literal literal) const {
        const std::uint32_t variable = variable_[literal.atom().index()];
        const auto &atoms = family_.grounding->outcome_atoms()[variable];
        std::vector<OutcomeRef> outcomes;
        for (std::uint32_t o = 0; o < atoms.size(); ++o) {
            if ((atoms[o] == literal.atom()) == literal.positive()) {
                outcomes.push_back({variable, o});
            }
        }
        return outcomes;
    }

    bool take_ban(const asp::RuleView &rule) {
        const bool constrains = rule.head.empty() || (rule.head.size() == 1 && !rule.choice &&
                                                      rule.head[0] == family_.violated);
        if (!constrains) return false;
        auto condition = condition_of(rule);
        if (!condition || condition->statements.empty()) return false;
        Ban ban{std::move(condition->statements), {}};
        if (condition->random) ban.outcomes = outcomes_of(*condition->random);
        // a literal that no outcome satisfies cannot violate anything
        if (!condition->random || !ban.outcomes.empty()) result_.bans.push_back(std::move(ban));
        return true;
    }

    void take_fees() {
        result_.levels = rules_.minimize().size();
        for (std::size_t level = 0; level < result_.levels; ++level) {
            for (const auto &element : rules_.minimize()[level].literals) {
                if (!take_fee(element, level)) {
                    result_.obstacle = "a cost depends on more than one random variable";
                    return;
                }
            }
        }
    }

    bool take_fee(const asp::WeightedLiteral &element, std::size_t level) {
        const std::size_t atom = element.literal.atom().index();
        if (const auto name = named(element.literal)) {
            result_.fees.push_back({{}, outcomes_of(*name), level, element.weight});
            return true;
        }
        if (carrier_[atom] != none) return true;
        const std::size_t index = rule_of_[atom];
        if (index >= several_rules || !element.literal.positive()) return false;
        const asp::RuleView rule = rules_.rule(index);
        if (rule.choice || rule.head.size() != 1) return false;
        auto condition = condition_of(rule);
        if (!condition) return false;
        if (uses_[atom] == 0) result_.keeps[index] = false;
        if (!condition->random) return true;
        result_.fees.push_back({std::move(condition->statements), outcomes_of(*condition->random),
                                level, element.weight});
        return true;
    }

    void note_deciding(std::span<const Literal> body) {
        for (const Literal literal : body) {
            const std::uint32_t statement = carrier_[literal.atom().index()];
            if (statement != none) result_.decides[statement] = true;
        }
    }

    const FamilyGrounding &family_;
    const asp::GroundProgram &rules_;
    std::vector<std::uint32_t> carrier_;  // by atom: the statement that carries it
    std::vector<std::uint32_t> variable_; // by atom: the random variable that it is an outcome of
    std::vector<std::optional<Literal>>
        names_; // by atom: the literal of a random variable that it stands for
    std::vector<std::size_t> rule_of_; // by atom: its only rule
    std::vector<std::uint32_t> uses_;  // by atom: in how many bodies it is
    FamilyRules result_;
};

} // namespace

FamilyRules split_family(const FamilyGrounding &family, bool optimal) {
    return Splitter(family, optimal).run(optimal);
}

} // namespace neurasp::inference
