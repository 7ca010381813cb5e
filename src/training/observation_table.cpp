// Ids of observations, and the prepared observations themselves.
//
// Memory. Of an observation of a family whose circuit is used directly, all that is kept is a key, a row and two bytes for each
// slot, whatever the length of its text: about 100 bytes for the sum of two 15-digit numbers.
#include "training/observation_table.hpp"

#include "base/assert.hpp"

#include <utility>

namespace neurasp::training {

ObservationId ObservationTable::id_of(std::string_view text) {
    const ObservationId next{static_cast<std::uint32_t>(ids_.size())};
    return ids_.try_emplace(key_of(text), next).first->second;
}

const Prepared *ObservationTable::find(ObservationId id) const noexcept {
    return id.value < rows_.size() ? rows_[id.value].prepared.get() : nullptr;
}

std::span<const std::uint16_t> ObservationTable::given(ObservationId id) const {
    const Row &row = rows_[id.value];
    return std::span(given_).subspan(row.given, row.slots);
}

void ObservationTable::put(ObservationId id, Entry entry) {
    if (rows_.size() <= id.value) rows_.resize(id.value + std::size_t{1});
    NEURASP_ASSERT(!rows_[id.value].prepared, "what is prepared never changes");
    rows_[id.value] = {std::move(entry.prepared), static_cast<std::uint32_t>(given_.size()),
                       static_cast<std::uint32_t>(entry.given.size())};
    for (const std::uint32_t outcome : entry.given) {
        NEURASP_ASSERT(outcome <= most_given, "an outcome of a slot fits into the table");
        given_.push_back(static_cast<std::uint16_t>(outcome));
    }
}

} // namespace neurasp::training
