// Ids of observations, and the prepared observations themselves.
#include "training/observation_table.hpp"

#include "base/assert.hpp"

#include <cstdint>
#include <utility>

namespace neurasp::training {

ObservationId ObservationTable::id_of(const std::string &text) {
    const ObservationId next{static_cast<std::uint32_t>(ids_.size())};
    return ids_.try_emplace(text, next).first->second;
}

const Prepared *ObservationTable::find(ObservationId id) const noexcept {
    return id.value < entries_.size() ? entries_[id.value].prepared.get() : nullptr;
}

void ObservationTable::put(ObservationId id, Entry entry) {
    if (entries_.size() <= id.value) entries_.resize(id.value + std::size_t{1});
    NEURASP_ASSERT(!entries_[id.value].prepared, "what is prepared never changes");
    entries_[id.value] = std::move(entry);
}

} // namespace neurasp::training
