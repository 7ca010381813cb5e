// One attempt to compile a theory with a given order of decisions; see compiler.hpp.
#pragma once

#include "circuit/circuit_builder.hpp"
#include "circuit/compiler.hpp"
#include "circuit/component_cache.hpp"
#include "circuit/component_finder.hpp"
#include "circuit/node_order.hpp"
#include "circuit/propagator.hpp"
#include "circuit/unfounded.hpp"

#include <memory>

namespace neurasp::circuit {

// How far a search may go before it pauses.
struct SearchBounds {
    std::uint64_t decisions = ~std::uint64_t{0};
    std::uint64_t nodes = ~std::uint64_t{0};
    std::uint64_t bytes = ~std::uint64_t{0};
    std::uint64_t steps = ~std::uint64_t{0};
};

// Where a search stands.
enum class SearchEnd : std::uint8_t { done, decisions, nodes, bytes, steps, budget };

class Search {
  public:
    using Node = CircuitBuilder::Node; // nothing: false

    // `tables`: for orders that decide on them; they live as long as the search.
    Search(const Theory &theory, std::span<const Table> tables, Below below, base::Budget &budget,
           const CompilerSwitches &switches);

    // The rest after propagation without decisions; nothing if the theory has no model.
    std::optional<Remainder> remainder();
    // Before anything else of what follows, and once.
    void start(const Order &order);
    // Searches until it is done or reaches a bound. After a bound it can go on.
    SearchEnd go_on(const SearchBounds &bounds);
    // Requires: go_on() said that the search is done.
    Circuit take_circuit() { return std::move(builder_).finish(result_); }

    void add_to(CompilerStatistics &statistics) const;
    std::uint64_t decisions() const { return statistics_.decisions; }
    std::uint64_t steps() const { return finder_ ? finder_->steps() : 0; }
    // The share of the tree of decisions that is finished, if all leaves were at the same depth.
    double progress() const;

  private:
    // Which variables are being decided: random ones, or the open ones below them.
    enum class Stage : std::uint8_t { random, counting };
    enum class Task : std::uint8_t {
        parts,  // the product of the components of `component` under a decision
        branch, // the sum over the branches of a decision in `component`
        leaf, // a component without random variables: the share of its models that satisfy the evidence
        test, // whether a component without random variables has a model
    };
    // A task that waits for the result of the one above it on the stack.
    struct Frame {
        Task task = Task::parts;
        Stage stage = Stage::random;
        bool waits = false; // for a result
        Decision
            decision; // the last one, whose input the caller adds (parts), or that is made (branch)
        Component component;    // parts: the parent, which is split
        std::uint32_t next = 0; // the next branch or part
        std::uint32_t levels =
            0;                   // of the propagator, opened by the current branch, or before parts
        std::uint32_t first = 0; // where its parts, or edges, begin in the lists below
        std::uint32_t factors = 0;      // parts: where its factors begin
        std::uint32_t inputs = 0;       // parts: where its inputs begin
        InputId edge_input = one_input; // branch: what the edge of the current branch carries
        Node all;                       // leaf: its models, with or without the evidence
        std::uint32_t parts = 0;        // parts: how many
        std::size_t inserted = 0;       // parts: the length of inserted_
        ComponentFinder::Mark mark;
    };

    bool propagate();
    bool decide(Lit lit);
    void undo(std::uint32_t levels);
    bool use_learned();
    SearchEnd bound_reached(const SearchBounds &bounds);
    bool contradicts_evidence() const;

    bool settle(const Component &parent, std::uint32_t &levels);

    // Each of these sets result_ or puts a frame on the stack that will.
    void condition(const Component &parent, Stage stage, const Decision &decision);
    void solve(const Component &component, Stage stage);
    void test(const Component &component);
    void go_on_with(Frame &frame);
    void go_on_with_parts(Frame &frame);
    void go_on_with_branches(Frame &frame);
    void go_on_with_leaf(Frame &frame);
    void go_on_with_test(Frame &frame);
    void finish_leaf(Frame &frame, const Node &observed);
    void finish(const Frame &frame, const Node &node);

    // The next branch of a decision that can be made; nothing after the last one.
    enum class Branch : std::uint8_t { made, none_left, contradiction };
    Branch make_next_branch(Frame &frame);
    std::uint32_t branch_count(const Decision &decision) const;
    bool find_literals(const Frame &frame, std::uint32_t branch);
    bool make_branch(Frame &frame);
    Node join_branches(const Frame &frame);
    void collect_inputs(const Component &parent, Stage stage, const Decision &decision);
    InputId take_edge_input(const Frame &frame);
    int dependence(InputId input, const Frame &frame) const;

    CircuitBuilder &builder(Stage stage) {
        return stage == Stage::counting && below_ == Below::ratios ? counter_ : builder_;
    }
    bool is_coin(std::uint32_t choice) const { return choice >= theory_.random_count(); }

    struct Inserted {
        ComponentCache *cache;
        Fingerprint key;
    };
    ComponentCache &cache(Stage stage) { return stage == Stage::random ? upper_ : counts_; }
    std::size_t bytes() const;
    void make_room();
    void remember(const Frame &frame, const Node &node);
    void forget_since(std::size_t mark);

    const Theory &theory_;
    std::span<const Table> tables_;
    Below below_;
    base::Budget &budget_;
    CompilerSwitches switches_;
    std::uint64_t most_cached_;
    Propagator propagator_;
    UnfoundedSets unfounded_;
    std::unique_ptr<ComponentFinder> finder_;
    CircuitBuilder builder_;
    CircuitBuilder counter_;                // for counting only; its nodes are not in the circuit
    std::vector<std::uint32_t> outcome_of_; // by variable: index among its choice's outcomes
    std::vector<std::uint32_t> free_of_;    // by variable: the circuit's variable of an open one
    InputId half_ = one_input;              // the weight of each side of a coin
    std::vector<std::uint32_t> table_of_;   // by choice: the table whose rows it belongs to
    std::vector<std::uint32_t> shown_of_; // by literal code: the circuit's variable of a shown one
    ComponentCache upper_;
    ComponentCache counts_;
    ComponentCache satisfiable_;     // components that were tested
    std::vector<Inserted> inserted_; // as long as a frame may forget them
    std::uint32_t forgetting_ = 0;   // frames with several parts
    CompilerStatistics statistics_;
    std::uint64_t looks_ = 0; // at bounds

    std::vector<Frame> frames_;
    Node result_; // of the frame that was finished last
    InputId result_input_ =
        one_input; // parts: an input to be put on the edge that leads to result_
    // Lists of all frames, one behind the other.
    std::vector<Component> parts_;
    std::vector<NodeId> factors_;
    std::vector<InputId> inputs_;
    std::vector<Edge> edges_;
    std::vector<CircuitBuilder::Case> cases_; // scratch: of a sum
    std::vector<Lit> literals_;               // scratch: of a branch, or implied ones
};

} // namespace neurasp::circuit
