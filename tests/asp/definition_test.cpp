// Random ground programs: the solver finds exactly the sets of atoms that are stable by definition. clasp cannot be the
// judge here, because this test looks for mistakes of clasp. NEURASP_DEFINITION_PROGRAMS sets the number of programs.
#include "asp_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <sstream>

namespace neurasp::asp::test {
namespace {

constexpr std::uint32_t most_atoms = 8; // atoms are 1 to 8; a set of atoms is a bit mask
using Set = std::uint32_t;

Set set_of(AtomId atom) { return Set{1} << (atom.index() - 1); }

struct RandomRule {
    bool choice = false;
    std::vector<AtomId> head;
    std::vector<WeightedLiteral> body;
    std::int32_t bound = 0; // 0: all literals must hold

    // Whether the body's reduct with respect to `model` holds in `set`.
    bool fires(Set set, Set model) const {
        std::int32_t sum = 0;
        for (const WeightedLiteral &element : body) {
            const Set own = set_of(element.literal.atom());
            const bool holds = element.literal.positive() ? (set & own) != 0 : (model & own) == 0;
            if (!holds && bound == 0) return false;
            if (holds) sum += element.weight;
        }
        return sum >= bound;
    }
    bool is_satisfied(Set set, Set model) const {
        if (!fires(set, model)) return true;
        const auto is_in = [](Set in) {
            return [in](AtomId atom) { return (in & set_of(atom)) != 0; };
        };
        if (!choice) return std::any_of(head.begin(), head.end(), is_in(set));
        return std::all_of(head.begin(), head.end(),
                           [&](AtomId atom) { return !is_in(model)(atom) || is_in(set)(atom); });
    }
};

using RandomProgram = std::vector<RandomRule>;

class Generator {
  public:
    explicit Generator(std::uint32_t seed) : engine_(seed) {}

    RandomProgram program() {
        RandomProgram rules{{true, {AtomId(6U), AtomId(7U), AtomId(8U)}, {}, 0}};
        const bool disjunctions = below(2) == 0;
        for (unsigned count = 5 + below(7); count > 0; --count) rules.push_back(rule(disjunctions));
        return rules;
    }

  private:
    unsigned below(unsigned limit) {
        return std::uniform_int_distribution<unsigned>(0, limit - 1)(engine_);
    }
    AtomId random_atom() { return AtomId(1 + below(most_atoms)); }

    RandomRule rule(bool disjunctions) {
        RandomRule rule;
        const unsigned kind = below(10);
        rule.choice = kind == 0;
        if (kind != 1) rule.head.push_back(random_atom());
        if (kind > 7 && disjunctions) rule.head.push_back(random_atom());
        for (unsigned size = 1 + below(4); size > 0; --size) {
            const Literal literal(random_atom());
            rule.body.push_back(
                {below(5) < 3 ? literal : ~literal, static_cast<std::int32_t>(1 + below(3))});
        }
        // gringo writes weight bodies only for normal rules; with others, clasp loses models
        const bool normal = !rule.choice && rule.head.size() == 1;
        if (below(3) == 0 && normal) rule.bound = static_cast<std::int32_t>(2 + below(3));
        return rule;
    }

    std::mt19937 engine_;
};

// The models of the program no proper subset of which is a model of the reduct.
std::multiset<Set> by_definition(const RandomProgram &program) {
    const auto is_model = [&](Set set, Set model) {
        return std::all_of(program.begin(), program.end(),
                           [&](const RandomRule &rule) { return rule.is_satisfied(set, model); });
    };
    const auto is_stable = [&](Set model) {
        if (!is_model(model, model)) return false;
        for (Set part = model; part != 0;) {
            part = (part - 1) & model;
            if (is_model(part, model)) return false;
        }
        return true;
    };
    std::multiset<Set> stable;
    for (Set set = 0; set < Set{1} << most_atoms; ++set) {
        if (is_stable(set)) stable.insert(set);
    }
    return stable;
}

std::multiset<Set> by_solver(const RandomProgram &rules) {
    GroundProgram program;
    program.reserve_atoms(most_atoms + 1);
    for (const RandomRule &rule : rules) {
        std::vector<Literal> body;
        for (const WeightedLiteral &element : rule.body) body.push_back(element.literal);
        if (rule.bound == 0)
            program.add_rule(rule.choice, rule.head, body);
        else
            program.add_weight_rule(rule.choice, rule.head, rule.bound, rule.body);
    }
    Solver solver(program, no_groups, {});
    std::multiset<Set> models;
    base::Budget budget;
    solver.search({}, budget, [&](const ModelView &view) {
        Set model = 0;
        for (std::uint32_t number = 1; number <= most_atoms; ++number) {
            if (view.is_true(Literal(AtomId(number)))) model |= set_of(AtomId(number));
        }
        models.insert(model);
        return true;
    });
    return models;
}

std::string show_rules(const RandomProgram &program) {
    std::ostringstream out;
    for (const RandomRule &rule : program) {
        out << (rule.choice ? "{" : "");
        for (const AtomId atom : rule.head) out << " " << atom.index();
        out << (rule.choice ? " }" : "") << " :-";
        for (const WeightedLiteral &element : rule.body) {
            out << (element.literal.positive() ? " " : " not ") << element.literal.atom().index();
            if (rule.bound > 0) out << "=" << element.weight;
        }
        if (rule.bound > 0) out << " >= " << rule.bound;
        out << ".\n";
    }
    return out.str();
}

TEST(Solver, FindsWhatTheDefinitionCallsStable) {
    const char *wanted = std::getenv("NEURASP_DEFINITION_PROGRAMS");
    const unsigned long programs = wanted == nullptr ? 3000 : std::stoul(wanted);
    for (std::uint32_t seed = 1; seed <= programs; ++seed) {
        const RandomProgram program = Generator(seed).program();
        ASSERT_EQ(by_solver(program), by_definition(program)) << "seed " << seed << "\n"
                                                              << show_rules(program);
    }
}

} // namespace
} // namespace neurasp::asp::test
