// Counts maps that satisfy constraints by search with propagation, and finds the smallest one by iterative deepening.
//
// The problem. Each variable is an outcome that occurs in the data, and its value the outcome that it is mapped to. Ten
// digits have 10^10 maps, so they cannot be listed; but each example is a constraint on the few outcomes that occur in it,
// and most of the maps fall with the first constraints.
//
// Counting. A node of the search has a set of values for every variable. Propagation lets each constraint remove values
// that it does not support, until nothing changes; a constraint that all remaining combinations satisfy is dropped. What
// is left falls apart into parts that share no constraint: their counts are multiplied, and a variable without
// constraints counts as many times as it has values. Within a part, the variable with the fewest values is chosen, the
// counts of its values are added. Dropping constraints is what makes large counts cheap: for the parity of sums of two
// digits there are 2 * 5^10 maps; once 0 is mapped to an even digit, propagation leaves every digit five values, every
// constraint holds whatever is chosen, and the count is 5^9 without further search.
//
// The smallest map changes the fewest outcomes. Since parts are independent, it changes only one of those that are there
// after the first propagation; the others keep the identity. For 1, 2, 3, ... changes, a search tries identity first
// and gives up a branch as soon as more values are known to differ. So the first map found is a smallest one, and
// the order of variables and values makes it always the same one.
//
// Limits. Steps are counted, so that results do not depend on the machine; time and the stop flag end the search as well.
// The identity is tried first everywhere and is known to be a solution, so a search that was ended still counts at least
// that, and its count is a lower bound: sums lack branches, products lack factors that are at least as large.
//
// Cost. One step per look at a constraint. In the worst case exponential in the number of outcomes that occur.
#include "training/map_search.hpp"

#include <algorithm>
#include <deque>
#include <numeric>

namespace neurasp::training {

namespace {

using circuit::Natural;
using State = OutcomeRelation::State;

} // namespace

MapSearch::MapSearch(const MapProblem &problem, base::Budget &budget, std::uint64_t steps)
    : problem_(problem), budget_(budget), steps_left_(steps),
      constraints_of_(problem.variables.size()) {
    for (std::uint32_t c = 0; c < problem.constraints.size(); ++c) {
        for (const std::uint32_t v : problem.constraints[c].variables) {
            constraints_of_[v].push_back(c);
        }
    }
}

bool MapSearch::take_step() {
    if (exhausted_ || steps_left_ == 0 || budget_.exhausted()) {
        exhausted_ = true;
        return false;
    }
    --steps_left_;
    budget_.report(++steps_);
    return true;
}

MapSearch::Sets MapSearch::all_sets() const {
    Sets sets;
    for (const MapVariable &variable : problem_.variables) sets.emplace_back(variable.outcomes);
    return sets;
}

MapSearch::Part MapSearch::whole() const {
    Part part{Indices(problem_.variables.size()), Indices(problem_.constraints.size())};
    std::iota(part.variables.begin(), part.variables.end(), 0U);
    std::iota(part.constraints.begin(), part.constraints.end(), 0U);
    return part;
}

// Lets the constraint remove values; appends the variables that lost some to `changed`.
State MapSearch::look_at(const MapConstraint &constraint, Sets &sets, Indices &changed) const {
    std::vector<OutcomeSet *> places;
    std::vector<std::size_t> before;
    for (const std::uint32_t v : constraint.variables) {
        places.push_back(&sets[v]);
        before.push_back(sets[v].count());
    }
    const State state = constraint.relation->filter(places);
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (places[i]->count() != before[i]) changed.push_back(constraint.variables[i]);
    }
    return state;
}

// Removes values until nothing changes, beginning with the constraints of the variables in `changed`, and drops
// constraints that are entailed. False if there is no solution. Stops early if a limit is reached.
bool MapSearch::propagate(Sets &sets, Indices &constraints, const Indices &changed) {
    enum Mark : std::uint8_t { dropped, idle, waiting };
    std::vector<std::uint8_t> marks(problem_.constraints.size(), dropped);
    for (const std::uint32_t c : constraints) marks[c] = idle;
    std::deque<std::uint32_t> queue;
    const auto wake = [&](const Indices &variables) {
        for (const std::uint32_t v : variables) {
            for (const std::uint32_t c : constraints_of_[v]) {
                if (marks[c] != idle) continue;
                marks[c] = waiting;
                queue.push_back(c);
            }
        }
    };
    wake(changed);
    for (; !queue.empty() && take_step(); queue.pop_front()) {
        const std::uint32_t c = queue.front();
        marks[c] = idle;
        Indices narrowed;
        const State state = look_at(problem_.constraints[c], sets, narrowed);
        if (state == State::violated) return false;
        if (state == State::entailed) marks[c] = dropped;
        wake(narrowed);
    }
    std::erase_if(constraints, [&](std::uint32_t c) { return marks[c] == dropped; });
    return true;
}

// The parts into which the constraints fall apart. Variables with one value connect nothing; those without constraints
// belong to no part.
std::vector<MapSearch::Part> MapSearch::split(const Sets &sets, const Part &part) const {
    std::vector<std::uint32_t> leader(problem_.variables.size());
    std::iota(leader.begin(), leader.end(), 0U);
    const auto find_leader = [&](std::uint32_t v) {
        while (leader[v] != v) v = leader[v] = leader[leader[v]];
        return v;
    };
    const auto is_open = [&](std::uint32_t v) { return !sets[v].is_single(); };
    const auto first_open = [&](std::uint32_t c) {
        const Indices &variables = problem_.constraints[c].variables;
        return std::find_if(variables.begin(), variables.end(), is_open);
    };
    std::vector<bool> constrained(problem_.variables.size());
    for (const std::uint32_t c : part.constraints) {
        const Indices &variables = problem_.constraints[c].variables;
        for (auto v = first_open(c); v != variables.end(); ++v) {
            if (!is_open(*v)) continue;
            constrained[*v] = true;
            const std::uint32_t a = find_leader(*first_open(c));
            const std::uint32_t b = find_leader(*v);
            leader[std::max(a, b)] = std::min(a, b);
        }
    }
    std::vector<Part> parts;
    std::vector<std::size_t> place(problem_.variables.size());
    for (const std::uint32_t v : part.variables) {
        if (!constrained[v]) continue;
        if (find_leader(v) == v) {
            place[v] = parts.size();
            parts.emplace_back();
        }
        parts[place[find_leader(v)]].variables.push_back(v);
    }
    for (const std::uint32_t c : part.constraints) {
        const auto v = first_open(c);
        if (v == problem_.constraints[c].variables.end()) continue;
        parts[place[find_leader(*v)]].constraints.push_back(c);
    }
    return parts;
}

// The variable with the fewest values, of those that have more than one.
std::uint32_t MapSearch::choose(const Sets &sets, const Part &part) {
    return *std::min_element(part.variables.begin(), part.variables.end(),
                             [&](std::uint32_t a, std::uint32_t b) {
                                 const auto rank = [&](std::uint32_t v) {
                                     return std::pair(sets[v].is_single(), sets[v].count());
                                 };
                                 return rank(a) < rank(b);
                             });
}

// The values of a variable, the identity first.
MapSearch::Indices MapSearch::values(const OutcomeSet &set, std::uint32_t variable) const {
    const std::uint32_t identity = problem_.variables[variable].identity;
    Indices all;
    if (set.contains(identity)) all.push_back(identity);
    for (std::uint32_t o = 0; o < set.universe(); ++o) {
        if (o != identity && set.contains(o)) all.push_back(o);
    }
    return all;
}

std::size_t MapSearch::forced_changes(const Sets &sets) const {
    std::size_t count = 0;
    for (std::size_t v = 0; v < sets.size(); ++v) {
        if (!sets[v].contains(problem_.variables[v].identity)) ++count;
    }
    return count;
}

MapCount MapSearch::count() {
    const Part part = whole();
    const Natural all = count(all_sets(), part, part.variables);
    return {all, !exhausted_};
}

// The number of solutions in the part, given the values of all variables outside it.
Natural MapSearch::count(Sets sets, Part part, const Indices &changed) {
    if (!propagate(sets, part.constraints, changed)) return Natural();
    // the identity is a solution, and it is in this branch if no variable excludes it
    if (exhausted_) return Natural(forced_changes(sets) == 0 ? 1 : 0);
    const std::vector<Part> parts = split(sets, part);
    Natural result(1);
    std::vector<bool> in_part(problem_.variables.size());
    for (const Part &each : parts) {
        for (const std::uint32_t v : each.variables) in_part[v] = true;
    }
    for (const std::uint32_t v : part.variables) {
        if (!in_part[v]) result = result * Natural(sets[v].count());
    }
    for (const Part &each : parts) {
        if (result.is_zero()) break;
        result = result * count_branches(sets, each);
    }
    return result;
}

Natural MapSearch::count_branches(const Sets &sets, const Part &part) {
    const std::uint32_t variable = choose(sets, part);
    Natural sum;
    for (const std::uint32_t value : values(sets[variable], variable)) {
        Sets narrowed = sets;
        narrowed[variable] = OutcomeSet::only(sets[variable].universe(), value);
        sum += count(std::move(narrowed), part, {variable});
    }
    return sum;
}

SmallestMap MapSearch::smallest() {
    Sets sets = all_sets();
    Part part = whole();
    propagate(sets, part.constraints, part.variables);
    std::vector<Part> parts = split(sets, part);
    std::vector<bool> in_part(sets.size());
    std::size_t largest = 0;
    for (const Part &each : parts) {
        for (const std::uint32_t v : each.variables) in_part[v] = true;
        largest = std::max(largest, each.variables.size());
    }
    for (std::uint32_t v = 0; v < sets.size() && !exhausted_; ++v) {
        if (!in_part[v] && !sets[v].is_single()) parts.push_back({{v}, {}});
    }
    for (std::size_t changes = 1; changes <= std::max<std::size_t>(largest, 1); ++changes) {
        for (const Part &each : parts) {
            Sets narrowed = sets;
            for (std::uint32_t v = 0; v < sets.size(); ++v) keep_identity(narrowed, v);
            for (const std::uint32_t v : each.variables) narrowed[v] = sets[v];
            Sets found;
            if (!find(std::move(narrowed), each, {}, changes, found)) continue;
            SmallestMap result{Indices(), changes, true};
            for (const OutcomeSet &set : found) result.map->push_back(set.first());
            return result;
        }
        if (exhausted_) break;
    }
    return {std::nullopt, 0, !exhausted_};
}

void MapSearch::keep_identity(Sets &sets, std::uint32_t variable) const {
    sets[variable] =
        OutcomeSet::only(sets[variable].universe(), problem_.variables[variable].identity);
}

// Finds a solution that changes at least one and at most `allowed` outcomes; in `found`, each variable has one value.
bool MapSearch::find(Sets sets, Part part, const Indices &changed, std::size_t allowed,
                     Sets &found) {
    if (!propagate(sets, part.constraints, changed) || exhausted_) return false;
    const std::size_t forced = forced_changes(sets);
    if (forced > allowed) return false;
    if (part.constraints.empty()) return complete(std::move(sets), forced, found);
    if (forced < allowed) return find_branches(sets, part, allowed, found);
    // no further changes: all others keep the identity
    Indices kept;
    for (const std::uint32_t v : part.variables) {
        if (sets[v].is_single() || !sets[v].contains(problem_.variables[v].identity)) continue;
        keep_identity(sets, v);
        kept.push_back(v);
    }
    if (kept.empty()) return find_branches(sets, part, allowed, found);
    return find(std::move(sets), std::move(part), kept, allowed, found);
}

// Without constraints, every choice of values is a solution.
bool MapSearch::complete(Sets sets, std::size_t forced, Sets &found) const {
    for (std::uint32_t v = 0; v < sets.size(); ++v) {
        const std::uint32_t identity = problem_.variables[v].identity;
        const bool changes = forced == 0 && !sets[v].is_single();
        if (changes) {
            sets[v].remove(identity);
            forced = 1;
        }
        const std::uint32_t value = sets[v].contains(identity) ? identity : sets[v].first();
        sets[v] = OutcomeSet::only(sets[v].universe(), value);
    }
    found = std::move(sets);
    return forced > 0;
}

bool MapSearch::find_branches(const Sets &sets, const Part &part, std::size_t allowed,
                              Sets &found) {
    const std::uint32_t variable = choose(sets, part);
    if (sets[variable].is_single()) return false;
    const Indices all = values(sets[variable], variable);
    return std::any_of(all.begin(), all.end(), [&](std::uint32_t value) {
        Sets narrowed = sets;
        narrowed[variable] = OutcomeSet::only(sets[variable].universe(), value);
        return find(std::move(narrowed), part, {variable}, allowed, found);
    });
}

} // namespace neurasp::training
