// Decides which observations share a grounding, and which of these a circuit, and keeps what they share.
//
// Invariant: decisions depend on the observations and on counted work, never on the clock, so that a resumed run gets
// the same circuits.
#pragma once

#include "training/family.hpp"
#include "training/text_key.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
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
    // The grounding that an observation shares without a family, with its statements there; null if there is none.
    struct Shared {
        std::shared_ptr<SharedKind> kind;
        std::vector<std::uint32_t> statements;
    };
    Shared find_shared(const PartedObservation &observation) const;

    // Kinds are given by their number. Grounds the noted observations that belong to no family, if they are enough. Null if
    // they are not, or are grounded already, or cannot share a grounding.
    SharedKind *share(std::uint32_t number, const SharingContext &context, const Limits &limits,
                      base::Budget &budget);
    // Whether a family is worth a try, but it is not known yet what an observation takes without it.
    bool wants_samples(std::uint32_t number) const;
    // The work of searching in the grounding that the kind shares, as counted by asp::Solver.
    std::uint64_t fixpoints(std::uint32_t number) const;
    // Notes the work that an observation of the kind took without a family. `fixpoints_before`: the result of the function
    // above before that.
    void add_sample(std::uint32_t number, const Compilation &made, std::uint64_t fixpoints_before);
    // Makes a family of the observations that share a grounding, if that is likely to pay. Null if there is none.
    Family *grow(std::uint32_t number, const SharingContext &context, const Limits &limits,
                 base::Budget &budget);
    // Why the last attempt to share something failed; empty if none did.
    const std::string &refusal(std::uint32_t number) const;

  private:
    struct Kind {
        std::vector<std::unique_ptr<Family>> families;
        KindMembers waiting;                            // noted, and in no family when they were
        std::unordered_set<TextKey, TextKeyHash> known; // all that were noted, by their parts
        std::shared_ptr<SharedKind> shared;             // of those that were waiting then
        std::size_t next_share = 0;                     // grounded again with this many waiting
        std::uint64_t samples = 0;
        std::uint64_t work = 0;   // of all samples
        std::size_t next_try = 0; // a family is tried again with this many waiting
        std::string refusal;
    };
    std::size_t least_members() const;
    bool may_grow(const Kind &kind) const;
    inference::FamilyEffort effort(const Kind &kind) const;
    void keep(std::uint32_t number, std::shared_ptr<SharedKind> shared);

    FamilyUse use_;
    inference::PartTable parts_;
    std::map<std::uint32_t, Kind> kinds_;
    std::deque<std::uint32_t> sharing_; // kinds with a grounding and without a family, oldest first
};

} // namespace neurasp::training
