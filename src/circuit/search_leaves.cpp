// The second level of the search: components without random variables, where outcomes do not determine the model.
//
// All random variables outside of such a component have values, so its models are counted by deciding its open variables:
// first all of them, which is its share of Num, then those that satisfy the evidence. The ratio of the two is a constant of
// the circuit. If models are wanted, the constant is 1 / Num, and the circuit of the models is below it. A component
// without evidence has ratio 1 if it has a model at all, which is tested without counting.
//
// Invariant. What the two counts find is remembered in a cache of its own: keys of components mean the same in both
// stages, but their nodes do not. A failed test is not remembered, because it may follow from a clause that was learned in
// a sibling.
#include "circuit/search.hpp"

namespace neurasp::circuit {

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
    if (satisfiable_.find(component.key)) {
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
    if (found) satisfiable_.insert(frame.component.key, 0); // a failure may be due to a sibling
    result_ = found ? Node(true_node) : std::nullopt;
    frames_.pop_back();
}

} // namespace neurasp::circuit
