// Circuits in memory, up to a number of bytes; the least recently used ones are dropped first.
//
// Invariants: every entry is in the index under its key, and nothing else is; the entries together take no
// more bytes than allowed; no entry is null.
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/circuit_key.hpp"

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace neurasp::circuit {

// An estimate of the memory that a circuit takes, in bytes.
std::size_t memory_of(const Circuit &circuit);

// For any number of threads.
class CircuitCache {
  public:
    explicit CircuitCache(std::size_t byte_limit) : limit_(byte_limit) {}

    // Null if there is no entry.
    std::shared_ptr<const Circuit> find(const CircuitKey &key);
    // Replaces the entry of the key. A circuit that is larger than the whole cache is not kept.
    void put(const CircuitKey &key, std::shared_ptr<const Circuit> circuit);

    std::size_t size() const;
    std::size_t bytes() const;

  private:
    struct Entry {
        CircuitKey key;
        std::shared_ptr<const Circuit> circuit;
        std::size_t bytes = 0;
    };
    using Entries = std::list<Entry>;
    void remove(Entries::iterator entry);

    std::size_t limit_;
    mutable std::mutex mutex_; // guards the members below
    Entries entries_;          // most recently used first
    std::map<CircuitKey, Entries::iterator> index_;
    std::size_t bytes_ = 0;
};

} // namespace neurasp::circuit
