// The probability of independent observations.
#include "neurasp/observation_set.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace neurasp {

Probability product(std::span<const Probability> terms) {
    Probability result{1.0, 0.0, 1.0, 1.0, true};
    double log_upper = 0.0;
    bool impossible = false;
    for (const Probability &term : terms) {
        impossible = impossible || term.is_zero();
        result.exact = result.exact && term.exact;
        result.log += term.log;
        log_upper += term.exact ? term.log : std::log(term.upper);
    }
    if (impossible) return {};
    result.value = std::exp(result.log);
    result.lower = result.value;
    result.upper = result.exact ? result.value : std::exp(log_upper);
    // rounding must not turn what is possible into what is not
    const bool possible = !std::isinf(log_upper);
    if (!result.exact && possible) {
        result.upper = std::max(result.upper, std::numeric_limits<double>::denorm_min());
    }
    return result;
}

} // namespace neurasp
