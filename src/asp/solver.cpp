// Searches for stable models with clasp.
//
// The idea. A question needs many searches of the same rules: under other observations, for Num, for the best models.
// So a Solver passes the rules to clasp once, through clingo's backend, and each search adds only assumptions. Rules
// that are added to the GroundProgram later, such as those of a new observation, follow before the next search. A solver
// never grounds, so any number of solvers can share one grounding, and one of them can count models while another pauses
// at a model. Models are pulled (clingo's yield mode); search() with a callback is a loop over next().
//
// No merging of atoms. clasp 3.3.5, the clasp of clingo 5.4, merges atoms that it finds equivalent during preprocessing.
// It then takes unfounded sets of some programs for stable models, loses models of others, and finds some twice; the
// clasp of clingo 5.8.2 still does the first and the last. So we switch this off (eq = 0) for all programs. It was first
// switched off for disjunctive programs only, then for those with positive cycles; random programs tested against the
// definition of a stable model (tests/asp/definition_test.cpp) showed that neither was enough. Even then, clasp finds models of some disjunctive programs twice; projecting models to
// our atoms prevents it. The price: on 15 coins, where there is nothing to ground, enumeration fell from 0.86 to 0.5
// times clingo's speed (docs/performance.md).
//
// Atom numbers. clasp numbers its auxiliary atoms from the last atom that it has seen in a rule. An atom of ours without
// rules could get the number of one of them, so we let clasp number our atoms (`ids`), and each load ends with a fact about
// a new atom (solver_impl.hpp).
//
// Interruption. A propagator is called often enough to look at the budget (every 64th call, poll()) and interrupts clasp.
// An interrupt that comes after the search has ended hits the next search before its first model; next() then starts
// that search once more.
//
// Invariants. One search of a solver is open at a time, and externals are set between searches. Nothing that a search adds
// survives it: assumptions, clauses of ModelView::add_clause and clauses of a CostBound are volatile. The enumeration
// mode is `record` with a bound, so that clasp may backjump anywhere after a model, and clasp's default otherwise.
//
// Cost. 1 to 8 microseconds for each model, about as much as clasp alone (docs/performance.md). A search that is opened
// while another one is open needs a solver of its own, which loads all rules.
#include "asp/solver_impl.hpp"

#include <stdexcept>
#include <utility>

namespace neurasp::asp {

namespace {

bool on_init(clingo_propagate_init *init, void *data) {
    auto &impl = *static_cast<Solver::Impl *>(data);
    return impl.guard.run([&] {
        clingo_propagate_init_set_check_mode(init, clingo_propagator_check_mode_fixpoint);
        if (impl.bound != nullptr) impl.bound->start(init, impl.ids);
    });
}

bool on_propagate(clingo_propagate_control *control, const clingo_literal_t *changes,
                  std::size_t size, void *data) {
    auto &impl = *static_cast<Solver::Impl *>(data);
    return impl.guard.run([&] {
        impl.poll();
        if (impl.prunes)
            impl.bound->propagate(control, {changes, size});
        else if (impl.bound != nullptr)
            impl.bound->observe({changes, size});
    });
}

bool on_undo(const clingo_propagate_control *, const clingo_literal_t *changes, std::size_t size,
             void *data) {
    auto &impl = *static_cast<Solver::Impl *>(data);
    return impl.guard.run([&] {
        if (impl.bound != nullptr) impl.bound->undo({changes, size});
    });
}

// Where `undo` has no result: the guard keeps an exception until the search is asked for its next model.
void on_undo_silently(const clingo_propagate_control *control, const clingo_literal_t *changes,
                      std::size_t size, void *data) {
    on_undo(control, changes, size, data);
}

bool on_check(clingo_propagate_control *control, void *data) {
    auto &impl = *static_cast<Solver::Impl *>(data);
    return impl.guard.run([&] {
        impl.poll();
        if (impl.prunes) impl.bound->check(control);
    });
}

bool on_decide(clingo_id_t, const clingo_assignment *, clingo_literal_t fallback, void *data,
               clingo_literal_t *decision) {
    auto &impl = *static_cast<Solver::Impl *>(data);
    const clingo_literal_t wanted = impl.bound != nullptr ? impl.bound->decide() : 0;
    *decision = wanted != 0 ? wanted : fallback;
    return true;
}

bool is_disjunctive(const GroundProgram &program) {
    for (std::size_t i = 0; i < program.rule_count(); ++i) {
        if (const auto rule = program.rule(i); !rule.choice && rule.head.size() > 1) return true;
    }
    return false;
}

} // namespace

void Solver::Impl::start(ClingoTables tables) {
    // clasp's messages about its own work are of no use to users.
    const auto silent = [](int, const char *, void *) {};
    check(clingo_control_new(nullptr, 0, silent, nullptr, 0, &control));
    static const clingo_propagator_5_4_t undo_with_a_result{on_init, on_propagate, on_undo,
                                                            on_check, on_decide};
    static const clingo_propagator_5_5_t propagator{on_init, on_propagate, on_undo_silently,
                                                    on_check, on_decide};
    const void *table = tables.undo_has_a_result ? static_cast<const void *>(&undo_with_a_result)
                                                 : static_cast<const void *>(&propagator);
    check(clingo_control_register_propagator(control, table, this, true));
    configure("solve", "models", "0");
    // Do not merge equivalent atoms, and project models of disjunctive programs: see the head of this file.
    configure("asp", "eq", "0");
    disjunctive = is_disjunctive(program);
    if (disjunctive) configure("solve", "project", "project");
}

void Solver::Impl::configure(const char *section, const char *key, const std::string &value) const {
    clingo_configuration *configuration = nullptr;
    clingo_id_t at = 0;
    check(clingo_control_configuration(control, &configuration));
    check(clingo_configuration_root(configuration, &at));
    check(clingo_configuration_map_at(configuration, at, section, &at));
    check(clingo_configuration_map_at(configuration, at, key, &at));
    check(clingo_configuration_value_set(configuration, at, value.c_str()));
}

// New rules are loaded first: clasp may propagate, and so call the propagator, as soon as it gets rules, but a bound
// knows its literals only when the search starts.
void Solver::Impl::open(std::span<const Literal> assumptions, base::Budget &granted,
                        CostBound *steering, bool prune) {
    NEURASP_ASSERT(budget == nullptr, "one search of a solver runs at a time");
    load();
    assumed = translate(assumptions, ids);
    budget = &granted;
    bound = steering;
    prunes = steering != nullptr && prune;
    models = 0;
    end.reset();
}

void Solver::Impl::enter() {
    ++searches;
    guard.finish(clingo_control_solve(control, clingo_solve_mode_yield, assumed.data(),
                                      assumed.size(), nullptr, nullptr, &handle));
}

void Solver::Impl::leave() noexcept {
    if (handle != nullptr) clingo_solve_handle_close(handle);
    handle = nullptr;
}

// The next model of clasp. If there is none, `end` says why, unless an interrupt came from an earlier search.
const clingo_model *Solver::Impl::find() {
    if (handle == nullptr) enter();
    const clingo_model *model = nullptr;
    const bool resumed = clingo_solve_handle_resume(handle);
    guard.finish(resumed && clingo_solve_handle_model(handle, &model));
    if (model != nullptr) return model;
    unsigned result = 0;
    guard.finish(clingo_solve_handle_get(handle, &result));
    leave();
    if ((result & clingo_solve_result_exhausted) != 0) {
        end = SearchEnd::exhausted;
    } else if (budget->reached() != base::LimitReached::none) {
        end = SearchEnd::interrupted;
    }
    return nullptr;
}

const clingo_model *Solver::Impl::next() {
    if (end) return nullptr;
    // Before the first model; later, the propagator and the check below look at the budget.
    const bool too_late = handle == nullptr && budget->exhausted();
    const clingo_model *model = too_late ? nullptr : find();
    // An interrupt that came too late for the search before may have ended this one: start again.
    if (model == nullptr && !end && budget->reached() == base::LimitReached::none && models == 0) {
        model = find();
    }
    if (model != nullptr && budget->exhausted()) model = nullptr;
    if (model != nullptr) {
        ++models;
        return model;
    }
    if (!end && budget->reached() == base::LimitReached::none) {
        throw std::logic_error("Solver: the search ended for no reason");
    }
    if (!end) end = SearchEnd::interrupted;
    return nullptr;
}

Solver::Solver(const GroundProgram &program, const std::vector<std::vector<AtomId>> &groups,
               Options options)
    : impl_(std::make_unique<Impl>(program, groups, options)) {
    impl_->start(require_supported_clingo());
}

Solver::~Solver() = default;

void Solver::open(const Search &search, base::Budget &budget) {
    NEURASP_ASSERT(!search.cost || impl_->options.minimize, "costs need a solver that minimizes");
    impl_->open(search.assumptions, budget, search.bound, search.prune);
    std::string mode = impl_->options.minimize ? "enum" : "ignore";
    if (search.cost) {
        for (const std::int64_t cost : *search.cost) mode += "," + std::to_string(cost);
    }
    impl_->configure("solve", "opt_mode", mode);
    // With a bound, clasp must be free to backjump anywhere after a model, which it is if it records models.
    impl_->configure("solve", "enum_mode", impl_->prunes ? "record" : "auto");
}

std::optional<ModelView> Solver::next() {
    const clingo_model *model = impl_->next();
    if (model == nullptr) return std::nullopt;
    return ModelView(model, impl_->ids);
}

SearchEnd Solver::close() noexcept {
    if (impl_->budget == nullptr) return SearchEnd::stopped; // opening it failed
    impl_->leave();
    // A caller that stopped because the budget was used up counts as interrupted.
    const bool used_up = impl_->budget->reached() != base::LimitReached::none;
    impl_->budget = nullptr;
    impl_->bound = nullptr;
    impl_->prunes = false;
    return impl_->end.value_or(used_up ? SearchEnd::interrupted : SearchEnd::stopped);
}

namespace {

// Closes a search, also when an exception is thrown.
class Closing {
  public:
    explicit Closing(Solver &solver) : solver_(&solver) {}
    ~Closing() {
        if (solver_ != nullptr) solver_->close();
    }
    Closing(const Closing &) = delete;
    Closing &operator=(const Closing &) = delete;
    SearchEnd close() { return std::exchange(solver_, nullptr)->close(); }

  private:
    Solver *solver_;
};

} // namespace

SearchEnd Solver::search(const Search &search, base::Budget &budget, const OnModel &on_model) {
    if (budget.exhausted()) return SearchEnd::interrupted;
    Closing closing(*this);
    open(search, budget);
    while (const auto model = next()) {
        if (!on_model(*model)) break;
    }
    return closing.close();
}

std::optional<Solver::Optimum> Solver::find_optimum(std::span<const Literal> assumptions,
                                                    base::Budget &budget) {
    NEURASP_ASSERT(impl_->options.minimize, "costs need a solver that minimizes");
    if (budget.exhausted()) return std::nullopt;
    Closing closing(*this);
    impl_->open(assumptions, budget, nullptr, false);
    impl_->configure("solve", "opt_mode", "opt");
    impl_->configure("solve", "enum_mode", "auto");
    std::optional<Optimum> best;
    while (const auto model = next()) best = Optimum{model->cost(), true};
    if (closing.close() != SearchEnd::exhausted && best) best->proven = false;
    return best;
}

void Solver::assign_external(AtomId atom, ExternalValue value) {
    NEURASP_ASSERT(impl_->budget == nullptr, "externals are set between searches");
    impl_->load();
    const int truth = value == ExternalValue::free      ? clingo_truth_value_free
                      : value == ExternalValue::is_true ? clingo_truth_value_true
                                                        : clingo_truth_value_false;
    check(clingo_control_assign_external(impl_->control, translate(Literal(atom), impl_->ids),
                                         truth));
}

std::uint64_t Solver::searches() const noexcept { return impl_->searches; }

std::uint64_t Solver::fixpoints() const noexcept { return impl_->polls; }

} // namespace neurasp::asp