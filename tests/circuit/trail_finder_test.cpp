// Components kept along the trail, compared with those found by walking: on the way down to an arbitrary component, both
// have the same keys.
#include "circuit/trail_finder.hpp"

#include "base/random_stream.hpp"
#include "circuit/walking_finder.hpp"
#include "theory_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace neurasp::circuit {
namespace {

using test::add_choice;
using test::add_clause;
using test::propagate_all;

// Choices of two to four outcomes, conjunctions and disjunctions over literals made before, and constraints.
Theory random_theory(base::RandomStream &random) {
    Theory theory;
    std::vector<Lit> literals;
    const std::uint64_t choices = 3 + random.below(5);
    for (std::uint64_t i = 0; i < choices; ++i) {
        const auto outcomes = add_choice(theory, static_cast<std::uint32_t>(2 + random.below(3)));
        literals.insert(literals.end(), outcomes.begin(), outcomes.end());
    }
    Gates gates(theory);
    const auto any = [&] {
        const Lit lit = literals[random.below(literals.size())];
        return random.below(3) == 0 ? ~lit : lit;
    };
    const std::uint64_t defined = 2 + random.below(8);
    for (std::uint64_t i = 0; i < defined; ++i) {
        std::vector<Lit> body{any(), any()};
        if (random.below(2) == 0) body.push_back(any());
        const Lit gate = random.below(2) == 0 ? gates.conjunction(body) : gates.disjunction(body);
        if (gate.var() != 0) literals.push_back(gate);
    }
    const std::uint64_t constraints = 1 + random.below(5);
    for (std::uint64_t i = 0; i < constraints; ++i) {
        std::vector<Lit> clause{any(), any()};
        if (random.below(2) == 0) clause.push_back(any());
        theory.add_clause(clause, 0);
    }
    return theory;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>>
sorted_keys(std::span<const Component> components) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> keys;
    for (const Component &component : components) {
        keys.emplace_back(component.key.high, component.key.low);
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

TEST(TrailFinder, finds_what_walking_finds) {
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        base::RandomStream random(seed);
        const Theory theory = random_theory(random);
        Propagator propagator(theory);
        UnfoundedSets unfounded(theory, propagator);
        if (!propagate_all(propagator, unfounded)) continue;
        std::vector<std::uint32_t> position(theory.variable_limit());
        std::iota(position.begin(), position.end(), 0U);
        std::vector<Decision> sequence;
        for (std::uint32_t c = 0; c < theory.choices().size(); ++c) {
            sequence.push_back({Decision::Kind::choice, c});
        }
        TrailFinder trail(theory, {}, propagator, sequence);
        WalkingFinder walking(theory, propagator, unfounded, position);
        Component trail_parent = trail.whole();
        Component walking_parent = walking.whole();
        while (true) {
            std::vector<Component> by_trail;
            std::vector<Component> by_walking;
            trail.split(trail_parent, by_trail);
            walking.split(walking_parent, by_walking);
            ASSERT_EQ(sorted_keys(by_trail), sorted_keys(by_walking));
            ++compared;
            if (by_trail.empty()) break;
            trail_parent = by_trail[random.below(by_trail.size())];
            walking_parent =
                *std::find_if(by_walking.begin(), by_walking.end(), [&](const Component &other) {
                    return other.key == trail_parent.key;
                });
            ASSERT_EQ(trail_parent.decision, walking_parent.decision);
            // an outcome that leads on, chosen at random; all are taken back where there is a conflict
            const auto &outcomes = theory.choices()[trail_parent.decision.index].outcomes;
            const std::size_t first = random.below(outcomes.size());
            bool decided = false;
            for (std::size_t o = 0; o < outcomes.size() && !decided; ++o) {
                const Lit outcome = outcomes[(first + o) % outcomes.size()];
                if (propagator.is_false(outcome)) continue;
                propagator.decide(outcome);
                decided = propagate_all(propagator, unfounded);
                if (!decided) propagator.undo_level();
            }
            if (!decided) break;
        }
    }
    EXPECT_GT(compared, 600) << "the theories are not too small to be split";
}

TEST(TrailFinder, releasing_a_mark_restores_keys) {
    Theory theory;
    const auto a = add_choice(theory, 3);
    const auto b = add_choice(theory, 2);
    const auto c = add_choice(theory, 2);
    add_clause(theory, {a[0], b[0], c[0]});
    add_clause(theory, {a[1], b[1], c[1]});
    Propagator propagator(theory);
    UnfoundedSets unfounded(theory, propagator);
    ASSERT_TRUE(propagate_all(propagator, unfounded));
    TrailFinder finder(theory, {}, propagator, {});
    std::vector<Component> whole;
    finder.split(finder.whole(), whole);
    ASSERT_EQ(whole.size(), 1U);
    std::vector<std::vector<std::pair<std::uint64_t, std::uint64_t>>> seen;
    for (int round = 0; round < 2; ++round) {
        for (const Lit outcome : a) {
            const auto mark = finder.mark();
            propagator.decide(outcome);
            ASSERT_TRUE(propagate_all(propagator, unfounded));
            std::vector<Component> parts;
            finder.split(whole[0], parts);
            seen.push_back(sorted_keys(parts));
            finder.release(mark);
            propagator.undo_level();
        }
    }
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(seen[i], seen[i + a.size()]);
    EXPECT_NE(seen[0], seen[1]);
}

// A choice that lost an outcome may lose its only connection with the rest although it stays open.
TEST(TrailFinder, a_choice_that_lost_an_outcome_comes_apart) {
    Theory theory;
    const auto a = add_choice(theory, 2);
    const auto b = add_choice(theory, 3);
    const auto c = add_choice(theory, 2);
    const auto d = add_choice(theory, 2);
    add_clause(theory, {~a[0], ~b[0]});      // a = 0 excludes b = 0 ...
    add_clause(theory, {~b[0], c[0], d[0]}); // ... and with it what joins b and c
    add_clause(theory, {a[0], c[0], d[1]});
    add_clause(theory, {~c[0], ~d[0], a[1]});
    Propagator propagator(theory);
    UnfoundedSets unfounded(theory, propagator);
    ASSERT_TRUE(propagate_all(propagator, unfounded));
    TrailFinder finder(theory, {}, propagator, {});
    std::vector<Component> whole;
    finder.split(finder.whole(), whole);
    ASSERT_EQ(whole.size(), 1U);
    propagator.decide(a[0]);
    ASSERT_TRUE(propagate_all(propagator, unfounded));
    std::vector<Component> parts;
    finder.split(whole[0], parts);
    EXPECT_EQ(parts.size(), 2U) << "b with two outcomes left, and c with d";
}

} // namespace
} // namespace neurasp::circuit
