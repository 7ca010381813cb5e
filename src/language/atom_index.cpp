#include "language/atom_index.hpp"

#include <algorithm>
#include <utility>

namespace neurasp::language {

namespace {

constexpr const char *observe_hint =
    "to observe an outcome, write a constraint such as ':- not digit(0,i1,3).'";

void report_network_atom(const AtomPattern &atom, const NetworkAtoms &network, Reporter &reporter) {
    reporter.error("network-atom-in-head", atom.span,
                   "a rule cannot derive an atom of the network '" + printable(network.network) +
                       "', which the neural rule in " + reporter.place(network.span, atom.span) +
                       " decides",
                   observe_hint);
}

void report_outcome(const AtomPattern &head, const AtomPattern &outcome, Reporter &reporter) {
    reporter.error("probabilistic-atom-in-head", head.span,
                   "an ordinary rule cannot derive an outcome of the probabilistic rule in " +
                       reporter.place(outcome.span, head.span),
                   "derive another atom, or observe the outcome with a constraint");
}

} // namespace

bool NetworkAtoms::may_hold(const AtomPattern &atom) const {
    if (atom.negative) return false;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        if (!may_unify(terms[i], atom.arguments[i + 1])) return false;
    }
    return std::any_of(outcomes.begin(), outcomes.end(), [&](const TermPattern &outcome) {
        return may_unify(outcome, atom.arguments.back());
    });
}

void AtomIndex::add_network(NetworkAtoms atoms) {
    networks_by_signature_[atoms.signature()].push_back(networks_.size());
    first_rules_.try_emplace(atoms.network, networks_.size());
    networks_.push_back(std::move(atoms));
}

void AtomIndex::add_head(AtomPattern atom, bool has_body) {
    // Facts of one predicate mostly stand together, and there may be millions of them.
    const bool same = !heads_.empty() && heads_.back().name == atom.name &&
                      heads_.back().arguments.size() == atom.arguments.size();
    if (!same) head_signatures_.insert(atom.signature());
    if (has_body) rule_signatures_.insert(atom.signature());
    heads_.push_back(std::move(atom));
}

void AtomIndex::add_outcome(AtomPattern atom) {
    outcomes_by_signature_[atom.signature()].push_back(outcomes_.size());
    outcomes_.push_back(std::move(atom));
}

void AtomIndex::add_ground_outcome(const std::string &text, SourceSpan span, Reporter &reporter) {
    const SourceSpan *first = nullptr;
    for (const AtomIndex *index = this; index != nullptr && first == nullptr;
         index = index->base_.get()) {
        const auto found = index->ground_outcomes_.find(text);
        if (found != index->ground_outcomes_.end()) first = &found->second;
    }
    if (first == nullptr) {
        ground_outcomes_.emplace(text, span);
        return;
    }
    reporter.error("random-variable-twice", span,
                   "the atom " + in_quotes(text) + " is an outcome of the probabilistic rule in " +
                       reporter.place(*first, span) + " already",
                   "the outcomes of two random variables must be distinct");
}

void AtomIndex::check(Reporter &reporter) const {
    check_outcome_lists(reporter);
    Budget budget;
    check_heads(*this, budget, reporter);
    check_outcomes(*this, budget, reporter);
    for (const AtomIndex *base = base_.get(); base != nullptr; base = base->base_.get()) {
        check_heads(*base, budget, reporter);
        check_outcomes(*base, budget, reporter);
        check_base(*base, budget, reporter);
    }
}

// What was fine in the base may clash with a neural or probabilistic rule on top of it; the mistake
// is then in the new text.
void AtomIndex::check_base(const AtomIndex &base, Budget &budget, Reporter &reporter) const {
    if (networks_.empty() && outcomes_.empty()) return;
    const auto clashes = [&](const char *code, SourceSpan at, const char *kind, SourceSpan rule) {
        reporter.error(code, at,
                       std::string("the ") + kind + " rule in " + reporter.place(rule, at) +
                           " has an atom in its head that this rule decides",
                       observe_hint);
    };
    for (const AtomPattern &head : base.heads_) {
        if (reporter.full()) return;
        if (const NetworkAtoms *network = find_network(head, budget)) {
            clashes("network-atom-in-head", network->span, "ordinary", head.span);
        }
        if (const AtomPattern *outcome = find_outcome(head, budget)) {
            clashes("probabilistic-atom-in-head", outcome->span, "ordinary", head.span);
        }
    }
    for (const AtomPattern &outcome : base.outcomes_) {
        if (reporter.full()) return;
        if (const NetworkAtoms *network = find_network(outcome, budget)) {
            clashes("network-atom-in-head", network->span, "probabilistic", outcome.span);
        }
    }
}

// Our heads against the networks and outcomes of `other`.
void AtomIndex::check_heads(const AtomIndex &other, Budget &budget, Reporter &reporter) const {
    if (other.networks_.empty() && other.outcomes_.empty()) return;
    for (const AtomPattern &head : heads_) {
        if (reporter.full()) return;
        if (const NetworkAtoms *network = other.find_network(head, budget)) {
            report_network_atom(head, *network, reporter);
        }
        if (const AtomPattern *outcome = other.find_outcome(head, budget)) {
            report_outcome(head, *outcome, reporter);
        }
    }
}

// Our outcomes against the networks of `other`.
void AtomIndex::check_outcomes(const AtomIndex &other, Budget &budget, Reporter &reporter) const {
    if (other.networks_.empty()) return;
    for (const AtomPattern &outcome : outcomes_) {
        if (reporter.full()) return;
        if (const NetworkAtoms *network = other.find_network(outcome, budget)) {
            report_network_atom(outcome, *network, reporter);
        }
    }
}

const NetworkAtoms *AtomIndex::find_network(const AtomPattern &atom, Budget &budget) const {
    const auto found = networks_by_signature_.find(atom.signature());
    if (found == networks_by_signature_.end()) return nullptr;
    for (const std::size_t i : found->second) {
        if (!budget.take()) return nullptr;
        if (networks_[i].may_hold(atom)) return &networks_[i];
    }
    return nullptr;
}

const AtomPattern *AtomIndex::find_outcome(const AtomPattern &atom, Budget &budget) const {
    const auto found = outcomes_by_signature_.find(atom.signature());
    if (found == outcomes_by_signature_.end()) return nullptr;
    for (const std::size_t i : found->second) {
        if (!budget.take()) return nullptr;
        if (may_unify(outcomes_[i], atom)) return &outcomes_[i];
    }
    return nullptr;
}

void AtomIndex::check_outcome_lists(Reporter &reporter) const {
    for (const NetworkAtoms &atoms : networks_) {
        const NetworkAtoms *first = first_rule_of(atoms.network);
        if (first == nullptr || first->outcome_texts == atoms.outcome_texts) continue;
        if (!decidable(atoms) || !decidable(*first)) continue;
        reporter.error("network-two-domains", atoms.span,
                       "the network '" + printable(atoms.network) +
                           "' has other outcomes here than in " +
                           reporter.place(first->span, atoms.span),
                       "a network has one list of outcomes; give the second one its own name");
    }
}

bool AtomIndex::has_rule_for(const Signature &signature) const {
    return rule_signatures_.contains(signature) || (base_ && base_->has_rule_for(signature));
}

bool AtomIndex::has_networks() const {
    return !networks_.empty() || (base_ && base_->has_networks());
}

std::vector<const NetworkAtoms *> AtomIndex::rules_of(const Signature &signature) const {
    std::vector<const NetworkAtoms *> rules;
    if (base_) rules = base_->rules_of(signature);
    const auto found = networks_by_signature_.find(signature);
    if (found == networks_by_signature_.end()) return rules;
    for (const std::size_t i : found->second) rules.push_back(&networks_[i]);
    return rules;
}

bool AtomIndex::is_event(const Signature &term) const {
    return networks_by_signature_.contains({term.first, term.second + 1}) ||
           (base_ && base_->is_event(term));
}

bool AtomIndex::derives(const Signature &signature) const {
    return head_signatures_.contains(signature) || outcomes_by_signature_.contains(signature) ||
           (base_ && base_->derives(signature));
}

const NetworkAtoms *AtomIndex::first_rule_of(const std::string &network) const {
    const NetworkAtoms *first = base_ ? base_->first_rule_of(network) : nullptr;
    if (first != nullptr) return first;
    const auto found = first_rules_.find(network);
    return found == first_rules_.end() ? nullptr : &networks_[found->second];
}

bool AtomIndex::is_constant_name(const std::string &name) const {
    return constant_names_.contains(name) || (base_ && base_->is_constant_name(name));
}

bool AtomIndex::is_fixed(const TermPattern &term) const {
    if (term.kind == TermPattern::Kind::any) return false;
    if (term.kind == TermPattern::Kind::function && term.arguments.empty() &&
        is_constant_name(term.text))
        return false;
    return std::all_of(term.arguments.begin(), term.arguments.end(),
                       [&](const TermPattern &argument) { return is_fixed(argument); });
}

bool AtomIndex::decidable(const NetworkAtoms &atoms) const {
    return std::all_of(atoms.outcomes.begin(), atoms.outcomes.end(),
                       [&](const TermPattern &term) { return is_fixed(term); });
}

} // namespace neurasp::language
