// Counts maps that satisfy constraints, and finds the smallest one other than the identity; map_search.cpp has the idea.
//
// This file knows neither programs nor observations: a variable is an outcome that is mapped, its value the outcome
// that it is mapped to, and a constraint is a relation between the values of some variables.
#pragma once

#include "base/budget.hpp"
#include "circuit/natural.hpp"
#include "training/outcome_set.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace neurasp::training {

// A set of tuples of outcomes.
class OutcomeRelation {
  public:
    enum class State {
        open,
        entailed, // all tuples that are left are in the relation
        violated, // none is
    };
    OutcomeRelation() = default;
    virtual ~OutcomeRelation() = default;
    OutcomeRelation(const OutcomeRelation &) = delete;
    OutcomeRelation &operator=(const OutcomeRelation &) = delete;

    // Removes outcomes that belong to no tuple of the relation within `sets`, one for each place; it may leave some that
    // could be removed. Once all sets have one outcome, the answer is not `open`.
    virtual State filter(std::span<OutcomeSet *const> sets) = 0;
};

// The variables in `variables` are distinct.
struct MapConstraint {
    std::shared_ptr<OutcomeRelation> relation;
    std::vector<std::uint32_t> variables;
};

struct MapVariable {
    std::size_t outcomes = 0;   // it may be mapped to
    std::uint32_t identity = 0; // the one that it is itself
};

// Invariant: the identity satisfies all constraints.
struct MapProblem {
    std::vector<MapVariable> variables;
    std::vector<MapConstraint> constraints;
};

struct MapCount {
    circuit::Natural count; // of the maps found
    bool complete = false;  // there are no others
};

struct SmallestMap {
    std::optional<std::vector<std::uint32_t>>
        map; // by variable; nothing if there is none, or none was found
    std::size_t changes = 0;
    bool complete = false; // there is no smaller one, or none at all
};

class MapSearch {
  public:
    // Looks at no more than `steps` constraints in all. The problem and the budget must outlive it.
    MapSearch(const MapProblem &problem, base::Budget &budget, std::uint64_t steps);

    MapCount count();
    SmallestMap smallest();
    std::uint64_t steps() const noexcept { return steps_; }

  private:
    using Sets = std::vector<OutcomeSet>; // the values that are left, by variable
    using Indices = std::vector<std::uint32_t>;
    // A part of the problem that does not depend on the rest.
    struct Part {
        Indices variables;
        Indices constraints;
    };

    bool take_step();
    Sets all_sets() const;
    Part whole() const;
    bool propagate(Sets &sets, Indices &constraints, const Indices &changed);
    OutcomeRelation::State look_at(const MapConstraint &constraint, Sets &sets,
                                   Indices &changed) const;
    std::vector<Part> split(const Sets &sets, const Part &part) const;
    static std::uint32_t choose(const Sets &sets, const Part &part);
    Indices values(const OutcomeSet &set, std::uint32_t variable) const;
    std::size_t forced_changes(const Sets &sets) const;
    void keep_identity(Sets &sets, std::uint32_t variable) const;

    circuit::Natural count(Sets sets, Part part, const Indices &changed);
    circuit::Natural count_branches(const Sets &sets, const Part &part);

    bool find(Sets sets, Part part, const Indices &changed, std::size_t allowed, Sets &found);
    bool find_branches(const Sets &sets, const Part &part, std::size_t allowed, Sets &found);
    bool complete(Sets sets, std::size_t forced, Sets &found) const;

    const MapProblem &problem_;
    base::Budget &budget_;
    std::uint64_t steps_left_;
    std::uint64_t steps_ = 0;
    bool exhausted_ = false;
    std::vector<Indices> constraints_of_; // by variable
};

} // namespace neurasp::training
