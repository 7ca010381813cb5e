// TrainingProgram::prepare: ids, values, what is kept, and several threads.
#include "base/assert.hpp"
#include "testing.hpp"
#include "training/observation_table.hpp"

#include <gtest/gtest.h>

namespace neurasp::training {
namespace {

TEST(Prepare, GivesEqualTextsTheSameIdWhateverTheirValuesAndNames) {
    TrainingProgram program(Program::from_text(addition));
    const std::vector<Observation> observations{
        {":- not sum({}).", {"2"}}, {":- not sum(1)."}, {":- not sum(2).", {}, "another name"}};
    const auto ids = program.prepare(observations);
    ASSERT_EQ(ids.size(), 3U);
    EXPECT_EQ(ids[0], ids[2]);
    EXPECT_NE(ids[0], ids[1]);
    EXPECT_EQ(program.prepare(sum_is(1)), ids[1]);
    EXPECT_EQ(program.statistics().observations, 2U);
}

TEST(Prepare, KeepsBracesInTextsWithoutValues) {
    TrainingProgram program(Program::from_text(addition));
    const ObservationId id = program.prepare(Observation{":- not 1 { sum(2); sum(3) } 1."});
    EXPECT_TRUE(program.at(id).has_circuit);
}

TEST(Prepare, RefusesPlaceholdersWithoutValues) {
    TrainingProgram program(Program::from_text(addition));
    EXPECT_THROW(program.prepare(Observation{":- not sum({}), {}.", {"1"}}), InputError);
}

TEST(Prepare, KeepsObservationsBeforeAMistake) {
    TrainingProgram program(Program::from_text(addition));
    const std::vector<Observation> observations{sum_is(0), sum_is(1), {":- not sum(."}, sum_is(3)};
    EXPECT_THROW(program.prepare(observations), InputError);
    const std::size_t kept = program.statistics().observations;
    EXPECT_GE(kept, 1U);
    program.prepare(sum_is(0));
    EXPECT_EQ(program.statistics().observations, kept);
}

TEST(Prepare, NamesTheObservationWithTheMistake) {
    TrainingProgram program(Program::from_text(addition));
    try {
        program.prepare(Observation{":- not sum(.", {}, "the third one"});
        FAIL();
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().front().location.file, "the third one");
    }
}

TEST(Prepare, RefusesLearnableRulesInObservations) {
    TrainingProgram program(Program::from_text(addition));
    EXPECT_THROW(program.prepare(Observation{"@0.5 : a. :- not a."}), InputError);
}

TEST(Prepare, RefusesANetworkWithTwoShapes) {
    TrainingProgram program(Program::from_text(addition));
    EXPECT_THROW(program.prepare(Observation{"nn(digit(1,i3),[a,b])."}), InputError);
}

TEST(Prepare, FindsOnlyCallsIfCircuitsAreNotWanted) {
    TrainingOptions options;
    options.circuits = false;
    TrainingProgram program(Program::from_text(addition), options);
    const PreparedObservation &observation = program.at(program.prepare(sum_is(2)));
    EXPECT_EQ(observation.calls.size(), 2U);
    EXPECT_EQ(observation.relevant_calls, 0U);
    EXPECT_FALSE(observation.has_circuit);
    EXPECT_EQ(program.statistics().without_circuit, 0U);
}

TEST(Prepare, PutsTheCallsThatMatterFirst) {
    TrainingProgram program(Program::from_text(R"(nn(a(1,x),[t,f]). nn(b(1,x),[t,f]).
ok :- b(0,x,t).)"));
    const PreparedObservation &observation = program.at(program.prepare(Observation{":- not ok."}));
    ASSERT_EQ(observation.calls.size(), 2U);
    EXPECT_EQ(observation.relevant_calls, 1U);
    EXPECT_EQ(program.networks()[observation.calls[0].network].name, "b");
}

TEST(Prepare, RefusesUnknownIds) {
    const TrainingProgram program(Program::from_text(addition));
    EXPECT_THROW(program.at(ObservationId{0}), ContractError);
}

TEST(Prepare, CatchesAChangeOfAPreparedObservation) {
    if (!base::assertions_are_on) GTEST_SKIP() << "built without assertions";
    ObservationTable table;
    const ObservationId id = table.id_of(":- a.");
    EXPECT_EQ(table.find(id), nullptr);
    table.put(id, {std::make_shared<const Prepared>(), {}});
    EXPECT_NE(table.find(id), nullptr);
    EXPECT_THROW(table.put(id, {std::make_shared<const Prepared>(), {}}), base::BrokenInvariant);
}

// Many observations: some with facts, which are grounded separately, and some that differ only in a constraint.
std::vector<Observation> many_observations() {
    std::vector<Observation> observations;
    for (int i = 0; i < 40; ++i) {
        observations.push_back(sum_is(i % 5));
        observations.push_back({"big({}) :- sum(S), S > 1. :- not big({}). :- sum({}).",
                                {std::to_string(i), std::to_string(i), std::to_string(i % 4)}});
        observations.push_back(
            {":- sum({}), digit(0,i1,{}).", {std::to_string(i % 5), std::to_string(i % 3)}});
    }
    return observations;
}

OneNetwork<double> outcome_of(TrainingProgram &program, const std::vector<ObservationId> &ids) {
    OneNetwork<double> batch;
    batch.outputs = random_rows<double>(2 * ids.size(), 3, 0, 3);
    for (std::uint32_t e = 0; e < ids.size(); ++e) {
        const std::size_t calls = program.at(ids[e]).relevant_calls;
        std::vector<std::uint32_t> rows{2 * e, 2 * e + 1};
        rows.resize(calls);
        batch.add(ids[e], rows);
    }
    batch.run(program);
    return batch;
}

TEST(Prepare, SeveralThreadsGiveTheSameIdsAndNumbersAsOne) {
    TrainingOptions options;
    options.threads = 4;
    TrainingProgram one(Program::from_text(addition));
    TrainingProgram four(Program::from_text(addition), options);
    const auto observations = many_observations();
    const auto ids = one.prepare(observations);
    ASSERT_EQ(ids, four.prepare(observations));
    ASSERT_EQ(ids.size(), observations.size());
    EXPECT_EQ(one.statistics().observations, four.statistics().observations);
    EXPECT_EQ(one.statistics().largest_circuit, four.statistics().largest_circuit);
    for (const ObservationId id : ids) {
        EXPECT_EQ(one.at(id).edges, four.at(id).edges);
        ASSERT_EQ(one.at(id).calls.size(), four.at(id).calls.size());
        for (std::size_t c = 0; c < one.at(id).calls.size(); ++c) {
            EXPECT_EQ(one.at(id).calls[c].terms, four.at(id).calls[c].terms);
        }
    }
    const auto a = outcome_of(one, ids);
    const auto b = outcome_of(four, ids);
    EXPECT_EQ(a.log, b.log);
    EXPECT_EQ(a.gradient, b.gradient);
}

} // namespace
} // namespace neurasp::training
