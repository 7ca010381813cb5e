// The cost rule of families.
//
// Let D observations of one kind wait, and let each take the work c on its own (measured on the first few, in counted
// units). A family is tried if D is at least 16, with the work D * c / 2: if it fails, the whole has cost at most one and
// a half times as much as without it. Half of that work is for the compiler, half for listing models. Work is counted in
// steps of the compiler, models that clasp lists, and rules that are ground; a step is about 0.3 us on the machines of
// 2025. The clock would be more precise, but a busy machine must not change a circuit, since other circuits round
// differently.
//
// After a failure, the kind is tried again when four times as many observations wait: the work allowed grows with D, that of
// the family mostly does not.
//
// Observations that come later and have only known parts join a family that is there, whether they were noted or not. Others
// wait for the next family of their kind.
#include "training/family_planner.hpp"

#include <algorithm>

namespace neurasp::training {

namespace {

constexpr std::size_t fewest_members = 16;
constexpr std::uint64_t samples_wanted = 2;
constexpr std::size_t more_after_failure = 4;
constexpr std::uint64_t work_per_model = 200;
constexpr std::uint64_t most_listed = 50'000;

} // namespace

std::uint64_t work_of(const CircuitStatistics &statistics, std::size_t grounded_rules) {
    constexpr std::uint64_t least = 500;  // reading, and a part for clingo
    constexpr std::uint64_t per_rule = 6; // to ground it, and to load it into clasp
    return least + statistics.steps + per_rule * grounded_rules;
}

void FamilyPlanner::note(const PartedObservation &observation, const std::string &name) {
    Kind &kind = kinds_[observation.kind];
    if (!kind.known.emplace(observation.constraints, observation.facts).second) return;
    kind.waiting.observations.push_back(observation);
    kind.waiting.names.push_back(name);
}

FamilyPlanner::Found FamilyPlanner::find(const PartedObservation &observation) const {
    const auto kind = kinds_.find(observation.kind);
    if (kind == kinds_.end()) return {};
    for (const auto &family : kind->second.families) {
        if (auto place = family->find(observation)) return {family.get(), std::move(*place)};
    }
    return {};
}

std::size_t FamilyPlanner::least_members(const Kind &kind) const {
    return std::max(use_ == FamilyUse::always ? std::size_t{2} : fewest_members, kind.next_try);
}

inference::FamilyEffort FamilyPlanner::effort(const Kind &kind) const {
    if (use_ == FamilyUse::always) return {most_listed, ~std::uint64_t{0}};
    if (kind.samples == 0) return {};
    const std::uint64_t work = kind.waiting.observations.size() * (kind.work / kind.samples) / 4;
    return {std::min(work / work_per_model, most_listed), work};
}

bool FamilyPlanner::wants_samples(std::uint32_t number) const {
    const auto kind = kinds_.find(number);
    return use_ == FamilyUse::automatic && kind != kinds_.end() &&
           kind->second.waiting.observations.size() >= least_members(kind->second) &&
           kind->second.samples < samples_wanted;
}

void FamilyPlanner::add_sample(std::uint32_t number, std::uint64_t work) {
    Kind &kind = kinds_[number];
    if (kind.samples == samples_wanted) return;
    ++kind.samples;
    kind.work += work;
}

Family *FamilyPlanner::grow(std::uint32_t number, const FamilyContext &context,
                            const Limits &limits, base::Budget &budget) {
    Kind &kind = kinds_[number];
    const std::size_t members = kind.waiting.observations.size();
    if (use_ == FamilyUse::never || members < least_members(kind)) return nullptr;
    const inference::FamilyEffort granted = effort(kind);
    if (granted.steps == 0) return nullptr;
    Family::Made made = Family::make(context, kind.waiting, granted, limits, budget);
    if (!made.family) {
        if (!made.refusal.interrupted) kind.next_try = members * more_after_failure;
        return nullptr;
    }
    kind.next_try = 0;
    kind.waiting = {};
    kind.families.push_back(std::move(made.family));
    return kind.families.back().get();
}

} // namespace neurasp::training
