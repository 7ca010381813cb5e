// Arithmetic of expected values, so that a test can show its computation: `0.3*0.6 + 0.5*0.1`.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace neurasp::conformance {

class ExpressionError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Evaluates `+ - * / ^`, parentheses, decimals, `log(x)`, `exp(x)`, `sqrt(x)` and `inf`.
// Throws: ExpressionError.
long double evaluate(std::string_view text);

} // namespace neurasp::conformance
