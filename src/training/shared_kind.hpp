// The statements of many observations of one kind, grounded once.
//
// A family's circuit is made from such a grounding (family.hpp). Without that circuit, each observation still needs no grounding
// of its own.
#pragma once

#include "inference/part_table.hpp"
#include "inference/shared_grounding.hpp"
#include "neurasp/training.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace neurasp::training {

using inference::PartedObservation;
using inference::PartId;

// The observations that a grounding is made for, each once.
struct KindMembers {
    std::vector<PartedObservation> observations;
    std::vector<std::string> names; // for diagnostics
};

// The parts of a training program that sharing needs.
struct SharingContext {
    const Program &program;
    const inference::PartTable &parts;
    std::shared_ptr<inference::CircuitLibrary> library;
    const TrainingOptions &options;
    std::size_t program_rules = 0; // ground, without observations
};

class SharedKind {
  public:
    static constexpr std::uint32_t no_statement = ~std::uint32_t{0};

    // Why nothing is shared.
    struct Refusal {
        std::string reason;
        bool interrupted = false; // the caller's limits ended the work, so it may be tried again
    };
    struct Made {
        std::shared_ptr<SharedKind> kind; // null if there is none
        Refusal refusal;
    };
    // Throws nothing that a wrong observation causes: then nothing is shared, and the mistake is reported when the
    // observation is prepared on its own.
    static Made make(const SharingContext &context, const KindMembers &members,
                     const Limits &limits, base::Budget &budget);

    inference::SharedGrounding &grounding() noexcept { return *grounding_; }
    const inference::FamilyGrounding &family() const noexcept { return grounding_->family(); }
    // About all observations together: only its warnings and random variables mean something.
    const Question &question() const noexcept { return grounding_->family().question; }
    const std::shared_ptr<const std::vector<RandomVariableInfo>> &variables() const noexcept {
        return variables_;
    }
    // The number of each statement, by part.
    const std::vector<std::uint32_t> &statement_of() const noexcept { return statement_of_; }
    // The statements of an observation, ascending; nothing if some are not in the grounding.
    std::optional<std::vector<std::uint32_t>> find(const PartedObservation &observation) const;
    std::size_t members() const noexcept { return members_; }
    // How many of them differ in more than statements that do not matter (inference::SharedGrounding).
    std::size_t different() const noexcept { return different_; }

  private:
    std::size_t count_different(const KindMembers &members) const;
    SharedKind(std::unique_ptr<inference::SharedGrounding> grounding,
               std::vector<std::uint32_t> statement_of, std::size_t members);

    std::unique_ptr<inference::SharedGrounding> grounding_;
    std::shared_ptr<const std::vector<RandomVariableInfo>> variables_;
    std::vector<std::uint32_t> statement_of_;
    std::size_t members_;
    std::size_t different_ = 0;
};

} // namespace neurasp::training
