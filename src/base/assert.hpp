// Invariants that are checked while the program runs: NEURASP_ASSERT(condition, "the invariant, in words").
//
// It is for states and orders of calls that only a mistake in our own code can bring about. A mistake of the
// caller is a ContractError, checked in every build; a mistake of the user is a diagnostic.
//
// Assertions are active where NEURASP_ASSERTIONS is defined (a CMake option: on in dev and sanitizer builds,
// off in release and bench builds). Elsewhere the condition is compiled but never evaluated.
//
// A broken invariant throws rather than aborts. So a test can break one on purpose and see that it is caught,
// clingo's callbacks can carry the exception past C frames, and the command reports an internal error.
#pragma once

#include <stdexcept>

namespace neurasp::base {

// The library never catches it to carry on.
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
