// The slots of a family: how the parts that differ between its observations become variables of one circuit.
#pragma once

#include "inference/family_circuit.hpp"
#include "inference/part_table.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace neurasp::training {

using inference::PartedObservation;
using inference::PartId;

class FamilySlots {
  public:
    // `statement_of`: the number of each part in the family, by part; `decides`: by number, whether the part must be a
    // variable. Requires: all observations are of one kind.
    FamilySlots(std::span<const PartedObservation> observations, const inference::PartTable &parts,
                std::vector<std::uint32_t> statement_of, std::vector<bool> decides);

    static constexpr std::uint32_t no_statement = ~std::uint32_t{0};

    const std::vector<inference::FamilySlot> &list() const noexcept { return slots_; }

    struct Place {
        std::vector<std::uint32_t> outcomes;   // of each slot
        std::vector<std::uint32_t> statements; // all that are there, ascending
    };
    // Nothing if the observation does not belong to the family.
    std::optional<Place> find(const PartedObservation &observation) const;

  private:
    // Where a slot's statements come from.
    struct Source {
        enum class Kind {
            constraint, // the constraint at position `index`
            facts,      // all facts of one form
            fact,       // the fact at position `index` among those of one form
            single,     // whether the fact with number `index` is there
        };
        Kind kind = Kind::constraint;
        std::uint32_t form = 0;
        std::uint32_t index = 0;
        std::map<std::vector<std::uint32_t>, std::uint32_t> outcome_of; // by statements
    };
    // The numbers of the facts that decide something, by form.
    using Facts = std::map<std::uint32_t, std::vector<std::uint32_t>>;

    Facts facts_of(const PartedObservation &observation) const;
    std::vector<std::uint32_t> value_of(const Source &source, const PartedObservation &observation,
                                        const Facts &facts) const;
    void add_constraint_slots(std::span<const PartedObservation> observations);
    void add_fact_slots(std::span<const PartedObservation> observations);
    void add_slot(Source source, std::span<const PartedObservation> observations,
                  std::span<const Facts> facts);
    bool is_known(PartId part) const {
        return part < statement_of_.size() && statement_of_[part] != no_statement;
    }

    const inference::PartTable &parts_;
    std::vector<std::uint32_t> statement_of_; // by part
    std::vector<bool> decides_;               // by statement
    std::vector<Source> sources_;
    std::vector<inference::FamilySlot> slots_;
};

} // namespace neurasp::training
