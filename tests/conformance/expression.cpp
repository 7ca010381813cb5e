// A parser for arithmetic expressions that evaluates as it reads.
#include "expression.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace neurasp::conformance {

namespace {

// Recursive descent, one function per precedence level.
class Evaluator {
  public:
    explicit Evaluator(std::string_view text) : text_(text) {}

    long double run() {
        const long double value = sum();
        skip_space();
        if (position_ != text_.size()) fail("unexpected text");
        return value;
    }

  private:
    [[noreturn]] void fail(const std::string &what) const {
        throw ExpressionError(what + " at '" + text_.substr(position_) + "' in '" + text_ + "'");
    }

    void skip_space() {
        while (position_ < text_.size() &&
               std::isspace(static_cast<unsigned char>(text_[position_])) != 0)
            ++position_;
    }

    bool accept(char character) {
        skip_space();
        if (position_ >= text_.size() || text_[position_] != character) return false;
        ++position_;
        return true;
    }

    bool accept_word(std::string_view word) {
        skip_space();
        if (text_.compare(position_, word.size(), word) != 0) return false;
        position_ += word.size();
        return true;
    }

    long double sum() {
        long double value = product();
        while (true) {
            if (accept('+'))
                value += product();
            else if (accept('-'))
                value -= product();
            else
                return value;
        }
    }

    long double product() {
        long double value = sign();
        while (true) {
            if (accept('*'))
                value *= sign();
            else if (accept('/'))
                value /= sign();
            else
                return value;
        }
    }

    long double sign() { return accept('-') ? -sign() : power(); }

    long double power() {
        const long double base = primary();
        return accept('^') ? std::pow(base, sign()) : base;
    }

    long double argument() {
        const long double value = sum();
        if (!accept(')')) fail("missing ')'");
        return value;
    }

    long double primary() {
        if (accept('(')) return argument();
        if (accept_word("log(")) return std::log(argument());
        if (accept_word("exp(")) return std::exp(argument());
        if (accept_word("sqrt(")) return std::sqrt(argument());
        if (accept_word("inf")) return std::numeric_limits<long double>::infinity();
        return number();
    }

    long double number() {
        skip_space();
        const bool digit = position_ < text_.size() &&
                           (std::isdigit(static_cast<unsigned char>(text_[position_])) != 0 ||
                            text_[position_] == '.');
        if (!digit) fail("a number is expected");
        char *end = nullptr;
        const char *begin = text_.c_str() + position_;
        const long double value = std::strtold(begin, &end);
        if (end == begin) fail("a number is expected");
        position_ += static_cast<std::size_t>(end - begin);
        return value;
    }

    std::string text_;
    std::size_t position_ = 0;
};

} // namespace

long double evaluate(std::string_view text) { return Evaluator(text).run(); }

} // namespace neurasp::conformance
