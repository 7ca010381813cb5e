// Numbers as people read them; JSON (src/protocol) has all their digits.
#pragma once

#include "neurasp/answers.hpp"

#include <string>

namespace neurasp::cli {

// Eight significant digits.
std::string show(double value);
// The value of a probability likewise, even if it underflows ("1.2e-412").
std::string show_value(const Probability &probability);
// The value, or "0.1 .. 0.35" if it is only known to lie there.
std::string show(const Probability &probability);
// The same for numbers from float networks: no more digits than they have, so that equal numbers look equal.
// Four decimals, or two significant digits where four decimals would all be zero.
std::string show_float(double value);
std::string show_float(const Probability &probability);
// "(log -71.2)" for a probability so small that its logarithm is easier to read, otherwise empty.
std::string show_small_log(const Probability &probability);
// "0.012 s".
std::string show_seconds(double seconds);
// "1 model", "2 models".
std::string show_count(std::uint64_t count, const std::string &singular);

} // namespace neurasp::cli
