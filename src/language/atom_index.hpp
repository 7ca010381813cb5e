// The atoms of a program by their role, and the checks that look across statements: no rule derives an
// atom of a network or of a probabilistic rule, no two random variables share an outcome, a network
// has one list of outcomes.
//
// A text that is read on top of a base program is checked against it: indexes form a chain.
#pragma once

#include "language/pattern.hpp"
#include "language/reporter.hpp"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace neurasp::language {

// The atoms m(I,t1,..,tk,v) of a neural rule.
struct NetworkAtoms {
    SourceSpan span; // of the neural rule's head
    std::string network;
    TermPattern events;
    std::vector<TermPattern> terms;
    std::vector<TermPattern> outcomes;
    std::vector<std::string> outcome_texts;

    Signature signature() const { return {network, terms.size() + 2}; }
    bool may_hold(const AtomPattern &atom) const;
};

class AtomIndex {
  public:
    explicit AtomIndex(std::shared_ptr<const AtomIndex> base) : base_(std::move(base)) {}

    void add_network(NetworkAtoms atoms);
    // `has_body`: of a rule that is no fact.
    void add_head(AtomPattern atom, bool has_body);
    void add_outcome(AtomPattern atom);
    // An outcome atom without variables of a rule without a body; `text` is its normal form.
    void add_ground_outcome(const std::string &text, SourceSpan span, Reporter &reporter);
    void add_constant_name(std::string name) { constant_names_.insert(std::move(name)); }

    // Checks what was added here against itself and the chain.
    void check(Reporter &reporter) const;

    // What the chain knows.
    bool has_networks() const;
    // The neural rules whose atoms have this signature.
    std::vector<const NetworkAtoms *> rules_of(const Signature &signature) const;
    // Whether `m(i,t1,..,tk)` is an event of a network, so that `m(i,t1,..,tk)=v` is an atom.
    bool is_event(const Signature &term) const;
    // The oldest rule of a network.
    const NetworkAtoms *first_rule_of(const std::string &network) const;
    // Whether an ordinary or probabilistic rule derives atoms of this signature.
    bool derives(const Signature &signature) const;
    // Whether an ordinary rule with a body does.
    bool has_rule_for(const Signature &signature) const;
    // Whether a term is no variable, nothing to evaluate and no #const.
    bool is_fixed(const TermPattern &term) const;
    // Whether the texts of the outcomes tell them apart: all are fixed.
    bool decidable(const NetworkAtoms &atoms) const;

  private:
    // Bounds the comparisons of atoms that share a signature; what it leaves out, grounding finds.
    struct Budget {
        std::size_t comparisons = 5'000'000;
        bool take() { return comparisons > 0 && comparisons-- > 0; }
    };

    void check_heads(const AtomIndex &other, Budget &budget, Reporter &reporter) const;
    void check_outcomes(const AtomIndex &other, Budget &budget, Reporter &reporter) const;
    void check_base(const AtomIndex &base, Budget &budget, Reporter &reporter) const;
    void check_outcome_lists(Reporter &reporter) const;
    const NetworkAtoms *find_network(const AtomPattern &atom, Budget &budget) const;
    const AtomPattern *find_outcome(const AtomPattern &atom, Budget &budget) const;
    bool is_constant_name(const std::string &name) const;

    std::shared_ptr<const AtomIndex> base_;
    std::vector<NetworkAtoms> networks_;
    std::vector<AtomPattern> heads_;
    std::vector<AtomPattern> outcomes_;
    std::map<Signature, std::vector<std::size_t>> networks_by_signature_;
    std::map<Signature, std::vector<std::size_t>> outcomes_by_signature_;
    std::set<Signature> head_signatures_;
    std::set<Signature> rule_signatures_;            // of heads with a body
    std::map<std::string, std::size_t> first_rules_; // of each network
    std::unordered_map<std::string, SourceSpan> ground_outcomes_;
    std::set<std::string> constant_names_; // of #const
};

} // namespace neurasp::language
