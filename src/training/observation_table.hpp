// All observations of a training program, by id.
#pragma once

#include "training/prepared.hpp"
#include "training/text_key.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
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
    // The greatest outcome of a slot that the table can keep.
    static constexpr std::uint32_t most_given = std::numeric_limits<std::uint16_t>::max();

    // The id of a text; new texts get the next one.
    ObservationId id_of(std::string_view text);
    // Null if the observation is not prepared.
    const Prepared *find(ObservationId id) const noexcept;
    // Requires: the observation is prepared.
    std::span<const std::uint16_t> given(ObservationId id) const;
    // Requires: no outcome is greater than most_given.
    void put(ObservationId id, Entry entry);

  private:
    struct Row {
        std::shared_ptr<const Prepared> prepared;
        std::uint32_t given = 0; // index of the first one
        std::uint32_t slots = 0;
    };
    std::unordered_map<TextKey, ObservationId, TextKeyHash> ids_;
    std::vector<Row> rows_; // by id
    std::vector<std::uint16_t> given_;
};

} // namespace neurasp::training
