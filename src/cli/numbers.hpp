// Numbers as people read them; JSON has its own (json.hpp), with all digits.
#pragma once

#include "neurasp/answers.hpp"

#include <string>

namespace neurasp::cli {

// Eight significant digits.
std::string show(double value);
// As above; also right where the value underflows ("1.2e-412").
std::string show(const Probability &probability);
// The number, or "0.1 .. 0.35" if it is only known to lie there.
std::string show(const Interval &interval);
// "(log -71.2)" for a probability so small that its logarithm says more, else nothing.
std::string show_small_log(const Probability &probability);
// "0.012 s".
std::string show_seconds(double seconds);
// "1 model", "2 models".
std::string show_count(std::uint64_t count, const std::string &singular);

} // namespace neurasp::cli
