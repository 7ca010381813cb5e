// The cost rule of families.
//
// Three ways. A family has one circuit for all its observations; without one, they can still share a grounding, in which each
// is drafted and compiled (inference/shared_grounding.hpp); and each can be grounded on its own. The first is the fastest
// for an observation, but its circuit may cost more than it saves, or be out of reach. The second costs one grounding, about as
// much as two observations on their own, so it is taken whenever 16 observations of a kind wait and it is possible.
//
// The rule. Let D observations of one kind wait that differ in more than facts which no rule asks for, and let each take
// the work c without a family (measured on the first few, in counted units). A family is tried with the work D * c / 4 for
// the compiler and D * c / 2 for a list of models, which is given up as soon as it can be foreseen to be longer. If both
// fail, the whole has cost at most one and three quarters as much as without the attempt. Work is counted in steps of the
// compiler, fixpoints of clasp, models that it lists, and rules that are read; a step is about 0.3 us on the machines of
// 2025. To begin with, all rules are translated and their atoms ordered, which takes about as long as 50 steps for each; a
// family that is granted less than that is not tried. The clock would be more precise, but a busy machine must not change a
// circuit, since other circuits round differently.
//
// After a failure, the kind is tried again when four times as many observations wait: the work allowed grows with D, that of
// the family mostly does not. They are grounded again when twice as many wait.
//
// Observations that come later and have only known parts join a family or share a grounding that is there, whether they were
// noted or not. Others wait for the next one of their kind.
//
// Memory. A grounding that is shared without a family keeps its rules and a solver. Data sets may have many kinds (Sudokus: one
// for each number of givens), so only those of the last four are kept.
#include "training/family_planner.hpp"

#include <algorithm>

namespace neurasp::training {

namespace {

constexpr std::size_t fewest_members = 16;
constexpr std::uint64_t samples_wanted = 2;
constexpr std::size_t more_for_grounding = 2;
constexpr std::size_t more_after_failure = 4;
constexpr std::uint64_t work_per_rule = 50; // of a family, before its circuit is searched for
constexpr std::uint64_t most_listed = 50'000;
constexpr std::size_t most_groundings = 4; // that are kept without a family

TextKey key_of_parts(const PartedObservation &observation) {
    TextKey key{observation.constraints.size(), observation.facts.size()};
    for (const auto *list : {&observation.constraints, &observation.facts}) {
        for (const PartId part : *list) {
            key.high = circuit::mix(1, key.high ^ part);
            key.low = circuit::mix(2, key.low + part);
        }
    }
    return key;
}

// The work of preparing an observation without a family, in steps of the compiler. `rules`: of the program that was searched.
std::uint64_t work_of(const Compilation &made, std::uint64_t fixpoints, std::size_t rules) {
    constexpr std::uint64_t least = 200;  // to take it apart, and to make something of the result
    constexpr std::uint64_t per_rule = 3; // to reduce and translate it
    if (!made.circuit) return 0;
    const CircuitStatistics &statistics = made.circuit->statistics();
    const std::uint64_t per_fixpoint = std::clamp<std::uint64_t>(rules / 45, 2, 44);
    const bool translated = statistics.variables > 0; // otherwise the circuit is a list of models
    return least + statistics.steps + fixpoints * per_fixpoint +
           (translated ? per_rule * statistics.ground_rules : 0);
}

} // namespace

void FamilyPlanner::note(const PartedObservation &observation, const std::string &name) {
    Kind &kind = kinds_[observation.kind];
    if (!kind.known.insert(key_of_parts(observation)).second) return;
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

FamilyPlanner::Shared FamilyPlanner::find_shared(const PartedObservation &observation) const {
    const auto kind = kinds_.find(observation.kind);
    if (kind == kinds_.end() || !kind->second.shared) return {};
    auto statements = kind->second.shared->find(observation);
    if (!statements) return {};
    return {kind->second.shared, std::move(*statements)};
}

std::size_t FamilyPlanner::least_members() const {
    return use_ == FamilyUse::automatic ? fewest_members : 2;
}

// Whether enough observations wait for a family.
bool FamilyPlanner::may_grow(const Kind &kind) const {
    const bool families = use_ == FamilyUse::automatic || use_ == FamilyUse::always;
    return families && kind.waiting.observations.size() >= std::max(least_members(), kind.next_try);
}

SharedKind *FamilyPlanner::share(std::uint32_t number, const SharingContext &context,
                                 const Limits &limits, base::Budget &budget) {
    Kind &kind = kinds_[number];
    const std::size_t members = kind.waiting.observations.size();
    if (use_ == FamilyUse::never || members < least_members()) return nullptr;
    const bool is_shared = kind.shared && kind.shared->members() == members;
    const bool for_family = kind.next_try > 0 && may_grow(kind);
    if (is_shared || (members < kind.next_share && !for_family)) return nullptr;
    SharedKind::Made made = SharedKind::make(context, kind.waiting, limits, budget);
    if (!made.kind) {
        kind.refusal = made.refusal.reason;
        if (!made.refusal.interrupted) kind.next_share = members * more_after_failure;
        return nullptr;
    }
    kind.next_share = members * more_for_grounding;
    keep(number, std::move(made.kind));
    return kind.shared.get();
}

void FamilyPlanner::keep(std::uint32_t number, std::shared_ptr<SharedKind> shared) {
    kinds_[number].shared = std::move(shared);
    std::erase(sharing_, number);
    sharing_.push_back(number);
    if (sharing_.size() <= most_groundings) return;
    kinds_[sharing_.front()].shared = nullptr;
    sharing_.pop_front();
}

inference::FamilyEffort FamilyPlanner::effort(const Kind &kind) const {
    constexpr std::uint64_t any = ~std::uint64_t{0};
    if (use_ == FamilyUse::always) return {any, any, most_listed};
    if (kind.samples == 0) return {};
    const std::uint64_t work = kind.shared->different() * (kind.work / kind.samples);
    return {work / 4, work / 2, most_listed};
}

bool FamilyPlanner::wants_samples(std::uint32_t number) const {
    const auto kind = kinds_.find(number);
    return use_ == FamilyUse::automatic && kind != kinds_.end() && kind->second.shared &&
           may_grow(kind->second) && kind->second.samples < samples_wanted;
}

std::uint64_t FamilyPlanner::fixpoints(std::uint32_t number) const {
    const auto kind = kinds_.find(number);
    if (kind == kinds_.end() || !kind->second.shared) return 0;
    return kind->second.shared->grounding().fixpoints();
}

void FamilyPlanner::add_sample(std::uint32_t number, const Compilation &made,
                               std::uint64_t fixpoints_before) {
    Kind &kind = kinds_[number];
    if (kind.samples == samples_wanted || !kind.shared) return;
    ++kind.samples;
    kind.work += work_of(made, fixpoints(number) - fixpoints_before,
                         kind.shared->grounding().grounding().rules().rule_count());
}

Family *FamilyPlanner::grow(std::uint32_t number, const SharingContext &context,
                            const Limits &limits, base::Budget &budget) {
    Kind &kind = kinds_[number];
    const std::size_t members = kind.waiting.observations.size();
    if (!may_grow(kind) || !kind.shared || kind.shared->members() != members) return nullptr;
    const std::size_t rules = kind.shared->grounding().grounding().rules().rule_count();
    const inference::FamilyEffort granted = effort(kind);
    if (granted.steps == 0 || granted.steps < work_per_rule * rules) {
        kind.refusal = "it would cost more than it saves";
        kind.next_try = members * more_after_failure;
        return nullptr;
    }
    Family::Made made = Family::make(context, kind.shared, kind.waiting, granted, limits, budget);
    if (!made.family) {
        kind.refusal = made.refusal.reason;
        if (!made.refusal.interrupted) kind.next_try = members * more_after_failure;
        return nullptr;
    }
    std::erase(sharing_, number);
    kind.shared = nullptr;
    kind.next_share = 0;
    kind.next_try = 0;
    kind.waiting = {};
    kind.refusal.clear();
    kind.families.push_back(std::move(made.family));
    return kind.families.back().get();
}

const std::string &FamilyPlanner::refusal(std::uint32_t number) const {
    static const std::string nothing;
    const auto kind = kinds_.find(number);
    return kind == kinds_.end() ? nothing : kind->second.refusal;
}

} // namespace neurasp::training
