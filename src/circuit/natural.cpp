// Natural numbers in limbs of nine decimal digits, with schoolbook multiplication.
#include "circuit/natural.hpp"

#include <algorithm>

namespace neurasp::circuit {

namespace {

constexpr std::uint64_t base_of_limbs = 1'000'000'000;
constexpr std::size_t digits_of_limb = 9;

} // namespace

Natural::Natural(std::uint64_t value) {
    for (; value > 0; value /= base_of_limbs) {
        limbs_.push_back(static_cast<std::uint32_t>(value % base_of_limbs));
    }
}

std::string Natural::to_string() const {
    if (is_zero()) return "0";
    std::string text = std::to_string(limbs_.back());
    for (std::size_t i = limbs_.size() - 1; i-- > 0;) {
        const std::string digits = std::to_string(limbs_[i]);
        text.append(digits_of_limb - digits.size(), '0');
        text += digits;
    }
    return text;
}

base::ScaledReal Natural::to_scaled_real() const {
    base::ScaledReal result;
    const base::ScaledReal base(static_cast<long double>(base_of_limbs));
    for (std::size_t i = limbs_.size(); i-- > 0;) {
        result = result * base + base::ScaledReal(static_cast<long double>(limbs_[i]));
    }
    return result;
}

Natural &Natural::operator+=(const Natural &other) {
    limbs_.resize(std::max(limbs_.size(), other.limbs_.size()) + 1, 0);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
        carry += std::uint64_t{limbs_[i]} + (i < other.limbs_.size() ? other.limbs_[i] : 0);
        limbs_[i] = static_cast<std::uint32_t>(carry % base_of_limbs);
        carry /= base_of_limbs;
    }
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
    return *this;
}

Natural operator*(const Natural &a, const Natural &b) {
    Natural result;
    result.limbs_.assign(a.limbs_.size() + b.limbs_.size(), 0);
    for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
        std::uint64_t carry = 0;
        for (std::size_t j = 0; j < b.limbs_.size() || carry > 0; ++j) {
            const std::uint64_t factor = j < b.limbs_.size() ? b.limbs_[j] : 0;
            carry += result.limbs_[i + j] + a.limbs_[i] * factor; // below 2^63
            result.limbs_[i + j] = static_cast<std::uint32_t>(carry % base_of_limbs);
            carry /= base_of_limbs;
        }
    }
    while (!result.limbs_.empty() && result.limbs_.back() == 0) result.limbs_.pop_back();
    return result;
}

} // namespace neurasp::circuit
