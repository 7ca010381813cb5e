// The search behind compile().
//
// The idea is that of exhaustive DPLL with component caching (Sang et al. 2004; Huang and Darwiche 2007): decide,
// propagate, split what is left into components, look each of them up by its key, and otherwise decide again. The trace of
// the search is the circuit: a decision is a sum over its branches, components are a product, and a component that was seen
// before is a node that exists. README.md describes what is specific to our theories.
//
// Branches. A choice has a branch for each possible outcome, whose input is on the edge. If the theory is determined and
// has no positive cycles, defined variables and tables can be decided as well. Then the sum has no variable of its own:
// a branch implies outcomes, and their inputs are in its product, except one that goes on the edge. That one is the outcome
// of a row, which depends on earlier decisions, while the rest of the product often does not, so that branches share
// it (25 to 40 % fewer nodes on Bayesian networks).
//
// A table is decided among the values that the component contains. If another value may hold, or none, there is one more
// branch in which all of those are false.
//
// The stack. Theories are as deep as programs are long, so the search keeps its own stack of frames instead of calling
// itself. A frame that needs the result of another one puts it on the stack and goes on when that one has set `result_`.
// The components, factors, inputs and edges of all frames are in four lists, each frame's behind those below it: no decision
// allocates memory once the lists have grown.
//
// Learning and the cache. If a component has no model, learned clauses may follow from that contradiction alone. Its
// siblings may have been solved with such clauses, so what was cached since the split is forgotten (forget_since).
#include "circuit/search.hpp"

#include "base/assert.hpp"
#include "circuit/theory_key.hpp"
#include "circuit/trail_finder.hpp"
#include "circuit/walking_finder.hpp"

#include <algorithm>
#include <stdexcept>

namespace neurasp::circuit {

Search::Search(const Theory &theory, std::span<const Table> tables, Below below,
               const CompilerLimits &limits, base::Budget &budget, std::uint64_t most_decisions)
    : theory_(theory), tables_(tables), below_(below), limits_(limits), budget_(budget),
      most_decisions_(most_decisions), propagator_(theory, tables), unfounded_(theory, propagator_),
      builder_(signature_of(theory, below)), counter_(signature_of(theory, Below::models)),
      outcome_of_(theory.variable_limit(), 0), free_of_(theory.variable_limit(), nothing),
      table_of_(theory.choices().size(), nothing), shown_of_(2 * theory.variable_limit(), nothing) {
    NEURASP_ASSERT(theory.determined || theory.shown.empty() || below == Below::models,
                   "what is shown of free choices is shown of their models");
    for (const Choice &choice : theory.choices()) {
        if (choice.outcomes.size() < 3) continue; // with two outcomes, the sign says which
        for (std::uint32_t o = 0; o < choice.outcomes.size(); ++o) {
            outcome_of_[choice.outcomes[o].var()] = o;
        }
    }
    auto next = static_cast<std::uint32_t>(theory.choices().size());
    for (const auto &[var, atom] : theory.open_atoms) free_of_[var] = next++;
    if (below == Below::ratios) next = static_cast<std::uint32_t>(theory.choices().size());
    for (const Lit lit : theory.shown) {
        if (lit.var() != 0 && shown_of_[lit.code()] == nothing) shown_of_[lit.code()] = next;
        ++next;
    }
    for (std::uint32_t t = 0; t < tables.size(); ++t) {
        for (const auto &row : tables[t].rows) {
            for (const Lit lit : row) {
                const std::uint32_t choice = theory.choice_of(lit.var());
                if (choice != nothing && table_of_[choice] == nothing) table_of_[choice] = t;
            }
        }
    }
}

bool Search::propagate() {
    while (true) {
        if (!propagator_.propagate()) return false;
        const std::size_t before = propagator_.trail().size();
        if (!unfounded_.check()) return false;
        if (propagator_.trail().size() == before) return true;
    }
}

std::optional<Remainder> Search::remainder() {
    if (!propagate()) return std::nullopt;
    Remainder rest;
    WalkingFinder finder(theory_, propagator_, unfounded_,
                         std::vector<std::uint32_t>(theory_.variable_limit(), 0));
    rest.clauses = finder.needed_clauses();
    rest.is_open.assign(theory_.variable_limit(), false);
    rest.is_false.assign(2 * theory_.variable_limit(), false);
    for (const std::uint32_t clause : rest.clauses) {
        for (const Lit lit : theory_.clause(clause)) {
            if (propagator_.is_open(lit.var())) rest.is_open[lit.var()] = true;
        }
    }
    for (Var var = 1; var < theory_.variable_limit(); ++var) {
        if (theory_.kind(var) == VarKind::open && propagator_.is_open(var)) {
            rest.is_open[var] = true;
        }
    }
    for (const Lit lit : propagator_.trail()) rest.is_false[(~lit).code()] = true;
    return rest;
}

Circuit Search::run(const Order &order, bool follow_trail) {
    Node root;
    if (propagate()) {
        if (follow_trail && theory_.determined && theory_.recursive.empty()) {
            finder_ = std::make_unique<TrailFinder>(theory_, tables_, propagator_, order.sequence);
        } else {
            finder_ =
                std::make_unique<WalkingFinder>(theory_, propagator_, unfounded_, order.position);
        }
        condition(finder_->whole(), Stage::random, {});
        root = run_frames();
    }
    return std::move(builder_).finish(root);
}

void Search::add_to(CompilerStatistics &statistics) const {
    statistics.decisions += statistics_.decisions;
    if (finder_) statistics.steps += finder_->steps();
    statistics.conflicts += propagator_.conflicts();
    statistics.cache_lookups += statistics_.cache_lookups;
    statistics.cache_hits += statistics_.cache_hits;
}

bool Search::decide(Lit lit) {
    spend_decision();
    propagator_.decide(lit);
    if (propagate()) return true;
    propagator_.learn_from_conflict();
    undo(1);
    return false;
}

void Search::undo(std::uint32_t levels) {
    if (levels == 0) return;
    for (; levels > 0; --levels) propagator_.undo_level();
    unfounded_.undone();
}

// Applies what the last conflict taught; false if there is no model.
bool Search::use_learned() { return propagator_.apply_learned() && propagate(); }

void Search::spend_decision() {
    ++statistics_.decisions;
    if (statistics_.decisions > most_decisions_) throw LimitEnds{decision_limit};
    if (builder_.node_count() + counter_.node_count() > limits_.nodes)
        throw LimitEnds{"node limit"};
    if (statistics_.decisions % 128 != 0) return;
    if (budget_.exhausted()) throw LimitEnds{base::describe(budget_.reached())};
    constexpr std::uint64_t entry_bytes = 64; // of an entry in a hash table, estimated
    const std::uint64_t bytes =
        (upper_.size() + counts_.size() + satisfiable_.size()) * entry_bytes +
        (builder_.node_count() + counter_.node_count()) * 96 +
        (builder_.edge_count() + counter_.edge_count()) * sizeof(Edge);
    if (bytes > limits_.bytes) throw LimitEnds{"memory limit"};
}

void Search::check_steps() const {
    if (finder_->steps() > limits_.steps) throw LimitEnds{step_limit};
}

bool Search::contradicts_evidence() const {
    return std::any_of(theory_.evidence.begin(), theory_.evidence.end(),
                       [&](Lit lit) { return propagator_.is_false(lit); });
}

void Search::remember(const Frame &frame, const Node &node) {
    Cache &known = cache(frame.stage);
    known.emplace(frame.component.key, node);
    inserted_.push_back({&known, frame.component.key});
}

void Search::forget_since(std::size_t mark) {
    for (std::size_t i = mark; i < inserted_.size(); ++i) {
        inserted_[i].cache->erase(inserted_[i].key);
    }
    inserted_.resize(mark);
}

// --- the stack ---

Search::Node Search::run_frames() {
    while (!frames_.empty()) go_on(frames_.back());
    return result_;
}

void Search::go_on(Frame &frame) {
    switch (frame.task) {
    case Task::parts: go_on_with_parts(frame); break;
    case Task::branch: go_on_with_branches(frame); break;
    case Task::leaf: go_on_with_leaf(frame); break;
    case Task::test: go_on_with_test(frame); break;
    }
}

// The node of `parent` under the current assignment, after `decision`.
void Search::condition(const Component &parent, Stage stage, const Decision &decision) {
    result_ = std::nullopt;
    result_input_ = one_input;
    check_steps();
    if (stage == Stage::random && contradicts_evidence()) return;
    Frame frame;
    frame.task = Task::parts;
    frame.stage = stage;
    frame.decision = decision;
    frame.component = parent;
    frame.first = static_cast<std::uint32_t>(parts_.size());
    frame.factors = static_cast<std::uint32_t>(factors_.size());
    frame.inputs = static_cast<std::uint32_t>(inputs_.size());
    frame.inserted = inserted_.size();
    frame.mark = finder_->mark();
    finder_->split(parent, parts_);
    collect_inputs(parent, stage, decision);
    frames_.push_back(frame);
}

// Appends the inputs of what the decision implies in `parent`: outcomes, shown literals and, if models are wanted,
// free atoms.
void Search::collect_inputs(const Component &parent, Stage stage, const Decision &decision) {
    literals_.clear();
    finder_->append_implied(parent, literals_);
    for (const Lit lit : literals_) {
        const Var var = lit.var();
        if (shown_of_[lit.code()] != nothing) {
            inputs_.push_back(builder_.input(shown_of_[lit.code()], 0));
        }
        if (below_ == Below::models && free_of_[var] != nothing &&
            decision != Decision{Decision::Kind::open, var}) {
            inputs_.push_back(builder_.input(free_of_[var], lit.positive() ? 0 : 1));
        }
        const std::uint32_t choice = theory_.choice_of(var);
        if (choice == nothing || decision == Decision{Decision::Kind::choice, choice}) continue;
        if (theory_.choices()[choice].outcomes.size() == 2) {
            inputs_.push_back(builder(stage).input(choice, lit.positive() ? 0 : 1));
        } else if (lit.positive()) {
            inputs_.push_back(builder(stage).input(choice, outcome_of_[var]));
        }
    }
}

void Search::go_on_with_parts(Frame &frame) {
    bool consistent = true;
    if (frame.waits) {
        frame.waits = false;
        consistent = result_.has_value();
        if (consistent) factors_.push_back(*result_);
    }
    if (consistent && frame.first + frame.next < parts_.size()) {
        frame.waits = true;
        const Component part = parts_[frame.first + frame.next++];
        solve(part, frame.stage);
        return;
    }
    result_ = std::nullopt;
    if (consistent) {
        // in a fixed order, so that equal products are one node
        std::sort(inputs_.begin() + frame.inputs, inputs_.end());
        std::sort(factors_.begin() + frame.factors, factors_.end());
        result_input_ = take_edge_input(frame);
        result_ = builder(frame.stage)
                      .product(std::span(inputs_).subspan(frame.inputs),
                               std::span(factors_).subspan(frame.factors));
    } else if (parts_.size() - frame.first > 1) {
        forget_since(frame.inserted);
    }
    finder_->release(frame.mark);
    parts_.resize(frame.first);
    factors_.resize(frame.factors);
    inputs_.resize(frame.inputs);
    frames_.pop_back();
}

// Takes the input for the edge of a sum without a variable from the inputs of a branch: the one that depends most on what
// was decided before. The rest of the product is then more often the same in other branches.
InputId Search::take_edge_input(const Frame &frame) {
    const auto first = inputs_.begin() + frame.inputs;
    const bool has_variable = frame.decision.kind != Decision::Kind::table &&
                              frame.decision.kind != Decision::Kind::variable;
    if (has_variable || first == inputs_.end()) return one_input;
    const auto place = std::max_element(first, inputs_.end(), [&](InputId a, InputId b) {
        return dependence(a, frame) < dependence(b, frame);
    });
    const InputId input = *place;
    inputs_.erase(place);
    return input;
}

// How much an implied input depends on decisions before the last one. A row of a table depends on the table's value
// and on those of its parents.
int Search::dependence(InputId input, const Frame &frame) const {
    const std::uint32_t variable = builder_.variable_of(input);
    if (variable >= table_of_.size()) return 0; // a shown literal
    const std::uint32_t table = table_of_[variable];
    if (table == nothing) return 1;
    if (frame.decision == Decision{Decision::Kind::table, table}) return 2;
    const auto &values = tables_[table].values;
    const bool known_before = std::any_of(values.begin(), values.end(), [&](Lit value) {
        return propagator_.is_true(value) && propagator_.level_of(value.var()) > 0 &&
               propagator_.place_of(value.var()) < frame.component.trail;
    });
    return known_before ? 3 : 0;
}

void Search::solve(const Component &component, Stage stage) {
    const Cache &known = cache(stage);
    ++statistics_.cache_lookups;
    if (const auto place = known.find(component.key); place != known.end()) {
        ++statistics_.cache_hits;
        result_ = place->second;
        return;
    }
    Frame frame;
    frame.task = Task::branch;
    frame.stage = stage;
    frame.component = component;
    frame.first = static_cast<std::uint32_t>(edges_.size());
    if (stage == Stage::counting) {
        if (component.open_var == 0) throw std::logic_error("a component with nothing to decide");
        frame.decision = {Decision::Kind::open, component.open_var};
    } else if (component.decision.kind != Decision::Kind::none) {
        frame.decision = component.decision;
    } else {
        frame.task = Task::leaf;
    }
    frames_.push_back(frame);
}

// Sets the result of a component, which is the frame on top of the stack.
void Search::finish(const Frame &frame, const Node &node) {
    remember(frame, node);
    edges_.resize(frame.first);
    result_ = node;
    frames_.pop_back();
}

// --- branches ---

void Search::go_on_with_branches(Frame &frame) {
    if (frame.waits) {
        frame.waits = false;
        undo(frame.levels);
        frame.levels = 0;
        const InputId input = frame.edge_input != one_input ? frame.edge_input : result_input_;
        if (result_) edges_.push_back({input, *result_});
    }
    switch (make_next_branch(frame)) {
    case Branch::made: {
        frame.waits = true;
        const Component component = frame.component; // the stack may move
        condition(component, frame.stage, Decision(frame.decision));
        break;
    }
    case Branch::none_left: finish(frame, join_branches(frame)); break;
    case Branch::contradiction: finish(frame, std::nullopt); break;
    }
}

std::uint32_t Search::branch_count(const Decision &decision) const {
    if (decision.kind == Decision::Kind::choice) {
        return static_cast<std::uint32_t>(theory_.choices()[decision.index].outcomes.size());
    }
    if (decision.kind == Decision::Kind::table) {
        return static_cast<std::uint32_t>(tables_[decision.index].values.size()) + 1;
    }
    return 2;
}

// Puts the literals that make a branch into literals_; false if the branch is excluded.
bool Search::find_literals(const Frame &frame, std::uint32_t branch) {
    literals_.clear();
    const Decision &decision = frame.decision;
    if (decision.kind == Decision::Kind::choice) {
        literals_.push_back(theory_.choices()[decision.index].outcomes[branch]);
    } else if (decision.kind != Decision::Kind::table) {
        literals_.emplace_back(decision.index, branch == 0);
    } else if (const auto &values = tables_[decision.index].values; branch < values.size()) {
        if (!finder_->contains(frame.component, values[branch].var())) return false;
        literals_.push_back(values[branch]);
    } else { // none of the component's values
        bool possible = !tables_[decision.index].complete;
        for (const Lit value : values) {
            if (finder_->contains(frame.component, value.var())) {
                literals_.push_back(~value);
            } else if (!propagator_.is_false(value)) {
                possible = true;
            }
        }
        if (!possible) return false;
    }
    return std::none_of(literals_.begin(), literals_.end(),
                        [&](Lit lit) { return propagator_.is_false(lit); });
}

Search::Branch Search::make_next_branch(Frame &frame) {
    while (frame.next < branch_count(frame.decision)) {
        const std::uint32_t branch = frame.next++;
        if (!find_literals(frame, branch)) continue;
        if (!make_branch(frame)) {
            if (!use_learned()) return Branch::contradiction;
            continue;
        }
        frame.edge_input = one_input;
        if (frame.decision.kind == Decision::Kind::choice) {
            frame.edge_input = builder(frame.stage).input(frame.decision.index, branch);
        } else if (frame.decision.kind == Decision::Kind::open) {
            frame.edge_input = builder(frame.stage).input(free_of_[frame.decision.index], branch);
        }
        return Branch::made;
    }
    return Branch::none_left;
}

// Decides literals_, each in a level of its own; false, with nothing decided, if that is a contradiction.
bool Search::make_branch(Frame &frame) {
    for (const Lit lit : literals_) {
        if (propagator_.is_false(lit) || !decide(lit)) {
            undo(frame.levels);
            frame.levels = 0;
            return false;
        }
        ++frame.levels;
    }
    return true;
}

Search::Node Search::join_branches(const Frame &frame) {
    const auto edges = std::span(edges_).subspan(frame.first);
    switch (frame.decision.kind) {
    case Decision::Kind::choice: return builder(frame.stage).decision(frame.decision.index, edges);
    case Decision::Kind::open:
        return builder(frame.stage).decision(free_of_[frame.decision.index], edges);
    default:
        cases_.clear();
        for (const Edge &edge : edges) cases_.push_back({edge.input, edge.child});
        return builder(frame.stage).cases(cases_);
    }
}

// --- components without random variables ---

// First counts all models, then those that satisfy the evidence.
void Search::go_on_with_leaf(Frame &frame) {
    enum : std::uint32_t { start, tested, counted, observed };
    const bool waited = frame.waits;
    frame.waits = true;
    const Component component = frame.component; // the stack may move
    if (!waited && below_ == Below::ratios && !component.has_evidence) {
        frame.next = tested;
        test(component);
    } else if (!waited) {
        frame.next = counted;
        solve(component, Stage::counting);
    } else if (frame.next == tested || !result_) {
        undo(frame.levels);
        finish(frame, result_ ? Node(true_node) : std::nullopt);
    } else if (frame.next == observed) {
        undo(frame.levels);
        finish_leaf(frame, result_);
    } else {
        frame.all = result_;
        if (!component.has_evidence) {
            finish_leaf(frame, result_);
            return;
        }
        literals_.clear();
        for (const Lit lit : theory_.evidence) {
            if (finder_->contains(component, lit.var())) literals_.push_back(lit);
        }
        if (!make_branch(frame)) {
            finish(frame, std::nullopt);
            return;
        }
        frame.next = observed;
        condition(component, Stage::counting, {});
    }
}

void Search::finish_leaf(Frame &frame, const Node &observed) {
    const base::ScaledReal num = builder(Stage::counting).count(*frame.all);
    if (below_ == Below::models) {
        const InputId share = builder_.constant(base::ScaledReal(1.0L) / num);
        finish(frame, builder_.product(std::span(&share, 1), std::span(&*observed, 1)));
    } else if (*observed == *frame.all) {
        finish(frame, true_node);
    } else {
        const InputId share = builder_.constant(counter_.count(*observed) / num);
        finish(frame, builder_.product(std::span(&share, 1), {}));
    }
}

// Whether a component has a model: `result_` is the true node, or nothing.
void Search::test(const Component &component) {
    ++statistics_.cache_lookups;
    if (satisfiable_.contains(component.key)) {
        ++statistics_.cache_hits;
        result_ = true_node;
        return;
    }
    Frame frame;
    frame.task = Task::test;
    frame.component = component;
    frame.first = static_cast<std::uint32_t>(parts_.size());
    frames_.push_back(frame);
}

// A branch has a model if all of its components have one. `levels` is 1 inside of a branch.
void Search::go_on_with_test(Frame &frame) {
    bool found = false;
    if (frame.waits) {
        frame.waits = false;
        found = result_.has_value();
    }
    while (true) {
        if (frame.levels > 0) {
            if (found && frame.first + frame.factors < parts_.size()) {
                frame.waits = true;
                const Component part = parts_[frame.first + frame.factors++];
                test(part);
                return;
            }
            finder_->release(frame.mark);
            parts_.resize(frame.first);
            undo(frame.levels);
            frame.levels = 0;
        }
        if (found || frame.next == 2) break;
        const Lit lit(frame.component.open_var, frame.next++ == 0);
        if (propagator_.is_false(lit)) continue;
        if (!decide(lit)) {
            if (!use_learned()) break;
            continue;
        }
        frame.levels = 1;
        frame.factors = 0;
        frame.mark = finder_->mark();
        finder_->split(frame.component, parts_);
        found = true; // of the parts tested so far
    }
    if (found) satisfiable_.insert(frame.component.key); // a failure may be due to a sibling
    result_ = found ? Node(true_node) : std::nullopt;
    frames_.pop_back();
}

} // namespace neurasp::circuit
