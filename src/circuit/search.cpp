// The search behind compile().
//
// The idea is that of exhaustive DPLL with component caching (Sang et al. 2004; Huang and Darwiche 2007): decide,
// propagate, split what is left into components, look each of them up by its key, and otherwise decide again. The trace of
// the search is the circuit: a decision is a sum over its branches, components are a product, and a component that was seen
// before is a node that exists. README.md describes what is specific to our theories; search_branches.cpp, what a decision
// branches on, and search_leaves.cpp, what happens where no random variable is left.
//
// The stack. Theories are as deep as programs are long, so the search keeps its own stack of frames instead of calling
// itself. A frame that needs the result of another one puts it on the stack and goes on when that one has set `result_`.
// The components, factors, inputs and edges of all frames are in four lists, each frame's behind those below it: no decision
// allocates memory once the lists have grown.
//
// Learning and the cache. If a component has no model, learned clauses may follow from that contradiction alone. Its
// siblings may have been solved with such clauses, so what was cached since the split is forgotten (forget_since).
//
// Invariants. When a frame ends, the lists are as long as when it began, and the trail and the finder are where they were; a
// node is cached only for a component that was solved in full.
//
// Cost. Decisions times what each changes. Of the search on grids of 8 x 8 tables, four fifths are in splitting components
// and one twentieth in propagation. Dynamic scores by activity (VSADS) were tried in place of fixed orders: 1.3 to 66 times more nodes.
#include "circuit/search.hpp"

#include "base/assert.hpp"
#include "circuit/theory_key.hpp"
#include "circuit/trail_finder.hpp"
#include "circuit/walking_finder.hpp"

#include <algorithm>
#include <stdexcept>

namespace neurasp::circuit {

namespace {

// Of a cache that has just grown, for each entry.
constexpr std::uint64_t entry_bytes = 64;

} // namespace

Search::Search(const Theory &theory, std::span<const Table> tables, Below below,
               base::Budget &budget, const CompilerSwitches &switches)
    : theory_(theory), tables_(tables), below_(below), budget_(budget), switches_(switches),
      most_cached_(switches.most_cached), propagator_(theory, tables, switches.most_learned),
      unfounded_(theory, propagator_),
      builder_(signature_of(theory, below), below == Below::models && !theory.determined
                                                ? CircuitBuilder::Counts::of_assignments
                                                : CircuitBuilder::Counts::none),
      counter_(signature_of(theory, Below::models), CircuitBuilder::Counts::of_assignments),
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
    auto next = static_cast<std::uint32_t>(theory.random_count());
    for (const auto &[var, atom] : theory.open_atoms) free_of_[var] = next++;
    if (below == Below::ratios) next = static_cast<std::uint32_t>(theory.random_count());
    if (theory.coins > 0) half_ = builder_.constant(base::ScaledReal(0.5L));
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
    rest.exits = finder.exit_count();
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

void Search::start(const Order &order) {
    if (!propagate()) return; // no model: there is nothing to do, and the result is nothing
    if (switches_.follow_trail && theory_.determined && theory_.recursive.empty()) {
        finder_ = std::make_unique<TrailFinder>(theory_, tables_, propagator_, order.sequence);
    } else {
        finder_ = std::make_unique<WalkingFinder>(theory_, propagator_, unfounded_, order.position,
                                                  order.near);
    }
    condition(finder_->whole(), Stage::random, {});
}

SearchEnd Search::go_on(const SearchBounds &bounds) {
    most_cached_ = std::min(switches_.most_cached, bounds.bytes / 2 / entry_bytes);
    while (!frames_.empty()) {
        const SearchEnd end = bound_reached(bounds);
        if (end != SearchEnd::done) return end;
        go_on_with(frames_.back());
    }
    return SearchEnd::done;
}

// `done` if there is none. Frames are small pieces of work, so it is enough to look between them.
SearchEnd Search::bound_reached(const SearchBounds &bounds) {
    if (statistics_.decisions >= bounds.decisions) return SearchEnd::decisions;
    if (builder_.node_count() + counter_.node_count() > bounds.nodes) return SearchEnd::nodes;
    if (steps() > bounds.steps) return SearchEnd::steps;
    make_room();
    if (looks_++ % 128 != 0) return SearchEnd::done;
    if (budget_.exhausted()) return SearchEnd::budget;
    if (bytes() > bounds.bytes) return SearchEnd::bytes;
    return SearchEnd::done;
}

void Search::add_to(CompilerStatistics &statistics) const {
    statistics.decisions += statistics_.decisions;
    statistics.steps += steps();
    statistics.conflicts += propagator_.conflicts();
    statistics.cache_lookups += statistics_.cache_lookups;
    statistics.cache_hits += statistics_.cache_hits;
}

double Search::progress() const {
    double done = 0.0;
    double share = 1.0;
    for (const Frame &frame : frames_) {
        const bool is_branch = frame.task == Task::branch;
        if (!is_branch && (frame.task != Task::parts || frame.parts < 2)) continue;
        const std::uint32_t all = is_branch ? branch_count(frame.decision) : frame.parts;
        share /= all;
        done += share * (frame.next > 0 ? frame.next - 1 : 0);
    }
    return done;
}

bool Search::decide(Lit lit) {
    ++statistics_.decisions;
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

std::size_t Search::bytes() const {
    return upper_.bytes() + counts_.bytes() + satisfiable_.bytes() +
           inserted_.capacity() * sizeof(Inserted) + builder_.bytes() + counter_.bytes();
}

// Drops half of the caches if they have too many entries: they may take half of the memory that is allowed.
void Search::make_room() {
    if (upper_.size() + counts_.size() + satisfiable_.size() <= most_cached_) return;
    for (ComponentCache *cache : {&upper_, &counts_, &satisfiable_}) {
        cache->shrink(cache->size() / 2);
    }
}

bool Search::contradicts_evidence() const {
    return std::any_of(theory_.evidence.begin(), theory_.evidence.end(),
                       [&](Lit lit) { return propagator_.is_false(lit); });
}

void Search::remember(const Frame &frame, const Node &node) {
    ComponentCache &known = cache(frame.stage);
    // no node has the largest number, which stands for false
    known.insert(frame.component.key, node ? node->value : ComponentCache::largest_value);
    if (forgetting_ > 0) inserted_.push_back({&known, frame.component.key});
}

void Search::forget_since(std::size_t mark) {
    for (std::size_t i = mark; i < inserted_.size(); ++i) {
        inserted_[i].cache->erase(inserted_[i].key);
    }
    inserted_.resize(mark);
}

// --- the stack ---

void Search::go_on_with(Frame &frame) {
    switch (frame.task) {
    case Task::parts: go_on_with_parts(frame); break;
    case Task::branch: go_on_with_branches(frame); break;
    case Task::leaf: go_on_with_leaf(frame); break;
    case Task::test: go_on_with_test(frame); break;
    }
}

// Makes true what the finder knows to hold in all models of `parent`, each literal in a level of its own; false if there is
// no model.
bool Search::settle(const Component &parent, std::uint32_t &levels) {
    if (!switches_.judge_supports) return true;
    while (true) {
        literals_.clear();
        if (!finder_->judge(parent, literals_)) return false;
        if (literals_.empty()) return true;
        for (const Lit lit : literals_) {
            if (propagator_.is_true(lit)) continue;
            if (propagator_.is_false(lit)) return false;
            if (!decide(lit)) {
                use_learned();
                return false;
            }
            ++levels;
        }
    }
}

// The node of `parent` under the current assignment, after `decision`.
void Search::condition(const Component &parent, Stage stage, const Decision &decision) {
    result_ = std::nullopt;
    result_input_ = one_input;
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
    if (!settle(parent, frame.levels)) {
        finder_->release(frame.mark);
        undo(frame.levels);
        return;
    }
    finder_->split(parent, parts_);
    frame.parts = static_cast<std::uint32_t>(parts_.size()) - frame.first;
    if (frame.parts > 1) ++forgetting_;
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
        if (is_coin(choice)) {
            inputs_.push_back(half_);
            continue;
        }
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
    if (consistent && frame.next < frame.parts) {
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
    } else if (frame.parts > 1) {
        forget_since(frame.inserted);
    }
    if (frame.parts > 1 && --forgetting_ == 0) inserted_.clear();
    finder_->release(frame.mark);
    undo(frame.levels);
    parts_.resize(frame.first);
    factors_.resize(frame.factors);
    inputs_.resize(frame.inputs);
    frames_.pop_back();
}

void Search::solve(const Component &component, Stage stage) {
    ++statistics_.cache_lookups;
    if (const auto known = cache(stage).find(component.key)) {
        ++statistics_.cache_hits;
        result_ = *known == ComponentCache::largest_value ? Node() : Node(NodeId(*known));
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

} // namespace neurasp::circuit
