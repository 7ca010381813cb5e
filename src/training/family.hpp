// A family: observations of one kind that share a grounding and a circuit.
//
// The circuit has the random variables and the slots of the family as variables. An observation of the family is prepared in
// one of two ways: its own circuit, conditioned from the family's, or the family's circuit itself, with the outcomes of the
// slots as numbers 0 and 1.
#pragma once

#include "circuit/conditioning.hpp"
#include "training/family_slots.hpp"
#include "training/observation_table.hpp"
#include "training/shared_kind.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neurasp::training {

class Family {
  public:
    struct Made {
        std::unique_ptr<Family> family; // null if there is none
        SharedKind::Refusal refusal;
    };
    // Requires: `kind` was made for these members.
    static Made make(const SharingContext &context, std::shared_ptr<SharedKind> kind,
                     const KindMembers &members, const inference::FamilyEffort &effort,
                     const Limits &limits, base::Budget &budget);

    // Called once, when the vocabulary knows the variables.
    void meet(const Vocabulary &vocabulary);
    // Whether observations use the family's circuit itself.
    bool direct() const noexcept { return shared_ != nullptr; }
    std::size_t edges() const noexcept { return circuit_.circuit->edge_count(); }

    // Nothing if the observation does not belong to the family.
    std::optional<FamilySlots::Place> find(const PartedObservation &observation) const {
        return slots_.find(observation);
    }
    ObservationTable::Entry prepare(const FamilySlots::Place &place);

  private:
    Family(std::shared_ptr<SharedKind> kind, inference::FamilyRules rules, FamilySlots slots,
           inference::FamilyCircuit circuit, const TrainingOptions &options);

    void note_inputs();
    circuit::Circuit impossible() const;
    circuit::Circuit conditioned(const FamilySlots::Place &place);
    Prepared put(std::shared_ptr<const circuit::Circuit> circuit, bool with_slots) const;
    bool is_there(std::span<const std::uint32_t> statements, const FamilySlots::Place &place) const;

    std::shared_ptr<SharedKind> kind_;
    inference::FamilyRules rules_;
    FamilySlots slots_;
    inference::FamilyCircuit circuit_;
    const TrainingOptions &options_;
    std::vector<CircuitVariable> inputs_;    // the circuit's random variables
    std::vector<std::uint32_t> first_input_; // by variable of the grounding; 0: not in the circuit
    circuit::Conditioner conditioner_;
    std::vector<std::uint8_t> possible_; // by input; scratch, like costs_
    std::vector<std::int64_t> costs_;    // by input and level
    const Vocabulary *vocabulary_ = nullptr;
    std::shared_ptr<const Prepared>
        shared_; // for all observations, if they use the family's circuit itself
};

} // namespace neurasp::training
