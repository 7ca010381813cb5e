// The inside of a Solver: a clingo control, how much of the program it has loaded, and the open search.
#pragma once

#include "asp/clasp_ids.hpp"
#include "asp/clingo_abi.hpp"
#include "asp/clingo_call.hpp"
#include "asp/solver.hpp"

namespace neurasp::asp {

struct Solver::Impl {
    const GroundProgram &program;
    const std::vector<std::vector<AtomId>> &groups;
    Options options;
    clingo_control *control = nullptr;
    bool disjunctive = false; // whether the program was, when the solver started
    CallbackGuard guard;
    std::uint64_t searches = 0;

    // clasp's atom for each of ours. They differ because clasp numbers its auxiliary atoms from the last atom that
    // it has seen in a rule. So that none of them gets the number of an atom of ours without (usable) rules, each
    // load ends with a fact about a new atom.
    std::vector<std::uint32_t> ids{0};

    // How much of the program has been passed to clasp.
    std::size_t rules_loaded = 0;
    std::size_t groups_loaded = 0;
    std::size_t externals_loaded = 0;
    std::size_t edges_loaded = 0;
    std::vector<std::size_t> minimize_loaded;

    // The open search.
    clingo_solve_handle *handle = nullptr;
    std::vector<clingo_literal_t> assumed;
    CostBound *bound = nullptr;
    bool prunes = false;
    base::Budget *budget = nullptr; // null if no search is open
    std::optional<SearchEnd> end;   // set once there are no more models
    std::uint64_t models = 0;       // found so far
    std::uint64_t polls = 0;        // of all searches: one for each fixpoint

    Impl(const GroundProgram &p, const std::vector<std::vector<AtomId>> &g, Options o)
        : program(p), groups(g), options(o) {}
    ~Impl() {
        leave();
        if (control != nullptr) clingo_control_free(control);
    }

    void start(ClingoTables tables);
    std::uint32_t atom_limit() const; // of program and groups together
    void load();
    void load_rules(clingo_backend *backend);
    void load_group(clingo_backend *backend, const std::vector<AtomId> &group);
    void load_minimize(clingo_backend *backend);
    void configure(const char *section, const char *key, const std::string &value) const;
    void open(std::span<const Literal> assumptions, base::Budget &granted, CostBound *steering,
              bool prune);
    void enter();
    void leave() noexcept;
    const clingo_model *find();
    const clingo_model *next();

    // Looks at the budget in every 64th call; interrupts the search if it is exhausted.
    void poll() {
        constexpr unsigned interval = 64;
        if (budget != nullptr && ++polls % interval == 0 && budget->exhausted()) {
            clingo_control_interrupt(control);
        }
    }
};

} // namespace neurasp::asp
