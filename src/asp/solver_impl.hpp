// What a Solver is made of: a clingo control, how much of the program it has, and the search that is open.
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
    bool disjunctive = false; // when the solver started
    CallbackGuard guard;
    std::uint64_t searches = 0;

    // clasp's atom for each of ours. They differ because clasp numbers atoms that it makes itself from
    // the last one that it has seen in a rule: each load ends with an atom of its own that is a fact, or
    // an atom of ours without (usable) rules would be taken for one of clasp's.
    std::vector<std::uint32_t> ids{0};

    // How much of the program has been handed to clasp.
    std::size_t rules_loaded = 0;
    std::size_t groups_loaded = 0;
    std::size_t externals_loaded = 0;
    std::size_t edges_loaded = 0;
    std::vector<std::size_t> minimize_loaded;

    // The search that is open.
    clingo_solve_handle *handle = nullptr;
    std::vector<clingo_literal_t> assumed;
    CostBound *bound = nullptr;
    bool prunes = false;
    base::Budget *budget = nullptr; // null: none is open
    std::optional<SearchEnd> end;   // once there are no more models to come
    std::uint64_t models = 0;       // that it has found
    unsigned polls = 0;

    Impl(const GroundProgram &p, const std::vector<std::vector<AtomId>> &g, Options o)
        : program(p), groups(g), options(o) {}
    ~Impl() {
        leave();
        if (control != nullptr) clingo_control_free(control);
    }

    void start();
    std::uint32_t atom_limit() const; // of the program and the groups
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

    // Looks at the budget now and then; interrupts the search when it is used up.
    void poll() {
        constexpr unsigned interval = 64;
        if (budget != nullptr && ++polls % interval == 0 && budget->exhausted()) {
            clingo_control_interrupt(control);
        }
    }
};

} // namespace neurasp::asp
