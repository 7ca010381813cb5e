// For tests that break an invariant on purpose. Where assertions are off there is nothing to see, and what
// follows a broken invariant is undefined, so such tests are skipped.
#pragma once

#include "base/assert.hpp"

#include <gtest/gtest.h>

#include <string>

namespace neurasp::test {

// What the assertion that `action` fails says; empty if it fails none.
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
