// A family: observations of one kind that share a grounding and a circuit.
//
// The circuit has the random variables and the slots of the family as variables. An observation of the family is prepared in
// one of two ways: its own circuit, conditioned from the family's, or the family's circuit itself, with the outcomes of the
// slots as numbers 0 and 1.
#pragma once

#include "circuit/conditioning.hpp"
#include "training/family_slots.hpp"
#include "training/observation_table.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neurasp::training {

// The observations that a family is made for, each once.
struct FamilyMembers {
    std::vector<PartedObservation> observations;
    std::vector<std::string> names; // for diagnostics
};

// The parts of a training program that a family needs.
struct FamilyContext {
    const Program &program;
    const inference::PartTable &parts;
    std::shared_ptr<inference::CircuitLibrary> library;
    const TrainingOptions &options;
};

class Family {
  public:
    // Why there is no family.
    struct Refusal {
        std::string reason;
        bool interrupted = false; // the caller's limits ended the work, so it may be tried again
    };
    struct Made {
        std::unique_ptr<Family> family; // null if there is none
        Refusal refusal;
    };
    // Throws nothing that a wrong observation causes: then there is no family, and the mistake is reported when the
    // observation is prepared on its own.
    static Made make(const FamilyContext &context, const FamilyMembers &members,
                     const inference::FamilyEffort &effort, const Limits &limits,
                     base::Budget &budget);

    // About all observations together: only its warnings and random variables mean something.
    const Question &question() const noexcept { return grounding_.question; }
    const std::vector<RandomVariableInfo> &variables() const noexcept { return variables_; }

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
    Family(inference::FamilyGrounding grounding, inference::FamilyRules rules, FamilySlots slots,
           inference::FamilyCircuit circuit, const TrainingOptions &options);

    void note_inputs();
    circuit::Circuit conditioned(const FamilySlots::Place &place);
    Prepared put(std::shared_ptr<const circuit::Circuit> circuit, bool with_slots) const;
    bool is_there(std::span<const std::uint32_t> statements, const FamilySlots::Place &place) const;

    inference::FamilyGrounding grounding_;
    inference::FamilyRules rules_;
    FamilySlots slots_;
    inference::FamilyCircuit circuit_;
    const TrainingOptions &options_;
    std::vector<RandomVariableInfo> variables_; // of the grounding
    std::vector<CircuitVariable> inputs_;       // the circuit's random variables
    std::vector<std::uint32_t> first_input_; // by variable of the grounding; 0: not in the circuit
    circuit::Conditioner conditioner_;
    std::vector<std::uint8_t> possible_; // by input; scratch, like costs_
    std::vector<std::int64_t> costs_;    // by input and level
    const Vocabulary *vocabulary_ = nullptr;
    std::shared_ptr<const Prepared>
        shared_; // for all observations, if they use the family's circuit itself
};

} // namespace neurasp::training
