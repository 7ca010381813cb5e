#include "asp/solver.hpp"

#include "asp/clingo_abi.hpp"
#include "asp/clingo_call.hpp"

#include <algorithm>
#include <stdexcept>

namespace neurasp::asp {

namespace {

// Our literals as clasp knows them.
clingo_literal_t translate(Literal literal, std::span<const std::uint32_t> ids) {
    const auto atom = static_cast<clingo_literal_t>(ids[literal.atom().index()]);
    return literal.positive() ? atom : -atom;
}

std::vector<clingo_literal_t> translate(std::span<const Literal> literals,
                                        std::span<const std::uint32_t> ids) {
    std::vector<clingo_literal_t> result;
    result.reserve(literals.size());
    for (const Literal literal : literals) result.push_back(translate(literal, ids));
    return result;
}

std::vector<clingo_atom_t> translate(std::span<const AtomId> atoms,
                                     std::span<const std::uint32_t> ids) {
    std::vector<clingo_atom_t> result;
    result.reserve(atoms.size());
    for (const AtomId atom : atoms) result.push_back(ids[atom.index()]);
    return result;
}

} // namespace

bool ModelView::is_true(Literal literal) const {
    bool result = false;
    check(clingo_model_is_true(model_, translate(literal, ids_), &result));
    return result;
}

void ModelView::add_clause(std::span<const Literal> clause) const {
    clingo_solve_control *control = nullptr;
    check(clingo_model_context(model_, &control));
    const auto literals = translate(clause, ids_);
    check(clingo_solve_control_add_clause(control, literals.data(), literals.size()));
}

std::vector<std::int64_t> ModelView::cost() const {
    std::size_t size = 0;
    check(clingo_model_cost_size(model_, &size));
    std::vector<std::int64_t> cost(size);
    if (size > 0) check(clingo_model_cost(model_, cost.data(), size));
    return cost;
}

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

    // The running search.
    CostBound *bound = nullptr;
    bool prunes = false;
    base::Budget *budget = nullptr;
    const OnModel *on_model = nullptr;
    bool stopped = false;
    unsigned polls = 0;

    Impl(const GroundProgram &p, const std::vector<std::vector<AtomId>> &g, Options o)
        : program(p), groups(g), options(o) {}
    ~Impl() {
        if (control != nullptr) clingo_control_free(control);
    }

    void start();
    std::uint32_t atom_limit() const; // of the program and the groups
    void load();
    void load_rules(clingo_backend *backend);
    void load_group(clingo_backend *backend, const std::vector<AtomId> &group);
    void load_minimize(clingo_backend *backend);
    void configure(const char *section, const char *key, const std::string &value) const;
    SearchEnd run(std::span<const Literal> assumptions);

    // Looks at the budget now and then; interrupts the search when it is used up.
    void poll() {
        constexpr unsigned interval = 64;
        if (budget != nullptr && ++polls % interval == 0 && budget->exhausted()) {
            clingo_control_interrupt(control);
        }
    }
};

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

bool on_event(unsigned type, void *event, void *data, bool *go_on) {
    auto &impl = *static_cast<Solver::Impl *>(data);
    if (type != clingo_solve_event_type_model) return true;
    return impl.guard.run([&] {
        const ModelView view(static_cast<const clingo_model *>(event), impl.ids);
        *go_on = !impl.budget->exhausted() && (*impl.on_model)(view);
        if (!*go_on) impl.stopped = true;
    });
}

bool is_disjunctive(const GroundProgram &program) {
    for (std::size_t i = 0; i < program.rule_count(); ++i) {
        if (const auto rule = program.rule(i); !rule.choice && rule.head.size() > 1) return true;
    }
    return false;
}

} // namespace

void Solver::Impl::start() {
    // clasp's messages about its own work are of no use to the user
    const auto silent = [](int, const char *, void *) {};
    check(clingo_control_new(nullptr, 0, silent, nullptr, 0, &control));
    static const clingo_propagator_t propagator{on_init, on_propagate, on_undo, on_check,
                                                on_decide};
    check(clingo_control_register_propagator(control, &propagator, this, true));
    configure("solve", "models", "0");
    // clasp 3.3.5 merges atoms that it finds equivalent. It then takes unfounded sets of some programs for
    // stable models, loses models of others, and finds some twice. Where it does not merge, it still finds
    // models of some disjunctive programs twice, unless they are projected.
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

std::uint32_t Solver::Impl::atom_limit() const {
    std::uint32_t limit = program.atom_limit();
    for (std::size_t i = groups_loaded; i < groups.size(); ++i) {
        for (const AtomId atom : groups[i]) limit = std::max(limit, atom.value + 1);
    }
    return limit;
}

void Solver::Impl::load() {
    const std::uint32_t limit = atom_limit();
    const bool news = ids.size() < limit || rules_loaded < program.rule_count() ||
                      groups_loaded < groups.size() ||
                      externals_loaded < program.externals().size() ||
                      edges_loaded < program.edges().size();
    if (!news) return;
    clingo_backend *backend = nullptr;
    check(clingo_control_backend(control, &backend));
    check(clingo_backend_begin(backend));
    clingo_atom_t atom = 0;
    const std::size_t old = ids.size();
    while (ids.size() < limit) {
        check(clingo_backend_add_atom(backend, nullptr, &atom));
        ids.push_back(atom);
    }
    if (disjunctive) check(clingo_backend_project(backend, ids.data() + old, ids.size() - old));
    load_rules(backend);
    for (; groups_loaded < groups.size(); ++groups_loaded) {
        load_group(backend, groups[groups_loaded]);
    }
    for (; externals_loaded < program.externals().size(); ++externals_loaded) {
        const External &external = program.externals()[externals_loaded];
        const int type = external.value == ExternalValue::free      ? clingo_external_type_free
                         : external.value == ExternalValue::is_true ? clingo_external_type_true
                                                                    : clingo_external_type_false;
        check(clingo_backend_external(backend, ids[external.atom.index()], type));
    }
    for (; edges_loaded < program.edges().size(); ++edges_loaded) {
        const AcyclicityEdge &edge = program.edges()[edges_loaded];
        const auto condition = translate(std::span(edge.condition), ids);
        check(clingo_backend_acyc_edge(backend, edge.from, edge.to, condition.data(),
                                       condition.size()));
    }
    if (options.minimize) load_minimize(backend);
    check(clingo_backend_add_atom(backend, nullptr, &atom));
    check(clingo_backend_rule(backend, false, &atom, 1, nullptr, 0));
    check(clingo_backend_end(backend));
}

void Solver::Impl::load_rules(clingo_backend *backend) {
    std::vector<clingo_weighted_literal_t> weighted;
    for (; rules_loaded < program.rule_count(); ++rules_loaded) {
        const RuleView rule = program.rule(rules_loaded);
        const auto head = translate(rule.head, ids);
        if (!rule.weighted()) {
            const auto body = translate(rule.body, ids);
            check(clingo_backend_rule(backend, rule.choice, head.data(), head.size(), body.data(),
                                      body.size()));
            continue;
        }
        weighted.clear();
        for (std::size_t i = 0; i < rule.body.size(); ++i) {
            weighted.push_back({translate(rule.body[i], ids), rule.weights[i]});
        }
        check(clingo_backend_weight_rule(backend, rule.choice, head.data(), head.size(), rule.bound,
                                         weighted.data(), weighted.size()));
    }
}

// {a1;..;an}. :- not a1, .., not an. :- 2 {a1;..;an}.
void Solver::Impl::load_group(clingo_backend *backend, const std::vector<AtomId> &group) {
    const auto head = translate(std::span(group), ids);
    std::vector<clingo_literal_t> none;
    std::vector<clingo_weighted_literal_t> two;
    for (const AtomId atom : group) {
        none.push_back(translate(Literal(atom, false), ids));
        two.push_back({translate(Literal(atom), ids), 1});
    }
    check(clingo_backend_rule(backend, true, head.data(), head.size(), nullptr, 0));
    check(clingo_backend_rule(backend, false, nullptr, 0, none.data(), none.size()));
    check(clingo_backend_weight_rule(backend, false, nullptr, 0, 2, two.data(), two.size()));
}

void Solver::Impl::load_minimize(clingo_backend *backend) {
    // Statements of one priority may grow, but only in programs that are grounded anew, so loading
    // them once is enough.
    if (!minimize_loaded.empty()) return;
    for (const Minimize &minimize : program.minimize()) {
        std::vector<clingo_weighted_literal_t> literals;
        for (const WeightedLiteral &element : minimize.literals) {
            literals.push_back({translate(element.literal, ids), element.weight});
        }
        check(
            clingo_backend_minimize(backend, minimize.priority, literals.data(), literals.size()));
        minimize_loaded.push_back(literals.size());
    }
}

SearchEnd Solver::Impl::run(std::span<const Literal> assumptions) {
    const auto assumed = translate(assumptions, ids);
    // An interrupt that came too late for one search hits the next one: then try again.
    for (int attempt = 0;; ++attempt) {
        ++searches;
        stopped = false;
        clingo_solve_handle *handle = nullptr;
        guard.finish(clingo_control_solve(control, 0, assumed.data(), assumed.size(), &on_event,
                                          this, &handle));
        unsigned result = 0;
        const bool got = clingo_solve_handle_get(handle, &result);
        const bool closed = clingo_solve_handle_close(handle);
        guard.finish(got);
        guard.finish(closed);
        if ((result & clingo_solve_result_exhausted) != 0) return SearchEnd::exhausted;
        if (budget->reached() != base::LimitReached::none) return SearchEnd::interrupted;
        if (stopped) return SearchEnd::stopped;
        if (attempt > 0) throw std::logic_error("Solver: the search ended for no reason");
    }
}

namespace {

// What the callbacks see of a search, for as long as it lasts. The program's news are handed over in
// between: clasp may propagate, and so call back, as soon as it gets rules, but a bound knows its
// literals only when the search starts.
class Running {
  public:
    Running(Solver::Impl &impl, base::Budget &budget, const Solver::OnModel &on_model,
            CostBound *bound, bool prune)
        : impl_(impl) {
        impl.budget = &budget;
        impl.on_model = &on_model;
        impl.load();
        impl.bound = bound;
        impl.prunes = bound != nullptr && prune;
    }
    ~Running() {
        impl_.budget = nullptr;
        impl_.on_model = nullptr;
        impl_.bound = nullptr;
        impl_.prunes = false;
    }
    Running(const Running &) = delete;
    Running &operator=(const Running &) = delete;

  private:
    Solver::Impl &impl_;
};

} // namespace

Solver::Solver(const GroundProgram &program, const std::vector<std::vector<AtomId>> &groups,
               Options options)
    : impl_(std::make_unique<Impl>(program, groups, options)) {
    require_supported_clingo();
    impl_->start();
}

Solver::~Solver() = default;

SearchEnd Solver::search(const Search &search, base::Budget &budget, const OnModel &on_model) {
    if (budget.exhausted()) return SearchEnd::interrupted;
    const Running running(*impl_, budget, on_model, search.bound, search.prune);
    std::string mode = impl_->options.minimize ? "enum" : "ignore";
    if (search.cost) {
        for (const std::int64_t cost : *search.cost) mode += "," + std::to_string(cost);
    }
    impl_->configure("solve", "opt_mode", mode);
    // With a bound, clasp must be free to jump anywhere after a model; recording models allows that.
    impl_->configure("solve", "enum_mode", impl_->prunes ? "record" : "auto");
    return impl_->run(search.assumptions);
}

std::optional<Solver::Optimum> Solver::find_optimum(std::span<const Literal> assumptions,
                                                    base::Budget &budget) {
    if (budget.exhausted()) return std::nullopt;
    std::optional<Optimum> best;
    const OnModel on_model = [&](const ModelView &model) {
        best = Optimum{model.cost(), true};
        return true;
    };
    const Running running(*impl_, budget, on_model, nullptr, false);
    impl_->configure("solve", "opt_mode", "opt");
    impl_->configure("solve", "enum_mode", "auto");
    const SearchEnd end = impl_->run(assumptions);
    if (best && end != SearchEnd::exhausted) best->proven = false;
    return best;
}

void Solver::assign_external(AtomId atom, ExternalValue value) {
    impl_->load();
    const int truth = value == ExternalValue::free      ? clingo_truth_value_free
                      : value == ExternalValue::is_true ? clingo_truth_value_true
                                                        : clingo_truth_value_false;
    check(clingo_control_assign_external(impl_->control, translate(Literal(atom), impl_->ids),
                                         truth));
}

std::uint64_t Solver::searches() const noexcept { return impl_->searches; }

} // namespace neurasp::asp
