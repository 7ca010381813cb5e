// Observations as sets of parts: the facts and constraints of all observations, each read once and numbered.
//
// The observations of a data set are made of few distinct statements. Those with constraints of the same forms, in the same
// order, are of one kind, and may be prepared as a family (training/family.hpp).
#pragma once

#include "language/observation_parts.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace neurasp::inference {

using PartId = std::uint32_t;

struct PartedObservation {
    std::uint32_t kind = 0;
    std::vector<PartId> constraints; // in the order of the text
    std::vector<PartId> facts;       // ascending, each once
};

class PartTable {
  public:
    // Nothing if the text has anything but facts and constraints, or a mistake. Cost: linear in its length, for
    // statements that were seen before.
    std::optional<PartedObservation> take_apart(std::string_view text);

    const language::ObservationPart &part(PartId id) const { return parts_[id]; }
    // Equal for parts of the same form.
    std::uint32_t form(PartId id) const { return form_of_[id]; }
    std::size_t size() const noexcept { return parts_.size(); }

  private:
    const std::optional<std::vector<PartId>> &parts_of(std::string_view statement);

    // A hash that finds texts without making a string of them.
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };
    std::vector<language::ObservationPart> parts_;
    std::vector<std::uint32_t> form_of_; // by part
    std::map<std::string, PartId> ids_;  // by text
    // By statement as it was written.
    std::unordered_map<std::string, std::optional<std::vector<PartId>>, TextHash, std::equal_to<>>
        statements_;
    std::map<std::string, std::uint32_t> forms_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> kinds_; // by the forms of the constraints
};

} // namespace neurasp::inference
