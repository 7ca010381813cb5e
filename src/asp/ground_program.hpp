// A ground program as our own data: the output of clingo's grounder, stored in flat arrays, from which
// analysis, solvers and the circuit compiler read. It only grows. Rules are numbered from 0, atoms from 1.
#pragma once

#include "asp/symbol.hpp"
#include "base/strong_id.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace neurasp::asp {

struct AtomTag;
using AtomId = base::StrongId<AtomTag>; // from 1, as in aspif

// An atom or its default negation.
class Literal {
  public:
    constexpr Literal() = default;
    constexpr explicit Literal(std::int32_t value) : value_(value) {}
    constexpr explicit Literal(AtomId atom, bool positive = true)
        : value_(positive ? static_cast<std::int32_t>(atom.value)
                          : -static_cast<std::int32_t>(atom.value)) {}

    constexpr AtomId atom() const noexcept {
        return AtomId(static_cast<std::uint32_t>(value_ < 0 ? -value_ : value_));
    }
    constexpr bool positive() const noexcept { return value_ > 0; }
    constexpr std::int32_t value() const noexcept { return value_; }
    constexpr Literal operator~() const noexcept { return Literal(-value_); }
    friend constexpr auto operator<=>(Literal, Literal) = default;

  private:
    std::int32_t value_ = 0;
};

// A view of a rule. The head is a disjunction, or a choice if `choice`; a rule without head atoms is a
// constraint. `weights` is empty if the body is a conjunction; otherwise the body holds if the weights of its
// true literals sum to at least `bound` (all weights and the bound are positive).
struct RuleView {
    bool choice = false;
    std::span<const AtomId> head;
    std::span<const Literal> body;
    std::span<const std::int32_t> weights;
    std::int32_t bound = 0;

    bool weighted() const noexcept { return !weights.empty(); }
};

struct WeightedLiteral {
    Literal literal;
    std::int32_t weight = 0;
};

// All weak constraints and minimize statements of one priority.
struct Minimize {
    std::int32_t priority = 0;
    std::vector<WeightedLiteral> literals;
};

enum class ExternalValue { free, is_true, is_false };

struct External {
    AtomId atom;
    ExternalValue value = ExternalValue::is_false;
};

// A term that is shown in the models that satisfy the condition.
struct ShownTerm {
    Symbol symbol;
    std::vector<Literal> condition;
};

// An edge of the graph that must stay acyclic (#edge).
struct AcyclicityEdge {
    int from = 0;
    int to = 0;
    std::vector<Literal> condition;
};

class GroundProgram {
  public:
    void add_rule(bool choice, std::span<const AtomId> head, std::span<const Literal> body);
    void add_weight_rule(bool choice, std::span<const AtomId> head, std::int32_t bound,
                         std::span<const WeightedLiteral> body);
    // Copies a rule of another program.
    void add(const RuleView &rule);
    void add_minimize(std::int32_t priority, std::span<const WeightedLiteral> literals);
    void add_external(External external);
    // Makes room for atoms below `limit`, whether or not a rule mentions them.
    void reserve_atoms(std::uint32_t limit) { atom_limit_ = std::max(atom_limit_, limit); }
    void add_shown(ShownTerm term) { shown_.push_back(std::move(term)); }
    void add_edge(AcyclicityEdge edge) { edges_.push_back(std::move(edge)); }
    void set_symbol(AtomId atom, Symbol symbol, bool fact);

    std::size_t rule_count() const noexcept { return rules_.size(); }
    RuleView rule(std::size_t index) const;
    // Atoms are 1 .. atom_limit() - 1.
    std::uint32_t atom_limit() const noexcept { return atom_limit_; }
    // Priorities from high to low.
    const std::vector<Minimize> &minimize() const noexcept { return minimize_; }
    const std::vector<External> &externals() const noexcept { return externals_; }
    const std::vector<ShownTerm> &shown() const noexcept { return shown_; }
    const std::vector<AcyclicityEdge> &edges() const noexcept { return edges_; }

    std::optional<Symbol> symbol(AtomId atom) const;
    std::optional<AtomId> find(Symbol symbol) const;
    bool is_fact(AtomId atom) const;
    // Atoms that have a symbol, in the order of their ids.
    std::vector<AtomId> named_atoms() const;

    // Throws: std::logic_error if an invariant is broken (ranges, positive weights, order of priorities).
    void verify() const;

  private:
    struct Rule {
        std::uint32_t head_begin = 0;
        std::uint32_t head_end = 0;
        std::uint64_t body_begin = 0;
        std::uint32_t body_size = 0;
        std::int32_t bound = 0;
        std::uint64_t weights_begin = no_weights;
        bool choice = false;
    };
    static constexpr std::uint64_t no_weights = ~std::uint64_t{0};

    void note(AtomId atom);
    Rule &push_head(bool choice, std::span<const AtomId> head);

    std::vector<Rule> rules_;
    std::vector<AtomId> heads_;
    std::vector<Literal> bodies_;
    std::vector<std::int32_t> weights_;
    std::vector<Minimize> minimize_;
    std::vector<External> externals_;
    std::vector<ShownTerm> shown_;
    std::vector<AcyclicityEdge> edges_;
    std::vector<Symbol> symbols_; // by atom; handle 0 means none
    std::vector<bool> facts_;     // by atom
    std::unordered_map<Symbol, AtomId> atoms_by_symbol_;
    std::uint32_t atom_limit_ = 1;
};

} // namespace neurasp::asp
