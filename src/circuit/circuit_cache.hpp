// Circuits in memory, up to a number of bytes; those used longest ago go first.
//
// Invariants: every entry is in the index under its key, and nothing else is; together the entries take no
// more bytes than allowed; none is empty.
#pragma once

#include "circuit/circuit.hpp"
#include "circuit/circuit_key.hpp"

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>

namespace neurasp::circuit {

// About how much memory a circuit takes.
std::size_t memory_of(const Circuit &circuit);

// For any number of threads.
class CircuitCache {
  public:
    explicit CircuitCache(std::size_t byte_limit) : limit_(byte_limit) {}

    // Null if it is not there.
    std::shared_ptr<const Circuit> find(const CircuitKey &key);
    // Replaces what the key had. A circuit larger than the whole cache is not kept.
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
    mutable std::mutex mutex_; // over all that follows
    Entries entries_;          // the last used first
    std::map<CircuitKey, Entries::iterator> index_;
    std::size_t bytes_ = 0;
};

} // namespace neurasp::circuit
