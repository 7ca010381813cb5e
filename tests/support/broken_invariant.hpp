// For tests that break an invariant on purpose. If assertions are off, they are skipped: nothing would notice, and
// behaviour after a broken invariant is undefined.
#pragma once

#include "base/assert.hpp"

#include <gtest/gtest.h>

#include <string>

namespace neurasp::test {

// The message of the assertion that `action` violates; empty if it violates none.
template <class Action> std::string broken_invariant(Action &&action) {
    try {
        action();
    } catch (const base::BrokenInvariant &error) {
        return error.what();
    }
    return {};
}

} // namespace neurasp::test

#define NEURASP_NEEDS_ASSERTIONS()                                                                 \
    if (!::neurasp::base::assertions_are_on) GTEST_SKIP() << "built without NEURASP_ASSERTIONS"
