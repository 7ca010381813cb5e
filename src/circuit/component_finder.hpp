// Components: parts of the rest of a theory, under an assignment, that share no variable.
//
// A clause counts if it is unsatisfied and needed. Constraints are needed, and so is the definition of a variable that
// occurs in a needed clause or already has a value. Definitions that are no longer needed are dropped: they leave exactly
// one value for the variable that they define. A definition that was dropped stays dropped in the parts of the
// component, even if propagation assigns its variable later.
//
// There are two finders. `TrailFinder` keeps components up to date along the trail, so that a step costs what changed. It
// needs outcomes that determine the model and no positive cycles. `WalkingFinder` walks over the rest after every
// decision, for all other theories.
#pragma once

#include "circuit/fingerprint.hpp"
#include "circuit/order.hpp"
#include "circuit/theory.hpp"

#include <cstdint>
#include <vector>

namespace neurasp::circuit {

struct Component {
    Fingerprint key;
    Decision decision;      // the first in the order; of the kind `none` if nothing random is left
    std::uint32_t rank = 0; // its place in the order
    Var open_var = 0;       // its first open variable in the order; 0 if there is none
    bool has_evidence = false;
    std::uint32_t trail = 0; // length of the trail when it was made
    // Where the finder keeps its variables:
    std::uint32_t label = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
};

class ComponentFinder {
  public:
    ComponentFinder() = default;
    ComponentFinder(const ComponentFinder &) = delete;
    ComponentFinder &operator=(const ComponentFinder &) = delete;
    virtual ~ComponentFinder() = default;

    // All variables as one component.
    virtual Component whole() = 0;
    // Looks at `parent` before it is split: false if it has no model, although propagation did not notice. Appends to
    // `implied` literals that hold in all of its models; if there are any, the caller makes them true and asks again.
    virtual bool judge(const Component & /*parent*/, std::vector<Lit> & /*implied*/) {
        return true;
    }
    // Appends the components of the rest of `parent` to `found`. What the parent's decision was about stays needed.
    virtual void split(const Component &parent, std::vector<Component> &found) = 0;
    // Appends the literals of `parent` that have become true since it was made and that matter to it. Call after split().
    virtual void append_implied(const Component &parent, std::vector<Lit> &literals) const = 0;
    // Whether a variable is one of the component's. Call before the component is split.
    virtual bool contains(const Component &component, Var var) const = 0;

    // release() drops the components made since the mark was taken. Marks are released in reverse order, and before the
    // propagator undoes the level in which the components were made.
    struct Mark {
        std::uint32_t trail = 0;
        std::uint32_t entries = 0;
    };
    virtual Mark mark() const = 0;
    virtual void release(const Mark &mark) = 0;

    // Variables and literals looked at so far: about proportional to the time taken.
    virtual std::uint64_t steps() const = 0;
};

} // namespace neurasp::circuit
