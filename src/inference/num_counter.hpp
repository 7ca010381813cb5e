// Num(C): how many stable models agree with a total choice.
#pragma once

#include "base/budget.hpp"
#include "inference/search_problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace neurasp::inference {

class NumCounter {
  public:
    NumCounter(const SearchProblem &problem, base::Budget &budget)
        : problem_(problem), budget_(budget) {}

    // Num of a choice that has a stable model. Counts at most `cap` models: the result `cap` means "at least
    // `cap`". Nothing if the budget ran out. Takes no search for determined problems.
    std::optional<std::uint64_t> count(const TotalChoice &choice, std::uint64_t cap = no_cap);

    static constexpr std::uint64_t no_cap = ~std::uint64_t{0};

  private:
    const SearchProblem &problem_;
    base::Budget &budget_;
    std::unordered_map<std::string, std::uint64_t> known_; // full counts only
};

} // namespace neurasp::inference
