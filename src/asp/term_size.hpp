// The size of ground terms. clingo shares equal parts, so even a huge term takes little memory; but comparing or
// printing it visits every part and recurses as deep as it nests.
#pragma once

#include "asp/symbol.hpp"

#include <cstdint>
#include <unordered_map>

namespace neurasp::asp {

struct TermSize {
    std::uint32_t depth = 0; // 0 without arguments
    std::uint64_t nodes = 1;
};

// The largest ground term that is allowed.
inline constexpr TermSize largest_term{10'000, 1'000'000};

// Measures terms; each part is measured once.
class TermSizes {
  public:
    bool is_too_large(Symbol term);

  private:
    TermSize measure(Symbol term, std::uint32_t level);

    std::unordered_map<Symbol, TermSize> known_; // of terms with compound arguments
};

} // namespace neurasp::asp
