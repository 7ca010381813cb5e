// Search for stable models of a ground program, in process and many times: the program is handed to
// clasp once, later additions to it follow, and each search runs under its own assumptions.
//
// Invariants: one search of a solver runs at a time, and externals are set in between; literals are about
// atoms of the program or of a group; costs are asked of a solver that minimizes.
#pragma once

#include "asp/cost_bound.hpp"
#include "asp/ground_program.hpp"
#include "base/budget.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

struct clingo_model;

namespace neurasp::asp {

// A stable model while the search pauses at it.
class ModelView {
  public:
    // `ids` are clasp's atoms for ours.
    ModelView(const clingo_model *model, std::span<const std::uint32_t> ids)
        : model_(model), ids_(ids) {}
    bool is_true(Literal literal) const;
    bool is_true(AtomId atom) const { return is_true(Literal(atom)); }
    // For the rest of this search, some literal of the clause must hold.
    void add_clause(std::span<const Literal> clause) const;
    // The cost per priority, highest first. Requires: the solver has Options::minimize.
    std::vector<std::int64_t> cost() const;

  private:
    const clingo_model *model_;
    std::span<const std::uint32_t> ids_;
};

enum class SearchEnd {
    exhausted,   // there are no further models
    stopped,     // whoever asked had enough
    interrupted, // the budget ran out (its `reached()` says why)
};

class Solver {
  public:
    struct Options {
        bool minimize = false; // load weak constraints; needed for `find_optimum` and cost limits
    };

    // `groups`: sets of atoms of which exactly one is true in every model (the random variables).
    // `program` and `groups` must outlive the solver; rules, atoms and groups added to it later are taken over at
    // the next search.
    Solver(const GroundProgram &program, const std::vector<std::vector<AtomId>> &groups,
           Options options);
    ~Solver();
    Solver(const Solver &) = delete;
    Solver &operator=(const Solver &) = delete;

    using OnModel = std::function<bool(const ModelView &)>; // returns false to stop
    struct Search {
        std::span<const Literal> assumptions;
        CostBound *bound = nullptr;                    // steers towards cheap outcomes
        bool prune = true;                             // and prunes what reaches its limit
        std::optional<std::vector<std::int64_t>> cost; // only models of at most this cost
    };
    // Calls back at every model.
    SearchEnd search(const Search &search, base::Budget &budget, const OnModel &on_model);

    // The same, pulled: `open`, then `next` until it gives nothing or the caller has enough, then `close`.
    // The view is good until the next call; `search`'s bound and `budget` must live until `close`. Requires:
    // no other search of this solver is open.
    void open(const Search &search, base::Budget &budget);
    std::optional<ModelView> next();
    SearchEnd close() noexcept;

    // The least cost under the assumptions; nothing if there is no model. If the budget ends the
    // search, `proven` is false and the cost is the best seen. Requires: Options::minimize.
    struct Optimum {
        std::vector<std::int64_t> cost;
        bool proven = true;
    };
    std::optional<Optimum> find_optimum(std::span<const Literal> assumptions, base::Budget &budget);

    // Sets an external atom of the program for the searches to come.
    void assign_external(AtomId atom, ExternalValue value);

    std::uint64_t searches() const noexcept;

    struct Impl; // for the callbacks in solver.cpp

  private:
    std::unique_ptr<Impl> impl_;
};

} // namespace neurasp::asp
