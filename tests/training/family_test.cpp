// Families of observations: which observations join, that nothing depends on how they were prepared, and that mistakes and
// limits are reported as for observations on their own. Numbers are compared with sums by hand; random programs are
// in tests/property/families_test.cpp.
#include "testing.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace neurasp::training {
namespace {

// Two numbers of three digits each, added with carries.
constexpr auto carries = R"(nn(digit(1,a,P),[0,1,2,3,4,5,6,7,8,9]) :- P=0..2.
nn(digit(1,b,P),[0,1,2,3,4,5,6,7,8,9]) :- P=0..2.
carry(0,0).
sum(P,(A+B+C)\10) :- digit(0,a,P,A), digit(0,b,P,B), carry(P,C).
carry(P+1,(A+B+C)/10) :- digit(0,a,P,A), digit(0,b,P,B), carry(P,C).)";

Observation total_is(int total) {
    return {":- not sum(0,{}). :- not sum(1,{}). :- not sum(2,{}). :- not carry(3,{}).",
            {std::to_string(total % 10), std::to_string(total / 10 % 10),
             std::to_string(total / 100 % 10), std::to_string(total / 1000)}};
}

std::vector<Observation> totals(int first, int count, int step) {
    std::vector<Observation> observations;
    for (int i = 0; i < count; ++i) observations.push_back(total_is((first + i * step) % 1999));
    return observations;
}

// P(the numbers have this sum) from the definition; row 2p has digit p of a, row 2p+1 that of b.
double brute_force(const std::vector<double> &rows, int total) {
    double p = 0.0;
    for (int a = 0; a < 1000; ++a) {
        const int b = total - a;
        if (b < 0 || b > 999) continue;
        double product = 1.0;
        for (std::size_t place = 0, power = 1; place < 3; ++place, power *= 10) {
            const auto digit = [&](int number) {
                return static_cast<std::size_t>(number) / power % 10;
            };
            product *= rows[20 * place + digit(a)] * rows[20 * place + 10 + digit(b)];
        }
        p += product;
    }
    return p;
}

std::vector<std::uint32_t> rows_of(const PreparedObservation &facts) {
    std::vector<std::uint32_t> rows;
    for (const NetworkCall &call : facts.calls) { // the terms are "a,0" to "b,2"
        rows.push_back(static_cast<std::uint32_t>(2 * (call.terms.back() - '0') +
                                                  (call.terms.front() == 'b' ? 1 : 0)));
    }
    return rows;
}

TEST(Family, GivesTheProbabilitiesOfSumsByHand) {
    constexpr double tolerance = 1e-12; // a thousand terms near 1e-6
    TrainingProgram program(Program::from_text(carries));
    const auto observations = totals(17, 60, 31);
    const auto ids = program.prepare(observations);
    ASSERT_EQ(ids.size(), observations.size());
    EXPECT_EQ(program.statistics().families, 1U);
    EXPECT_GE(program.statistics().in_families, 55U) << "all but the samples";
    OneNetwork<double> batch;
    batch.outputs = random_rows<double>(6, 10, 0, 3);
    for (const ObservationId id : ids) batch.add(id, rows_of(program.at(id)));
    batch.run(program);
    for (int i = 0; i < 60; ++i) {
        const double expected = brute_force(batch.outputs, (17 + i * 31) % 1999);
        EXPECT_NEAR(batch.log[static_cast<std::size_t>(i)], std::log(expected), tolerance) << i;
    }
}

TEST(Family, GivesTheSameGradientsAsObservationsOnTheirOwn) {
    constexpr double tolerance = 1e-12;
    const auto observations = totals(17, 40, 47);
    std::vector<std::vector<double>> gradients;
    for (const FamilyUse use : {FamilyUse::automatic, FamilyUse::never}) {
        TrainingOptions options;
        options.families = use;
        TrainingProgram program(Program::from_text(carries), options);
        const auto ids = program.prepare(observations);
        EXPECT_EQ(program.statistics().families, use == FamilyUse::never ? 0U : 1U);
        OneNetwork<double> batch;
        batch.outputs = random_rows<double>(6, 10, 0, 5);
        for (const ObservationId id : ids) batch.add(id, rows_of(program.at(id)));
        batch.run(program);
        gradients.push_back(batch.gradient);
    }
    ASSERT_EQ(gradients[0].size(), gradients[1].size());
    for (std::size_t i = 0; i < gradients[0].size(); ++i) {
        EXPECT_NEAR(gradients[0][i], gradients[1][i], tolerance * std::abs(gradients[1][i])) << i;
    }
}

TEST(Family, IsJoinedByLaterObservationsWithKnownParts) {
    TrainingProgram program(Program::from_text(carries));
    program.prepare(totals(17, 60, 31));
    const auto before = program.statistics();
    program.prepare(total_is(1234)); // all of its digits have occurred
    EXPECT_EQ(program.statistics().in_families, before.in_families + 1);
    // a part that the family does not know
    program.prepare(
        Observation{":- not sum(0,1). :- not sum(1,1). :- not sum(2,1). :- not carry(3,7)."});
    EXPECT_EQ(program.statistics().in_families, before.in_families + 1);
    EXPECT_EQ(program.statistics().without_circuit, 0U);
}

TEST(Family, CountsWhatIsExpected) {
    TrainingProgram program(Program::from_text(carries));
    program.expect(totals(17, 60, 31));
    for (const Observation &observation : totals(17, 60, 31)) program.prepare(observation);
    EXPECT_EQ(program.statistics().families, 1U);
    EXPECT_GE(program.statistics().in_families, 55U);
}

TEST(Family, IsNotJoinedByAConstraintAtAPlaceThatDecidesNothing) {
    // the first constraint of each observation only forbids an outcome, until the last one's depends on more
    TrainingOptions options;
    options.families = FamilyUse::always;
    TrainingProgram program(Program::from_text(R"(nn(n(2,i),[x,y,z]).
same :- n(0,i,V), n(1,i,V).
ok(1) :- not same. ok(2) :- n(0,i,x). ok(3) :- n(1,i,x), same.)"),
                            options);
    const std::vector<Observation> observations{{":- ok(2). :- ok(1)."}, {":- ok(2). :- ok(3)."}};
    program.prepare(observations);
    EXPECT_EQ(program.statistics().in_families, 2U);
    const ObservationId late = program.prepare(Observation{":- ok(1). :- ok(2)."});
    OneNetwork<double> batch;
    batch.outputs = {0.5, 0.3, 0.2, 0.6, 0.3, 0.1};
    batch.add(late, {0});
    batch.run(program);
    EXPECT_NEAR(std::exp(batch.log[0]), 0.3 * 0.3 + 0.2 * 0.1, 1e-15);
}

TEST(Family, LeavesMistakesToTheObservationThatHasThem) {
    TrainingProgram program(Program::from_text(carries));
    auto observations = totals(17, 40, 31);
    observations.insert(observations.begin() + 20, {":- not sum(X,1).", {}, "the twentieth"});
    try {
        program.prepare(observations);
        FAIL() << "the variable is unsafe";
    } catch (const InputError &error) {
        EXPECT_EQ(error.diagnostics().front().location.file, "the twentieth");
    }
    // what came before is kept, and the rest can still be prepared
    observations.erase(observations.begin() + 20);
    EXPECT_EQ(program.prepare(observations).size(), observations.size());
}

TEST(Family, WarnsOnceOfAtomsThatNothingDerives) {
    TrainingProgram program(Program::from_text(carries));
    std::vector<Observation> observations;
    for (int i = 0; i < 40; ++i) {
        observations.push_back({":- not sum(0,{}). :- not summ({},1).",
                                {std::to_string(i % 10), std::to_string(i)},
                                "example " + std::to_string(i)});
    }
    program.prepare(observations);
    const auto found = program.diagnostics();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().code, "undefined-atom");
    EXPECT_EQ(found.front().location.file.substr(0, 7), "example");
}

TEST(Family, IsNotMadeOfBodiesOfNeuralRules) {
    // which pictures there are differs between observations, so each has calls of its own
    TrainingOptions options;
    options.families = FamilyUse::always;
    TrainingProgram program(Program::from_text(R"(nn(digit(1,X),[0,1,2]) :- img(X).
sum(S) :- S = #sum{D,X : digit(0,X,D)}.)"),
                            options);
    const std::vector<Observation> observations{{"img(a). img(b). :- not sum(1)."},
                                                {"img(a). :- not sum(1)."}};
    const auto ids = program.prepare(observations);
    ASSERT_EQ(ids.size(), 2U);
    EXPECT_EQ(program.statistics().families, 0U);
    EXPECT_EQ(program.at(ids[0]).calls.size(), 2U);
    EXPECT_EQ(program.at(ids[1]).calls.size(), 1U);
}

TEST(Family, FindsLeastCosts) {
    // take the cheapest of three; costs and what is forbidden differ
    TrainingOptions options;
    options.optimal = true;
    options.families = FamilyUse::always;
    TrainingProgram program(Program::from_text(R"(nn(take(1,x),[a,b,c]).
:~ take(0,x,V), cost(V,C). [C,V]
:- take(0,x,V), forbidden(V).)"),
                            options);
    const std::vector<Observation> observations{{"cost(a,1). cost(b,2). cost(c,2). forbidden(a)."},
                                                {"cost(a,1). cost(b,2). cost(c,2)."},
                                                {"cost(a,3). cost(b,3). cost(c,3). forbidden(c)."},
                                                {"cost(a,1). forbidden(a;b;c)."}};
    const auto ids = program.prepare(observations);
    EXPECT_EQ(program.statistics().in_families, 4U);
    OneNetwork<double> batch;
    batch.outputs = {0.5, 0.2, 0.3};
    for (const ObservationId id : ids) batch.add(id, {0});
    batch.run(program);
    constexpr double tolerance = 1e-14;
    EXPECT_NEAR(std::exp(batch.log[0]), 0.5, tolerance); // b or c
    EXPECT_NEAR(std::exp(batch.log[1]), 0.5, tolerance); // a
    EXPECT_NEAR(std::exp(batch.log[2]), 0.7, tolerance); // a or b
    EXPECT_EQ(batch.status[3], ExampleStatus::impossible);
}

TEST(Family, IsNotMadeWhereACostDependsOnSeveralOutcomes) {
    // b and c cost 2 together, not each
    TrainingOptions options;
    options.optimal = true;
    options.families = FamilyUse::always;
    TrainingProgram program(Program::from_text(R"(nn(take(2,x),[a,b,c]).
:~ take(_,x,V), cost(V,C). [C])"),
                            options);
    const std::vector<Observation> observations{{"cost(a,1). cost(b,2). cost(c,2)."},
                                                {"cost(a,5). cost(b,2). cost(c,2)."}};
    const auto ids = program.prepare(observations);
    EXPECT_EQ(program.statistics().families, 0U);
    OneNetwork<double> batch;
    batch.outputs = {0.5, 0.2, 0.3, 0.4, 0.4, 0.2};
    for (const ObservationId id : ids) batch.add(id, {0});
    batch.run(program);
    constexpr double tolerance = 1e-14;
    EXPECT_NEAR(std::exp(batch.log[0]), 0.5 * 0.4, tolerance); // both a: cost 1
    EXPECT_NEAR(std::exp(batch.log[1]), 0.5 * 0.6, tolerance); // none is a: cost 2
}

TEST(Family, TakesCostsFromWeakConstraintsOfObservations) {
    // a knapsack for two of four things, whose values are those of the observation; a thing may be named through another atom
    TrainingOptions options;
    options.optimal = true;
    options.families = FamilyUse::always;
    TrainingProgram program(Program::from_text(R"(nn(in(4,k),[yes,no]).
packed(I) :- in(I,k,yes).
:- #sum{1,I : packed(I)} > 2.)"),
                            options);
    std::vector<Observation> observations;
    for (int i = 0; i < 12; ++i) {
        observations.push_back({":~ packed(0). [-{},0] :~ in(1,k,yes). [-{},1]\n"
                                ":~ not packed(2). [{},2] :~ in(3,k,no). [{}, 3]",
                                {std::to_string(1 + i % 3), std::to_string(1 + i % 4),
                                 std::to_string(1 + i % 5), std::to_string(1 + i / 6)}});
    }
    const auto ids = program.prepare(observations);
    EXPECT_EQ(program.statistics().in_families, observations.size());
    OneNetwork<double> batch;
    batch.outputs = {0.5, 0.5, 0.2, 0.8, 0.3, 0.7, 0.6, 0.4};
    for (const ObservationId id : ids) batch.add(id, {0});
    batch.run(program);
    for (std::size_t i = 0; i < observations.size(); ++i) {
        int best = -1;
        double sum = 0.0;
        for (unsigned chosen = 0; chosen < 16; ++chosen) {
            int things = 0;
            int value = 0;
            double product = 1.0;
            for (unsigned thing = 0; thing < 4; ++thing) {
                const bool in = (chosen >> thing & 1U) != 0;
                things += in ? 1 : 0;
                value += in ? std::stoi(observations[i].values[thing]) : 0;
                product *= batch.outputs[2 * thing + (in ? 0 : 1)];
            }
            if (things > 2 || value < best) continue;
            sum = value > best ? product : sum + product;
            best = value;
        }
        EXPECT_NEAR(std::exp(batch.log[i]), sum, 1e-14) << i;
    }
}

TEST(Family, CountsChoicesThatNothingAsksFor) {
    // c is free where a holds, so a has two of the three models of every total choice with x
    TrainingOptions options;
    options.families = FamilyUse::always;
    TrainingProgram program(Program::from_text(R"(nn(n(1,i),[x,y]).
b :- not d. d :- not b.
a(1) :- b, n(0,i,x), on(1).
{c} :- a(1).)"),
                            options);
    const std::vector<Observation> observations{{"on(1). :- not a(1)."}, {"on(2). :- not a(1)."}};
    const auto ids = program.prepare(observations);
    EXPECT_EQ(program.statistics().in_families, 2U);
    OneNetwork<double> batch;
    batch.outputs = {0.6, 0.4};
    for (const ObservationId id : ids) batch.add(id, {0});
    batch.run(program);
    EXPECT_NEAR(std::exp(batch.log[0]), 0.6 * 2.0 / 3.0, 1e-15);
    EXPECT_EQ(batch.status[1], ExampleStatus::impossible);
}

TEST(Family, ListsModelsWherePartsOnlyForbidOutcomes) {
    // a Sudoku of four cells: its givens decide nothing but outcomes, and there are two boards in all
    TrainingOptions options;
    options.families = FamilyUse::always;
    TrainingProgram program(Program::from_text(R"(nn(cell(4,b),[1,2]).
:- cell(0,b,N), cell(1,b,N). :- cell(2,b,N), cell(3,b,N).
:- cell(0,b,N), cell(2,b,N). :- cell(1,b,N), cell(3,b,N).
linked(I) :- linked(J), I = 0..3, J = (I+1)\4. linked(0) :- cell(0,b,_).
:- not linked(2).)"),
                            options);
    const std::vector<Observation> observations{{":- not cell(0,b,1)."}, {":- not cell(3,b,2)."}};
    const auto ids = program.prepare(observations);
    EXPECT_EQ(program.statistics().in_families, 2U);
    OneNetwork<double> batch;
    batch.outputs = {0.6, 0.4, 0.7, 0.3, 0.2, 0.8, 0.9, 0.1};
    for (const ObservationId id : ids) batch.add(id, {0});
    batch.run(program);
    EXPECT_NEAR(std::exp(batch.log[0]), 0.6 * 0.3 * 0.8 * 0.9, 1e-15); // 1 2 2 1
    EXPECT_NEAR(std::exp(batch.log[1]), 0.4 * 0.7 * 0.2 * 0.1, 1e-15); // 2 1 1 2
}

TEST(Family, FindsObservationsImpossibleThatNoOutcomeMakesPossible) {
    // nothing random decides, so the family's circuit has no variables
    TrainingOptions options;
    options.families = FamilyUse::always;
    TrainingProgram program(Program::from_text("nn(m(1,a),[x,y]). known(1)."), options);
    const std::vector<Observation> observations{
        {":- known(1)."}, {":- known(2)."}, {":- not known(1)."}, {":- not known(2)."}};
    const auto ids = program.prepare(observations);
    EXPECT_EQ(program.statistics().in_families, 4U);
    OneNetwork<double> batch;
    for (const ObservationId id : ids) batch.add(id, {});
    batch.run(program);
    EXPECT_EQ(batch.status[0], ExampleStatus::impossible);
    EXPECT_EQ(batch.log[1], 0.0);
    EXPECT_EQ(batch.log[2], 0.0);
    EXPECT_EQ(batch.status[3], ExampleStatus::impossible);
}

TEST(Family, DrawsSamplesFromConditionedCircuits) {
    TrainingOptions options;
    options.method = GradientMethod::top_k;
    options.k = 1000; // all of them, so the gradient is exact
    options.families = FamilyUse::always;
    const auto observations = totals(3, 4, 1);
    TrainingProgram program(Program::from_text(carries), options);
    const auto ids = program.prepare(observations);
    EXPECT_EQ(program.statistics().in_families, 4U);
    TrainingProgram exact(Program::from_text(carries));
    const auto exact_ids = exact.prepare(observations);
    OneNetwork<double> batch;
    OneNetwork<double> reference;
    batch.outputs = reference.outputs = random_rows<double>(6, 10, 0, 9);
    batch.add(ids[2], rows_of(program.at(ids[2])));
    reference.add(exact_ids[2], rows_of(exact.at(exact_ids[2])));
    batch.run(program);
    reference.run(exact);
    constexpr double tolerance = 1e-9;
    for (std::size_t i = 0; i < batch.gradient.size(); ++i) {
        EXPECT_NEAR(batch.gradient[i], reference.gradient[i], tolerance) << i;
    }
}

TEST(Family, KeepsWhatIsDoneWhenItIsStopped) {
    TrainingProgram program(Program::from_text(carries));
    const auto observations = totals(17, 60, 31);
    StopSource stop;
    stop.raise();
    Limits limits;
    limits.stop = stop.token();
    EXPECT_TRUE(program.prepare(observations, limits).empty());
    EXPECT_EQ(program.prepare(observations).size(), observations.size());
    EXPECT_EQ(program.statistics().families, 1U);
}

} // namespace
} // namespace neurasp::training
