// Invariants that run: NEURASP_ASSERT(condition, "the invariant, in words").
//
// For what cannot happen unless our own code is wrong: an order of calls, or a state, that the head of a file
// rules out. What a caller may get wrong is a ContractError and checked in every build; what a user may get
// wrong is a diagnostic.
//
// On where NEURASP_ASSERTIONS is defined (a CMake option: on in dev and sanitizer builds, off in release and
// bench). Where it is off, the condition is compiled but never evaluated.
//
// A broken invariant throws instead of aborting: so a test can break it on purpose and see that it is
// noticed, clingo's callbacks can carry it over C frames, and the command reports it as an internal error.
#pragma once

#include <stdexcept>

namespace neurasp::base {

// Nothing in the library catches it in order to go on.
class BrokenInvariant : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

#ifdef NEURASP_ASSERTIONS
inline constexpr bool assertions_are_on = true;
#else
inline constexpr bool assertions_are_on = false;
#endif

// Throws: BrokenInvariant, "file:line: broken invariant: <invariant> [<expression>]".
[[noreturn]] void report_broken_invariant(const char *file, int line, const char *invariant,
                                          const char *expression);

} // namespace neurasp::base

#ifdef NEURASP_ASSERTIONS
#define NEURASP_ASSERT(condition, invariant)                                                       \
    ((condition)                                                                                   \
         ? static_cast<void>(0)                                                                    \
         : ::neurasp::base::report_broken_invariant(__FILE__, __LINE__, invariant, #condition))
#else
#define NEURASP_ASSERT(condition, invariant) static_cast<void>(sizeof(!(condition)))
#endif
