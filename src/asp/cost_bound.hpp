// A bound on costs inside clasp's search: branch and bound over groups of atoms of which exactly one is
// true. It prunes assignments whose cost cannot stay below the limit, gives clasp the reason as a clause,
// and steers the search towards cheap outcomes. cost_bound.cpp explains how.
#pragma once

#include "asp/ground_program.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

struct clingo_propagate_init;
struct clingo_propagate_control;
struct clingo_assignment;

namespace neurasp::asp {

__extension__ using Cost = __int128; // GCC and Clang both have it

class CostBound {
  public:
    // A multi-valued variable. Requires: costs are not negative.
    struct Group {
        std::vector<AtomId> atoms;
        std::vector<Cost> costs;
    };

    explicit CostBound(const std::vector<Group> &groups);

    // From now on, prune assignments that cost `limit` or more. Requires: the limit does not rise during a search.
    void set_limit(Cost limit);
    Cost limit() const noexcept { return limit_; }

    static constexpr Cost no_limit = Cost{1} << 120;

    // The functions below are called only by Solver.
    void start(clingo_propagate_init *init, std::span<const std::uint32_t> ids);
    bool propagate(clingo_propagate_control *control, std::span<const std::int32_t> changes);
    void observe(std::span<const std::int32_t> changes); // like propagate, but without pruning
    void undo(std::span<const std::int32_t> changes);
    bool check(clingo_propagate_control *control);
    // The literal to make true next; 0 if every group is decided.
    std::int32_t decide() const;

  private:
    struct Outcome {
        Cost cost = 0;
        AtomId atom;
        std::int32_t literal = 0; // the solver's
        bool is_false = false;
    };
    struct GroupState {
        std::vector<Outcome> outcomes; // cheapest first
        std::size_t first = 0;         // the cheapest that is not false
        std::size_t open = 0;          // how many are not false
        Cost bound() const { return first < outcomes.size() ? outcomes[first].cost : 0; }
    };
    struct Place {
        std::uint32_t group = 0;
        std::uint32_t outcome = 0;
    };

    void set_false(Place place);
    void unset_false(Place place);
    void advance(GroupState &group);
    bool enforce(clingo_propagate_control *control);
    // Appends the reasons for the bounds of all groups except `except` to `clause_`. Groups that raise the bound by no
    // more than the rest of `surplus` are left out.
    void explain(std::size_t except, Cost surplus);
    bool add_clause(clingo_propagate_control *control);

    std::vector<GroupState> groups_;
    std::vector<std::uint32_t> decision_order_; // groups, largest regret first
    std::unordered_map<std::int32_t, std::vector<Place>>
        places_; // by the literal that makes it false
    std::vector<std::int32_t> clause_;
    Cost limit_ = no_limit;
    Cost lower_ = 0;
    bool limit_changed_ = false;
};

} // namespace neurasp::asp
