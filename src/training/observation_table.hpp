// All observations of a training program, by id.
#pragma once

#include "training/prepared.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace neurasp::training {

// Invariants: an id belongs to one text forever; a prepared observation never changes, because runs may be reading it.
class ObservationTable {
  public:
    struct Entry {
        std::shared_ptr<const Prepared>
            prepared; // null if it is not prepared; observations of a family may share one
        std::vector<std::uint32_t>
            given; // the outcomes of the family's slots, if its circuit is shared
    };
    // The id of a text; new texts get the next one.
    ObservationId id_of(const std::string &text);
    // Null if the observation is not prepared.
    const Prepared *find(ObservationId id) const noexcept;
    // Requires: the observation is prepared.
    std::span<const std::uint32_t> given(ObservationId id) const {
        return entries_[id.value].given;
    }
    void put(ObservationId id, Entry entry);

  private:
    std::map<std::string, ObservationId, std::less<>> ids_;
    std::vector<Entry> entries_; // by id
};

} // namespace neurasp::training
