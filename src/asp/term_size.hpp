// How large ground terms are. clingo shares equal parts, so a term takes little memory however large it is;
// but whoever compares or prints one walks over all of it, and recurses as deep as it nests.
#pragma once

#include "asp/symbol.hpp"

#include <cstdint>
#include <unordered_map>

namespace neurasp::asp {

struct TermSize {
    std::uint32_t depth = 0; // 0: no arguments
    std::uint64_t nodes = 1;
};

// What a ground term may be at most.
inline constexpr TermSize largest_term{10'000, 1'000'000};

// Measures terms; each part is measured once.
class TermSizes {
  public:
    bool is_too_large(Symbol term);

  private:
    TermSize measure(Symbol term, std::uint32_t level);

    std::unordered_map<Symbol, TermSize> known_; // those with compound arguments
};

} // namespace neurasp::asp
