// The cache of components: open addressing with linear probing.
//
// The idea. A search has one entry for each component that it has solved, millions in the end, and looks one up at
// every decision. An entry takes 24 bytes in one array: the fingerprint, which is its own hash (fingerprint.hpp), and the
// number of a node. At most three quarters of the slots are taken, so a lookup usually touches one or two cache lines, and
// nothing is allocated for an entry.
//
// Invariant. Every entry can be reached from its home slot without crossing a free one; erase() moves later entries
// of a run forward to keep it that way.
//
// Replacement. The cache only saves work: what was dropped is solved again, and gives the same node, because equal nodes
// are shared. So under a limit on memory, entries go that were not found since the last time, as a clock would choose
// them; if that is not enough, others in the order of their slots, which is that of
// their fingerprints. Nothing depends on addresses or on time.
#include "circuit/component_cache.hpp"

#include "base/assert.hpp"

#include <utility>

namespace neurasp::circuit {

std::size_t ComponentCache::place_of(const Fingerprint &key) const noexcept {
    std::size_t place = home_of(key);
    while (slots_[place].value != free_slot && !(slots_[place].key == key)) {
        place = (place + 1) & (slots_.size() - 1);
    }
    return place;
}

std::optional<std::uint32_t> ComponentCache::find(const Fingerprint &key) {
    if (size_ == 0) return std::nullopt;
    Slot &slot = slots_[place_of(key)];
    if (slot.value == free_slot) return std::nullopt;
    slot.value |= was_found;
    return slot.value & ~was_found;
}

void ComponentCache::insert(const Fingerprint &key, std::uint32_t value) {
    NEURASP_ASSERT(value <= largest_value, "values leave room for the marks of a slot");
    constexpr std::size_t first_slots = 64;
    if (4 * (size_ + 1) > 3 * slots_.size()) {
        resize(slots_.empty() ? first_slots : 2 * slots_.size());
    }
    Slot &slot = slots_[place_of(key)];
    if (slot.value == free_slot) ++size_;
    slot = {key, value};
}

void ComponentCache::erase(const Fingerprint &key) {
    if (size_ == 0) return;
    const std::size_t mask = slots_.size() - 1;
    std::size_t hole = place_of(key);
    if (slots_[hole].value == free_slot) return;
    --size_;
    // an entry may fill the hole unless its home is between the hole and where it is
    for (std::size_t next = (hole + 1) & mask; slots_[next].value != free_slot;
         next = (next + 1) & mask) {
        const std::size_t home = home_of(slots_[next].key);
        if (((next - home) & mask) < ((next - hole) & mask)) continue;
        slots_[hole] = slots_[next];
        hole = next;
    }
    slots_[hole].value = free_slot;
}

void ComponentCache::resize(std::size_t slots) {
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
    for (const Slot &slot : old) {
        if (slot.value != free_slot) slots_[place_of(slot.key)] = slot;
    }
}

void ComponentCache::shrink(std::size_t most) {
    if (size_ <= most) return;
    std::vector<Slot> found;
    std::vector<Slot> others;
    for (const Slot &slot : slots_) {
        if (slot.value == free_slot) continue;
        (slot.value >= was_found ? found : others).push_back({slot.key, slot.value & ~was_found});
    }
    if (found.size() > most) found.resize(most);
    if (others.size() > most - found.size()) others.resize(most - found.size());
    slots_.assign(slots_.size(), {});
    size_ = found.size() + others.size();
    for (const auto *kept : {&found, &others}) {
        for (const Slot &slot : *kept) slots_[place_of(slot.key)] = slot;
    }
}

} // namespace neurasp::circuit
