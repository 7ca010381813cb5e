// Marginals of atoms and samples, by enumeration.
#include "base/random_stream.hpp"
#include "inference/enumerate_engine.hpp"
#include "inference/enumeration.hpp"

#include <algorithm>
#include <queue>

namespace neurasp::inference {

namespace {

// Visits the models that the request allows, with the outcomes of all variables.
asp::SearchEnd for_each_model(const Task &task, const Enumeration::OnFound &on_found) {
    return Enumeration(task.grounding().problem(), task.weights, task.request, task.budget)
        .run(on_found);
}

// Independent samples from a stream of weighted items whose total is not known in advance.
//
// Each slot holds one sample. A slot that was filled when the total was W must keep its item until the total is W'
// with probability W / W'. So the total at which it is refilled next can be drawn at once: W / u, with u uniform
// in (0, 1). A heap of these totals makes an item that fills no slot cost constant time.
class Reservoir {
  public:
    Reservoir(std::uint64_t slots, std::uint64_t seed) : slots_(slots), random_(seed) {}

    // Adds the weight of the next item; calls `fill(slot)` for each slot that it takes over.
    template <class Fill> void add(const ScaledReal &weight, Fill &&fill) {
        if (weight.is_zero()) return;
        const bool first = total_.is_zero();
        total_ += weight;
        if (first) {
            for (std::uint64_t slot = 0; slot < slots_; ++slot) {
                fill(slot);
                schedule(slot);
            }
            return;
        }
        while (!next_.empty() && next_.top().total <= total_) {
            const std::uint64_t slot = next_.top().slot;
            next_.pop();
            fill(slot);
            schedule(slot);
        }
    }

  private:
    struct Refill {
        ScaledReal total;
        std::uint64_t slot;
        bool operator<(const Refill &other) const {
            return total > other.total || (total == other.total && slot > other.slot);
        }
    };
    void schedule(std::uint64_t slot) {
        next_.push({total_ / ScaledReal(static_cast<long double>(random_.uniform())), slot});
    }

    std::uint64_t slots_;
    base::RandomStream random_;
    ScaledReal total_;
    std::priority_queue<Refill> next_; // least total on top
};

} // namespace

MarginalsAnswer EnumerateEngine::marginals(const Task &task) const {
    MarginalsAnswer answer;
    const std::vector<Shown> &shown = task.grounding().shown(task.settings.all_atoms);
    std::vector<ScaledReal> atom_sums(shown.size());
    std::vector<std::vector<ScaledReal>> outcome_sums;
    for (const RandomVariable &variable : task.grounding().variables()) {
        outcome_sums.emplace_back(variable.atoms.size());
    }
    ScaledReal total;
    const std::uint64_t searches_before = task.grounding().problem().searches();
    const auto end = for_each_model(task, [&](const Found &found) {
        const ScaledReal probability = found.probability();
        if (probability.is_zero()) return true;
        total += probability;
        for (std::size_t v = 0; v < found.choice.size(); ++v) {
            outcome_sums[v][found.choice[v]] += probability;
        }
        for (std::size_t i = 0; i < shown.size(); ++i) {
            if (shown[i].holds(found.view)) atom_sums[i] += probability;
        }
        return true;
    });
    const bool exact = end == asp::SearchEnd::exhausted;
    answer.probability = exact ? exactly(total) : between(total, task.weights.total());
    finish(answer.how, name(), task.budget, end,
           task.grounding().problem().searches() - searches_before);
    if (!exact && !total.is_zero()) {
        answer.how.limit += "; the marginals are those of the models seen so far";
    }
    if (total.is_zero()) return answer;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        answer.atoms.emplace_back(shown[i].text, (atom_sums[i] / total).to_double());
    }
    for (std::size_t v = 0; v < task.grounding().variables().size(); ++v) {
        VariableMarginal marginal{
            task.grounding().variables()[v].name, task.grounding().outcome_texts(v).atoms, {}};
        for (const ScaledReal &sum : outcome_sums[v]) {
            marginal.values.push_back((sum / total).to_double());
        }
        answer.variables.push_back(std::move(marginal));
    }
    return answer;
}

ModelsAnswer EnumerateEngine::sample(const Task &task, std::uint64_t count) const {
    ModelsAnswer answer;
    Reservoir reservoir(count, task.settings.seed);
    std::vector<std::shared_ptr<const StableModel>> slots(count);
    const std::uint64_t searches_before = task.grounding().problem().searches();
    const auto end = for_each_model(task, [&](const Found &found) {
        std::shared_ptr<const StableModel> model;
        bool go_on = true;
        const ScaledReal probability = found.probability();
        reservoir.add(probability, [&](std::uint64_t slot) {
            if (!model) {
                model = std::make_shared<StableModel>(
                    describe_model(task.scope, task.settings.all_atoms, found.view, probability));
                go_on = task.budget.take_bytes(stored_size(*model));
            }
            slots[slot] = model;
        });
        return go_on;
    });
    for (const auto &slot : slots) {
        if (slot) answer.models.push_back(*slot);
    }
    finish(answer.how, name(), task.budget, end,
           task.grounding().problem().searches() - searches_before);
    if (!answer.how.exact) answer.how.limit += "; sampled from the models seen so far";
    return answer;
}

} // namespace neurasp::inference
