// The results of components that the search has solved, by their keys.
#pragma once

#include "circuit/fingerprint.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace neurasp::circuit {

// A hash table with a number of at most `largest_value` for each key.
class ComponentCache {
  public:
    static constexpr std::uint32_t largest_value = 0x7ffffffdU;

    std::optional<std::uint32_t> find(const Fingerprint &key);
    // Replaces the value of a key that is known.
    void insert(const Fingerprint &key, std::uint32_t value);
    // Does nothing if the key is not known.
    void erase(const Fingerprint &key);
    // Drops entries until at most `most` are left: first those that were not found since the last call.
    void shrink(std::size_t most);

    std::size_t size() const noexcept { return size_; }
    std::size_t bytes() const noexcept { return slots_.size() * sizeof(Slot); }

  private:
    static constexpr std::uint32_t free_slot = 0x7fffffffU;
    static constexpr std::uint32_t was_found = 0x80000000U; // a mark in `value`

    struct Slot {
        Fingerprint key;
        std::uint32_t value = free_slot;
    };

    std::size_t home_of(const Fingerprint &key) const noexcept {
        return static_cast<std::size_t>(key.low) & (slots_.size() - 1);
    }
    // Where the key is, or the free slot where it would be. Requires: there is a free slot.
    std::size_t place_of(const Fingerprint &key) const noexcept;
    void resize(std::size_t slots);

    std::vector<Slot> slots_; // as many as a power of two, or none
    std::size_t size_ = 0;
};

} // namespace neurasp::circuit
