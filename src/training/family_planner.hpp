// Decides which observations are prepared as families, and keeps the families.
//
// Invariant: decisions depend on the observations and on counted work, never on the clock, so that a resumed run gets
// the same circuits.
#pragma once

#include "training/family.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace neurasp::training {

class FamilyPlanner {
  public:
    explicit FamilyPlanner(FamilyUse use) : use_(use) {}

    // Takes the text of an observation apart; nothing if it can only be prepared on its own.
    std::optional<PartedObservation> take_apart(const std::string &text) {
        return parts_.take_apart(text);
    }
    const inference::PartTable &parts() const noexcept { return parts_; }

    // An observation that is to be prepared, now or later.
    void note(const PartedObservation &observation, const std::string &name);

    // The family that an observation belongs to, with its place there; null if there is none.
    struct Found {
        Family *family = nullptr;
        FamilySlots::Place place;
    };
    Found find(const PartedObservation &observation) const;

    // Kinds are given by their number. Whether a family of a kind is worth a try, but it is not known yet what an observation on its own costs.
    bool wants_samples(std::uint32_t number) const;
    // The counted work that an observation of the kind took on its own.
    void add_sample(std::uint32_t number, std::uint64_t work);

    // Makes a family of the noted observations that belong to none, if that is likely to pay. Null if there is none.
    Family *grow(std::uint32_t number, const FamilyContext &context, const Limits &limits,
                 base::Budget &budget);

  private:
    struct Kind {
        std::vector<std::unique_ptr<Family>> families;
        FamilyMembers waiting; // noted, and in no family when they were
        std::set<std::pair<std::vector<PartId>, std::vector<PartId>>> known;
        std::uint64_t samples = 0;
        std::uint64_t work = 0;   // of all samples
        std::size_t next_try = 0; // a family is tried again with this many waiting
    };
    std::size_t least_members(const Kind &kind) const;
    inference::FamilyEffort effort(const Kind &kind) const;

    FamilyUse use_;
    inference::PartTable parts_;
    std::map<std::uint32_t, Kind> kinds_;
};

// The work of preparing one observation on its own, in steps of the compiler.
std::uint64_t work_of(const CircuitStatistics &statistics, std::size_t grounded_rules);

} // namespace neurasp::training
