// Invariants of this layer, broken on purpose.
#include "asp_support.hpp"
#include "support/broken_invariant.hpp"

#include <gmock/gmock.h>

namespace neurasp::asp::test {
namespace {

using neurasp::test::broken_invariant;
using testing::HasSubstr;

TEST(AspAssertions, CatchASearchThatStartsWhileAnotherOneRuns) {
    NEURASP_NEEDS_ASSERTIONS();
    const Grounder grounder = grounded("{a; b}.");
    Solver solver(grounder.program(), no_groups, {});
    base::Budget budget;
    const auto nested = [&](const ModelView &) { return count(solver) > 0; };
    EXPECT_THAT(broken_invariant([&] { solver.search({}, budget, nested); }),
                HasSubstr("one search of a solver runs at a time"));
    EXPECT_EQ(count(solver), 4U) << "the solver can be used again";
}

TEST(AspAssertions, CatchAnExternalThatIsSetDuringASearch) {
    NEURASP_NEEDS_ASSERTIONS();
    const Grounder grounder = grounded("#external a. b :- a.");
    Solver solver(grounder.program(), no_groups, {});
    base::Budget budget;
    const auto meddle = [&](const ModelView &) {
        solver.assign_external(atom(grounder.program(), "a"), ExternalValue::is_true);
        return true;
    };
    EXPECT_THAT(broken_invariant([&] { solver.search({}, budget, meddle); }),
                HasSubstr("externals are set between searches"));
}

TEST(AspAssertions, CatchAnAssumptionAboutAnUnknownAtom) {
    NEURASP_NEEDS_ASSERTIONS();
    const Grounder grounder = grounded("{a}.");
    Solver solver(grounder.program(), no_groups, {});
    const AtomId beyond(grounder.program().atom_limit());
    for (const Literal literal : {Literal(beyond), Literal(AtomId(0U))}) {
        EXPECT_THAT(broken_invariant([&] { count(solver, {literal}); }),
                    HasSubstr("a literal is about an atom of the program"));
    }
}

TEST(AspAssertions, CatchACostQuestionToASolverThatDoesNotMinimize) {
    NEURASP_NEEDS_ASSERTIONS();
    const Grounder grounder = grounded("{a}. :~ a. [1]");
    Solver solver(grounder.program(), no_groups, {});
    base::Budget budget;
    EXPECT_THAT(broken_invariant([&] { solver.find_optimum({}, budget); }),
                HasSubstr("costs need a solver that minimizes"));
}

TEST(AspAssertions, CatchAGrounderThatIsUsedAfterItFailed) {
    NEURASP_NEEDS_ASSERTIONS();
    Grounder grounder;
    EXPECT_THROW(grounder.ground("a :- b(X"), GroundingError);
    EXPECT_THAT(broken_invariant([&] { grounder.ground("a."); }),
                HasSubstr("a grounder that failed is not used again"));
}

TEST(AspAssertions, CatchARuleThatDoesNotExist) {
    NEURASP_NEEDS_ASSERTIONS();
    const GroundProgram program;
    EXPECT_THAT(broken_invariant([&] { program.rule(0); }), HasSubstr("numbered from 0"));
}

} // namespace
} // namespace neurasp::asp::test
