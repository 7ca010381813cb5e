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
    return id.value < prepared_.size() ? prepared_[id.value].get() : nullptr;
}

void ObservationTable::put(ObservationId id, Prepared prepared) {
    if (prepared_.size() <= id.value) prepared_.resize(id.value + std::size_t{1});
    NEURASP_ASSERT(!prepared_[id.value], "what is prepared never changes");
    prepared_[id.value] = std::make_unique<const Prepared>(std::move(prepared));
}

} // namespace neurasp::training
