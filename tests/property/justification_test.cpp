// Justifications of the stable models of random programs, checked against the definitions: nothing here asks the
// justification whether it is right.
#include "asp/analysis.hpp"
#include "inference/access.hpp"
#include "inference/justification.hpp"
#include "settings.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

namespace neurasp::property {
namespace {

using asp::AtomId;
using asp::Literal;
using inference::Justification;
using inference::Truth;

constexpr int most_models = 8; // of a program

class JustificationCheck {
  public:
    JustificationCheck(const asp::GroundProgram &program, const Truth &truth,
                       const std::vector<inference::Leaf> &leaves, const Justification &why)
        : program_(program), truth_(truth), leaves_(leaves), why_(why), state_(truth.size(), 0) {}

    void run() {
        for (std::uint32_t id = 1; id < program_.atom_limit(); ++id) {
            const AtomId atom(id);
            if (leaves_[id].is_leaf) continue;
            if (truth_[id]) {
                check_founded(atom);
            } else {
                for (const std::size_t rule : why_.rules_of(atom)) check_stopped(rule, atom);
            }
            if (truth_[id] || !why_.is_circular(atom)) check_acyclic(atom);
        }
    }

  private:
    bool holds(Literal literal) const {
        return truth_[literal.atom().index()] == literal.positive();
    }

    // The weight of the literals that `wanted` accepts; for a plain body, their number.
    std::int64_t weight(const asp::RuleView &rule, const std::function<bool(Literal)> &wanted) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            if (wanted(rule.body[i])) sum += rule.weighted() ? rule.weights[i] : 1;
        }
        return sum;
    }
    static std::int64_t needed(const asp::RuleView &rule) {
        return rule.weighted() ? rule.bound : static_cast<std::int64_t>(rule.body.size());
    }

    void check_founded(AtomId atom) {
        const asp::RuleView rule = program_.rule(*why_.founder(atom));
        EXPECT_NE(std::find(rule.head.begin(), rule.head.end(), atom), rule.head.end());
        const std::vector<Literal> used = why_.used_body(*why_.founder(atom));
        for (const Literal literal : used) EXPECT_TRUE(holds(literal));
        const auto is_used = [&](Literal literal) {
            return std::find(used.begin(), used.end(), literal) != used.end();
        };
        EXPECT_GE(weight(rule, is_used), needed(rule)) << "the used literals do not suffice";
    }

    // Whatever else holds: with these literals the rule does not derive the atom.
    void check_stopped(std::size_t index, AtomId atom) {
        const asp::RuleView rule = program_.rule(index);
        const std::vector<Literal> stoppers = why_.stoppers(index);
        for (const Literal literal : stoppers) EXPECT_TRUE(holds(literal));
        const auto may_hold = [&](Literal literal) {
            return std::find(stoppers.begin(), stoppers.end(), ~literal) == stoppers.end();
        };
        if (weight(rule, may_hold) < needed(rule) || rule.choice) return;
        const bool other_head = std::any_of(rule.head.begin(), rule.head.end(), [&](AtomId head) {
            return head != atom &&
                   std::find(stoppers.begin(), stoppers.end(), Literal(head)) != stoppers.end();
        });
        EXPECT_TRUE(other_head) << "nothing stops a rule";
    }

    // What an atom rests on: a true one on the true atoms of its rule, a false one on false atoms.
    std::vector<AtomId> below(AtomId atom) const {
        std::vector<AtomId> result;
        const bool is_true = truth_[atom.index()];
        const auto add = [&](const std::vector<Literal> &literals) {
            for (const Literal literal : literals) {
                if (literal.positive() == is_true && !leaves_[literal.atom().index()].is_leaf) {
                    result.push_back(literal.atom());
                }
            }
        };
        if (is_true) {
            add(why_.used_body(*why_.founder(atom)));
        } else {
            for (const std::size_t rule : why_.rules_of(atom)) add(why_.stoppers(rule));
        }
        return result;
    }

    void check_acyclic(AtomId atom) {
        constexpr int open = 1;
        constexpr int done = 2;
        int &state = state_[atom.index()];
        EXPECT_NE(state, open) << "an atom rests on itself";
        if (state != 0) return;
        state = open;
        for (const AtomId next : below(atom)) check_acyclic(next);
        state = done;
    }

    const asp::GroundProgram &program_;
    const Truth &truth_;
    const std::vector<inference::Leaf> &leaves_;
    const Justification &why_;
    std::vector<int> state_; // by atom
};

std::vector<inference::Leaf> leaves_in(const inference::Grounding &grounding) {
    std::vector<inference::Leaf> leaves(grounding.rules().atom_limit());
    for (const auto &group : grounding.outcome_atoms()) {
        for (const AtomId atom : group) leaves[atom.index()].is_leaf = true;
    }
    for (const asp::External &external : asp::undefined_externals(grounding.rules())) {
        leaves[external.atom.index()].is_leaf = true;
    }
    return leaves;
}

std::size_t check_program(std::uint64_t seed) {
    const Program program = Program::from_text(neurasp_text(make_program(seed)));
    const inference::ProgramParts &parts = internal::Access::parts(program);
    const inference::Grounding grounding(parts.sources, parts.program, {});
    const asp::GroundProgram &rules = grounding.rules();
    std::vector<AtomId> all;
    for (std::uint32_t id = 1; id < rules.atom_limit(); ++id) all.emplace_back(id);
    const auto leaves = leaves_in(grounding);
    base::Budget budget;
    std::size_t models = 0;
    grounding.problem().search({}, budget, [&](const asp::ModelView &view) {
        const Truth truth = inference::truth_of(rules, view);
        const Justification why(rules, truth, leaves, all);
        JustificationCheck(rules, truth, leaves, why).run();
        return ++models < most_models;
    });
    return models;
}

TEST(Property, every_atom_of_a_model_is_justified) {
    std::size_t models = 0;
    for (const std::uint64_t seed : seeds_to_try()) {
        models += check_program(seed);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << "\n--- program\n"
                                                  << neurasp_text(make_program(seed));
    }
    EXPECT_GT(models, 0u);
}

// P(q | O), and whether there are models with the query and without it.
void check_explanation(std::uint64_t seed) {
    const RandomProgram program = make_program(seed);
    const ObservationSpec &observation = program.observations.front();
    if (observation.queries.empty()) return;
    const oracle::Oracle truth(oracle_input(program, observation));
    Dice dice(seed);
    const auto variables = variables_of(program, observation);
    const oracle::Probabilities p = make_probabilities(variables, dice);
    Reasoner reasoner(Program::from_text(neurasp_text(program)));
    const Question question =
        reasoner.ask(observation_text(observation), {observation.queries.front()});
    bool with = false;
    bool without = false;
    for (const oracle::Model *model : truth.counted(false)) {
        (model->queries[0] ? with : without) = true;
    }
    const long double total = truth.probability(p, false);
    for (const std::string &engine : engine_names()) {
        Settings settings;
        settings.engine = engine;
        const auto answer = question.explain(network_outputs(variables, p), 3, settings);
        ASSERT_EQ(answer.probability.has_value(), total > 0.0L) << engine;
        if (total > 0.0L) {
            const long double expected = truth.joint(p, 0, false) / total;
            ASSERT_NEAR(answer.probability->value, static_cast<double>(expected), 1e-10) << engine;
        }
        ASSERT_EQ(answer.with_query.has_value(), with) << engine;
        ASSERT_EQ(answer.without_query.has_value(), without) << engine;
        ASSERT_EQ(answer.why.has_value(), with) << engine;
        double last = 1.0 + 1e-9;
        for (const Reason &reason : answer.reasons) {
            ASSERT_LE(reason.share, last) << engine;
            last = reason.share;
        }
        ASSERT_EQ(answer.reasons.empty(), truth.joint(p, 0, false) == 0.0L) << engine;
    }
}

TEST(Property, explanations_agree_with_the_oracle) {
    for (const std::uint64_t seed : seeds_to_try(2)) {
        check_explanation(seed);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << "\n--- program\n"
                                                  << neurasp_text(make_program(seed));
    }
}

} // namespace
} // namespace neurasp::property
