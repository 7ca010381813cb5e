// Finds unfounded sets with source pointers and excludes them by loop nogoods (unfounded.hpp).
#include "circuit/unfounded.hpp"

#include <algorithm>

namespace neurasp::circuit {

UnfoundedSets::UnfoundedSets(const Theory &theory, Propagator &propagator)
    : propagator_(propagator), index_of_(theory.variable_limit(), nothing),
      with_body_(2 * theory.variable_limit()), components_of_(theory.variable_limit()),
      variables_of_(theory.recursive_components), unsettled_(theory.recursive_components) {
    for (const RecursiveAtom &atom : theory.recursive) {
        index_of_[atom.atom] = static_cast<std::uint32_t>(atoms_.size());
        atoms_.push_back(atom.atom);
        component_.push_back(atom.component);
    }
    supports_of_.resize(atoms_.size());
    needed_by_.resize(atoms_.size());
    source_.assign(atoms_.size(), nothing);
    in_set_.assign(atoms_.size(), false);
    founded_.assign(atoms_.size(), false);
    const auto belongs = [&](Var var, std::uint32_t component) {
        auto &list = components_of_[var];
        if (var == 0 || std::find(list.begin(), list.end(), component) != list.end()) return;
        list.push_back(component);
        variables_of_[component].push_back(var);
    };
    for (const RecursiveAtom &atom : theory.recursive) {
        belongs(atom.atom, atom.component);
        for (const Support &support : atom.supports) {
            const auto index = static_cast<std::uint32_t>(supports_.size());
            Source source{support.body, index_of_[atom.atom], {}, support.others, support.choice};
            for (const Var need : support.needs) {
                source.needs.push_back(index_of_[need]);
                needed_by_[index_of_[need]].push_back(index);
            }
            supports_of_[source.atom].push_back(index);
            with_body_[support.body.code()].push_back(index);
            belongs(support.body.var(), atom.component);
            supports_.push_back(std::move(source));
        }
    }
    missing_.assign(supports_.size(), 0);
}

void UnfoundedSets::undone() { next_ = std::min(next_, propagator_.trail().size()); }

void UnfoundedSets::join(std::uint32_t atom) {
    if (in_set_[atom] || propagator_.is_false(Lit(atoms_[atom]))) return;
    in_set_[atom] = true;
    set_.push_back(atom);
}

// Collects the atoms whose source has become false.
void UnfoundedSets::collect_lost() {
    if (first_) {
        for (std::uint32_t atom = 0; atom < atoms_.size(); ++atom) join(atom);
        first_ = false;
    }
    const auto trail = propagator_.trail();
    for (; next_ < trail.size(); ++next_) {
        for (const std::uint32_t support : with_body_[(~trail[next_]).code()]) {
            if (source_[supports_[support].atom] == support) join(supports_[support].atom);
        }
    }
}

// Adds the atoms whose source needs an atom without a source.
void UnfoundedSets::add_dependants() {
    for (std::size_t i = 0; i < set_.size(); ++i) {
        for (const std::uint32_t support : needed_by_[set_[i]]) {
            if (source_[supports_[support].atom] == support) join(supports_[support].atom);
        }
    }
}

bool UnfoundedSets::try_to_support(std::uint32_t atom) {
    for (const std::uint32_t index : supports_of_[atom]) {
        const Source &support = supports_[index];
        if (propagator_.is_false(support.body)) continue;
        const bool open = std::any_of(support.needs.begin(), support.needs.end(),
                                      [&](std::uint32_t need) { return in_set_[need]; });
        if (open) continue;
        source_[atom] = index;
        in_set_[atom] = false;
        return true;
    }
    return false;
}

void UnfoundedSets::find_new_sources() {
    std::vector<std::uint32_t> supported;
    for (const std::uint32_t atom : set_) {
        if (try_to_support(atom)) supported.push_back(atom);
    }
    while (!supported.empty()) {
        const std::uint32_t atom = supported.back();
        supported.pop_back();
        for (const std::uint32_t index : needed_by_[atom]) {
            const std::uint32_t head = supports_[index].atom;
            if (in_set_[head] && try_to_support(head)) supported.push_back(head);
        }
    }
    std::erase_if(set_, [&](std::uint32_t atom) { return !in_set_[atom]; });
}

// Adds loop nogoods for the unfounded atoms of one component: each of them needs a body from outside.
bool UnfoundedSets::exclude(std::uint32_t component) {
    std::vector<Lit> clause{Lit()};
    for (const std::uint32_t atom : set_) {
        if (component_[atom] != component) continue;
        for (const std::uint32_t index : supports_of_[atom]) {
            const Source &support = supports_[index];
            const bool inside = std::any_of(support.needs.begin(), support.needs.end(),
                                            [&](std::uint32_t need) { return in_set_[need]; });
            if (!inside && support.body != false_lit) clause.push_back(support.body);
        }
    }
    std::sort(clause.begin() + 1, clause.end());
    clause.erase(std::unique(clause.begin() + 1, clause.end()), clause.end());
    for (const std::uint32_t atom : set_) {
        if (component_[atom] != component) continue;
        clause[0] = Lit(atoms_[atom], false);
        if (propagator_.is_true(clause[0])) continue;
        if (!propagator_.add_implied(clause)) return false;
    }
    return true;
}

bool UnfoundedSets::check() {
    if (atoms_.empty()) return true;
    collect_lost();
    if (set_.empty()) return true;
    add_dependants();
    find_new_sources();
    std::sort(set_.begin(), set_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(component_[a], a) < std::pair(component_[b], b);
    });
    bool consistent = true;
    std::uint32_t last = nothing;
    for (const std::uint32_t atom : set_) {
        if (component_[atom] == last) continue;
        last = component_[atom];
        if (!exclude(last)) {
            consistent = false;
            break;
        }
    }
    for (const std::uint32_t atom : set_) in_set_[atom] = false;
    set_.clear();
    return consistent;
}

const std::vector<bool> &UnfoundedSets::unsettled() {
    unsettled_.assign(unsettled_.size(), false);
    std::fill(founded_.begin(), founded_.end(), false);
    std::vector<std::uint32_t> open;
    const auto found = [&](std::uint32_t atom) {
        if (founded_[atom]) return;
        founded_[atom] = true;
        open.push_back(atom);
    };
    for (std::uint32_t index = 0; index < supports_.size(); ++index) {
        if (!propagator_.is_true(supports_[index].body)) continue;
        missing_[index] = static_cast<std::uint32_t>(supports_[index].needs.size());
        // the body of a choice may be true without the atom
        if (missing_[index] == 0 && propagator_.is_true(Lit(atoms_[supports_[index].atom]))) {
            found(supports_[index].atom);
        }
    }
    while (!open.empty()) {
        const std::uint32_t atom = open.back();
        open.pop_back();
        for (const std::uint32_t index : needed_by_[atom]) {
            if (!propagator_.is_true(supports_[index].body)) continue;
            if (--missing_[index] == 0 && propagator_.is_true(Lit(atoms_[supports_[index].atom]))) {
                found(supports_[index].atom);
            }
        }
    }
    for (std::uint32_t atom = 0; atom < atoms_.size(); ++atom) {
        if (founded_[atom] || !propagator_.is_true(Lit(atoms_[atom]))) continue;
        unsettled_[component_[atom]] = true;
    }
    return unsettled_;
}

} // namespace neurasp::circuit
