// Searches for stable models of a ground program, in process and repeatedly: the program is passed to clasp
// once, later additions follow, and each search has its own assumptions.
//
// Invariants: a solver runs one search at a time, and externals are set between searches; literals are about
// atoms of the program or of a group; only a solver that minimizes is asked for costs.
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

// A stable model, valid while the search pauses at it.
class ModelView {
  public:
    // `ids` are clasp's atoms for ours.
    ModelView(const clingo_model *model, std::span<const std::uint32_t> ids)
        : model_(model), ids_(ids) {}
    bool is_true(Literal literal) const;
    bool is_true(AtomId atom) const { return is_true(Literal(atom)); }
    // Requires some literal of the clause to hold, for the rest of this search.
    void add_clause(std::span<const Literal> clause) const;
    // The cost per priority, highest first. Requires: the solver has Options::minimize.
    std::vector<std::int64_t> cost() const;

  private:
    const clingo_model *model_;
    std::span<const std::uint32_t> ids_;
};

enum class SearchEnd {
    exhausted,   // there are no further models
    stopped,     // the caller wanted no more models
    interrupted, // the budget is exhausted (its `reached()` says why)
};

class Solver {
  public:
    struct Options {
        bool minimize = false; // load weak constraints; needed for `find_optimum` and cost limits
    };

    // `groups`: sets of atoms of which exactly one is true in every model (the random variables).
    // Requires: `program` and `groups` outlive the solver. Rules, atoms and groups that are added to them later are
    // taken over at the next search.
    Solver(const GroundProgram &program, const std::vector<std::vector<AtomId>> &groups,
           Options options);
    ~Solver();
    Solver(const Solver &) = delete;
    Solver &operator=(const Solver &) = delete;

    using OnModel = std::function<bool(const ModelView &)>; // returns false to stop
    struct Search {
        std::span<const Literal> assumptions;
        CostBound *bound = nullptr;                    // steers the search towards cheap outcomes,
        bool prune = true;                             //   and prunes at its limit
        std::optional<std::vector<std::int64_t>> cost; // only models of at most this cost
    };
    // Calls `on_model` for every model.
    SearchEnd search(const Search &search, base::Budget &budget, const OnModel &on_model);

    // The same, pulled: `open`, then `next` until it returns nothing or the caller wants no more, then `close`.
    // A view is valid until the next call. Requires: no other search of this solver is open; the bound of `search`
    // and `budget` live until `close`.
    void open(const Search &search, base::Budget &budget);
    std::optional<ModelView> next();
    SearchEnd close() noexcept;

    // The least cost under the assumptions; nothing if no model was found. If the budget ends the search,
    // `proven` is false and the cost is the least that was seen. Requires: Options::minimize.
    struct Optimum {
        std::vector<std::int64_t> cost;
        bool proven = true;
    };
    std::optional<Optimum> find_optimum(std::span<const Literal> assumptions, base::Budget &budget);

    // Sets an external atom of the program for later searches.
    void assign_external(AtomId atom, ExternalValue value);

    std::uint64_t searches() const noexcept;
    // How often clasp stopped propagating, in all searches: counted work, about proportional to their time.
    std::uint64_t fixpoints() const noexcept;

    struct Impl; // for the callbacks in solver.cpp

  private:
    std::unique_ptr<Impl> impl_;
};

} // namespace neurasp::asp
