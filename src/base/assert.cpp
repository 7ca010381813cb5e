// Reports a broken invariant by throwing (assert.hpp).
#include "base/assert.hpp"

#include <string>

namespace neurasp::base {

void report_broken_invariant(const char *file, int line, const char *invariant,
                             const char *expression) {
    throw BrokenInvariant(std::string(file) + ":" + std::to_string(line) +
                          ": broken invariant: " + invariant + " [" + expression + "]");
}

} // namespace neurasp::base
