// All observations of a training program, by id.
#pragma once

#include "training/prepared.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace neurasp::training {

// Invariants: an id belongs to one text forever; a prepared observation never changes, because runs may be reading it.
class ObservationTable {
  public:
    // The id of a text; new texts get the next one.
    ObservationId id_of(const std::string &text);
    // Null if the observation is not prepared.
    const Prepared *find(ObservationId id) const noexcept;
    void put(ObservationId id, Prepared prepared);

  private:
    std::map<std::string, ObservationId, std::less<>> ids_;
    std::vector<std::unique_ptr<const Prepared>> prepared_; // by id
};

} // namespace neurasp::training
