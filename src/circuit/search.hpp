// The search of the compiler; see compiler.hpp.
#pragma once

#include "circuit/circuit_builder.hpp"
#include "circuit/compiler.hpp"
#include "circuit/components.hpp"
#include "circuit/order.hpp"

#include <unordered_map>

namespace neurasp::circuit {

// The name of the limit on the decisions of one attempt.
inline constexpr const char *decision_limit = "too many decisions";
// The name of the limit on all steps.
inline constexpr const char *step_limit = "more work than it may take";

// Thrown inside the search when a limit is reached; compile() catches it.
struct LimitEnds {
    std::string limit;
};

class Search {
  public:
    using Node = CircuitBuilder::Node; // nothing: false

    Search(const Theory &theory, Below below, const CompilerLimits &limits, base::Budget &budget,
           std::uint64_t most_decisions);

    // The clauses and variables left after propagation without decisions; nothing if the theory has no model.
    struct Start {
        std::vector<std::uint32_t> clauses;
        std::vector<bool> is_open;
    };
    std::optional<Start> start();
    // Throws: LimitEnds.
    Circuit run(const Order &order);
    void add_to(CompilerStatistics &statistics) const;

  private:
    // Which variables are being decided: random ones, or the open ones below them.
    enum class Stage { random, counting };

    bool propagate();
    bool decide(Lit lit);
    void undo();
    // The node of `parent` under the current assignment. `decided` is the variable of the last decision (0 if there was
    // none), whose input the caller adds.
    Node condition(const Component &parent, Stage stage, Var decided);
    std::vector<InputId> implied_inputs(const Component &parent, Stage stage, Var decided);
    Node solve(const Component &component, Stage stage);
    Node decide_choice(const Component &component);
    Node decide_open(const Component &component, Stage stage);
    Node leaf(const Component &component);
    Node count_with_evidence(const Component &component);
    bool satisfiable(const Component &component);
    bool contradicts_evidence() const;
    CircuitBuilder &builder(Stage stage) {
        return stage == Stage::counting && below_ == Below::ratios ? counter_ : builder_;
    }
    void spend_decision();

    using Cache = std::unordered_map<Fingerprint, Node, FingerprintHash>;
    struct Inserted {
        Cache *cache;
        Fingerprint key;
    };
    Cache &cache(Stage stage);
    void forget_since(std::size_t mark);

    const Theory &theory_;
    Below below_;
    CompilerLimits limits_;
    base::Budget &budget_;
    std::uint64_t most_decisions_;
    Propagator propagator_;
    UnfoundedSets unfounded_;
    std::optional<ComponentFinder> finder_;
    CircuitBuilder builder_;
    CircuitBuilder counter_;                // for counting only; its nodes are not in the circuit
    std::vector<std::uint32_t> outcome_of_; // by variable: index among its choice's outcomes
    std::vector<std::uint32_t> free_of_;    // by variable: the circuit's variable of an open one
    Cache upper_;
    Cache counts_;
    std::unordered_map<Fingerprint, bool, FingerprintHash> tests_;
    std::vector<Inserted> inserted_;
    CompilerStatistics statistics_;
};

} // namespace neurasp::circuit
