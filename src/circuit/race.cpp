// Lets searches with different orders compete (race.hpp).
//
// An estimate says little about the best few orders, so they are tried. Each search gets a number of decisions. If none is
// done, the better half of them goes on with four times as many, but never fewer than two (successive halving: Jamieson
// and Talwalkar 2016). Searches pause and go on where they were; nothing is done twice.
//
// Who is better. A search that paused has finished some branches of the decisions on its stack. Their share of the whole tree,
// if all its leaves were at the same depth, is its progress. This is crude, because most of what comes later will be found
// in the cache, but it errs in the same way for all. On programs with positive cycles it names the order that is done
// first, or the second, in nearly all cases.
//
// Which circuit. The first one, as a rule. If all searches together took few decisions, the others may take twice as many
// as the winner did, and the smallest circuit is taken, because it will be evaluated often.
//
// Determinism. Budgets count decisions, never seconds: the same theory gives the same circuit on every machine. A limit on
// steps ends the race only as long as there is no circuit, so it does not decide which one is found. A limit on memory holds
// for all searches together: the one that is furthest behind makes room.
#include "circuit/race.hpp"

#include <algorithm>

namespace neurasp::circuit {

namespace {

constexpr std::uint64_t growth = 4;
constexpr std::size_t fewest = 2;

// Whether no other order can give a much smaller circuit.
bool is_minimal(const Circuit &circuit) {
    return circuit.edge_count() <= 2 * circuit.random_variable_count();
}

} // namespace

Race::Race(const Theory &theory, std::span<const Table> tables, Below below,
           const CompilerLimits &limits, base::Budget &budget, const CompilerSwitches &switches,
           const Rules &rules, CompilerResult &result)
    : theory_(theory), tables_(tables), below_(below), limits_(limits), budget_(budget),
      switches_(switches), rules_(rules), result_(result), decisions_(rules.first_decisions) {}

Race::~Race() {
    for (Runner &runner : runners_) {
        if (runner.search) drop(runner);
    }
}

std::uint64_t Race::total(std::uint64_t (Search::*count)() const) const {
    std::uint64_t sum = 0;
    for (const Runner &runner : runners_) {
        if (runner.search) sum += (*runner.search.*count)();
    }
    return sum;
}

bool Race::enter(std::span<const Order> orders) {
    for (const Order &order : orders) {
        runners_.push_back({std::make_unique<Search>(theory_, tables_, below_, budget_, switches_),
                            0.0, order.favourite});
        runners_.back().search->start(order);
        if (go_on(runners_.back())) return true;
    }
    return result_.circuit.has_value();
}

void Race::run() {
    while (true) {
        keep_the_best();
        if (runners_.empty()) return; // each of them reached a limit
        decisions_ *= growth;
        for (Runner &runner : runners_) {
            if (runner.search && go_on(runner)) return;
        }
        if (result_.circuit) return;
    }
}

// Ends a search, and adds its numbers to those of the result.
void Race::drop(Runner &runner) {
    runner.search->add_to(result_.statistics);
    runner.search.reset();
}

// Orders those that are left by progress, and drops the worse half; never a favourite.
void Race::keep_the_best() {
    std::erase_if(runners_, [](const Runner &runner) { return !runner.search; });
    const auto is_better = [](const Runner &a, const Runner &b) { return a.progress > b.progress; };
    std::stable_sort(runners_.begin(), runners_.end(), is_better);
    const std::size_t kept = std::max(fewest, (runners_.size() + 1) / 2);
    for (std::size_t i = kept; i < runners_.size(); ++i) {
        if (!runners_[i].favourite) drop(runners_[i]);
    }
    std::erase_if(runners_, [](const Runner &runner) { return !runner.search; });
    if (!rules_.favourites_first) return;
    std::stable_partition(runners_.begin(), runners_.end(),
                          [](const Runner &runner) { return runner.favourite; });
}

// Takes the circuit of a search that is done, if it is the smallest; whether the race is over.
bool Race::take(Runner &runner) {
    const std::uint64_t decisions = runner.search->decisions();
    Circuit circuit = runner.search->take_circuit();
    drop(runner);
    if (!result_.circuit || circuit.edge_count() < result_.circuit->edge_count()) {
        result_.circuit = std::move(circuit);
        winner_decisions_ = decisions;
    }
    const std::uint64_t all = result_.statistics.decisions + total(&Search::decisions);
    return all > rules_.cheap_decisions || is_minimal(*result_.circuit);
}

// Gives a search its decisions; whether the race is over.
bool Race::go_on(Runner &runner) {
    while (true) {
        const auto alive = static_cast<std::uint64_t>(
            std::count_if(runners_.begin(), runners_.end(),
                          [](const Runner &other) { return other.search != nullptr; }));
        SearchBounds bounds{decisions_, limits_.nodes, limits_.bytes / alive, ~std::uint64_t{0}};
        if (result_.circuit) {
            bounds.decisions = std::min(decisions_, 2 * winner_decisions_);
        } else {
            const std::uint64_t others =
                result_.statistics.steps + total(&Search::steps) - runner.search->steps();
            bounds.steps = limits_.steps - std::min(limits_.steps, others);
        }
        const SearchEnd end = runner.search->go_on(bounds);
        runner.progress = runner.search->progress();
        switch (end) {
        case SearchEnd::done: return take(runner);
        case SearchEnd::decisions: return false;
        case SearchEnd::steps: result_.limit = step_limit; return true;
        case SearchEnd::budget: result_.limit = base::describe(budget_.reached()); return true;
        case SearchEnd::nodes:
            result_.limit = "node limit";
            drop(runner);
            return false;
        case SearchEnd::bytes: break;
        }
        result_.limit = "memory limit";
        Runner *last = nullptr;
        for (Runner &other : runners_) {
            if (other.search && (last == nullptr || other.progress <= last->progress))
                last = &other;
        }
        drop(*last);
        if (last == &runner) return false;
    }
}

} // namespace neurasp::circuit
