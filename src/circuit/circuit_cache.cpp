// A cache of circuits in memory, with the least recently used ones dropped first.
//
// Entries form a list, the last used one in front, and an index maps keys to places in the list. find() moves an entry
// to the front (splice: no allocation), put() drops entries from the end until the new one fits. The limit is a number
// of bytes rather than of circuits, because circuits range from a few nodes to millions; memory_of() estimates them
// from their counts. Circuits are shared and never change, so a dropped one lives on for those that still use it.
//
// One mutex guards everything. It is held for a lookup in a map, never while a circuit is compiled. If two threads put a
// circuit under the same key, the last one stays; both are equal, byte for byte.
//
// Invariants. Every entry is in the index under its key, and nothing else is. The entries together take at most `limit_`
// bytes. No entry is null.
//
// Cost. Logarithmic in the number of entries.
#include "circuit/circuit_cache.hpp"

#include "base/assert.hpp"

#include <utility>

namespace neurasp::circuit {

std::size_t memory_of(const Circuit &circuit) {
    constexpr std::size_t per_node = sizeof(NodeKind) + 2 * sizeof(std::uint32_t);
    constexpr std::size_t per_constant =
        4 * sizeof(base::ScaledReal); // with its place in the index
    return sizeof(Circuit) + circuit.node_count() * per_node + circuit.edge_count() * sizeof(Edge) +
           (circuit.first_constant() + 2 * circuit.variable_count()) * sizeof(std::uint32_t) +
           circuit.constants().size() * per_constant;
}

std::shared_ptr<const Circuit> CircuitCache::find(const CircuitKey &key) {
    const std::scoped_lock lock(mutex_);
    const auto place = index_.find(key);
    if (place == index_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, place->second);
    return place->second->circuit;
}

void CircuitCache::put(const CircuitKey &key, std::shared_ptr<const Circuit> circuit) {
    NEURASP_ASSERT(circuit != nullptr, "no entry is empty");
    const std::size_t bytes = memory_of(*circuit);
    const std::scoped_lock lock(mutex_);
    if (const auto place = index_.find(key); place != index_.end()) remove(place->second);
    if (bytes > limit_) return;
    while (bytes_ + bytes > limit_) remove(std::prev(entries_.end()));
    entries_.push_front({key, std::move(circuit), bytes});
    index_[key] = entries_.begin();
    bytes_ += bytes;
    NEURASP_ASSERT(index_.size() == entries_.size(), "every entry is in the index");
    NEURASP_ASSERT(bytes_ <= limit_, "the entries take no more bytes than allowed");
}

void CircuitCache::remove(Entries::iterator entry) {
    bytes_ -= entry->bytes;
    index_.erase(entry->key);
    entries_.erase(entry);
}

std::size_t CircuitCache::size() const {
    const std::scoped_lock lock(mutex_);
    return entries_.size();
}

std::size_t CircuitCache::bytes() const {
    const std::scoped_lock lock(mutex_);
    return bytes_;
}

} // namespace neurasp::circuit
