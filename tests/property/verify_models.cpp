// Stable models: all, the most probable, samples; coherence and the arg-max assignment.
#include "support/atom_set.hpp"
#include "support/pulled_models.hpp"
#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace neurasp::property {

namespace {

// The API's definition of a tie; true near ties of generated programs are 1e-16 apart or far apart.
constexpr long double tie = 1e-14L;

using test::all_models;
using test::AtomSet;
using test::show;
using test::some_models;
using test::sorted;

std::map<AtomSet, const oracle::Model *>
by_atoms(const std::vector<const oracle::Model *> &models) {
    std::map<AtomSet, const oracle::Model *> result;
    for (const oracle::Model *model : models) result.emplace(model->atoms, model);
    return result;
}

Settings all_atoms(const Mode &mode) {
    Settings settings = settings_for(mode);
    settings.all_atoms = true;
    return settings;
}

// A priority whose elements are all impossible has no entry, and the oracle grounds a different
// text from the library: entries that are 0 in every model may be missing.
bool same_cost(const std::vector<std::int64_t> &a, const std::vector<std::int64_t> &b) {
    const auto &shorter = a.size() < b.size() ? a : b;
    const auto &longer = a.size() < b.size() ? b : a;
    auto next = shorter.begin();
    for (const std::int64_t cost : longer) {
        if (next != shorter.end() && *next == cost)
            ++next;
        else if (cost != 0)
            return false;
    }
    return next == shorter.end() && (a.size() != b.size() || a == b);
}

// The oracle's model with these atoms; nothing, and a reported difference, if there is none.
const oracle::Model *check_model(Problems &problems, const std::string &what, const Trial &trial,
                                 const std::map<AtomSet, const oracle::Model *> &truth,
                                 const StableModel &model) {
    const auto found = truth.find(sorted(model.atoms));
    if (found == truth.end()) {
        problems.push_back(what + ": no such model " + show(sorted(model.atoms)));
        return nullptr;
    }
    compare(problems, what + ": probability of " + show(found->first),
            trial.truth.probability(*found->second, trial.probabilities), model.probability);
    if (!model.probability.exact) problems.push_back(what + ": inexact probability");
    if (!same_cost(model.cost, found->second->cost))
        problems.push_back(what + ": wrong cost of " + show(found->first));
    return found->second;
}

void check_distinct(Problems &problems, const std::string &what,
                    const std::vector<StableModel> &models) {
    std::set<AtomSet> seen;
    for (const StableModel &model : models)
        if (!seen.insert(sorted(model.atoms)).second)
            problems.push_back(what + ": twice " + show(sorted(model.atoms)));
}

// Compares multisets, because models that differ only in hidden atoms count separately.
void check_shown(Problems &problems, const Question &question, const Trial &trial, const Mode &mode,
                 const std::vector<const oracle::Model *> &counted) {
    std::multiset<AtomSet> expected;
    for (const oracle::Model *model : counted)
        expected.insert(shown_atoms(trial.program, model->atoms));
    std::multiset<AtomSet> actual;
    const auto answer = all_models(question, trial.outputs, settings_for(mode));
    for (const StableModel &model : answer.models) actual.insert(sorted(model.atoms));
    if (expected != actual) problems.push_back("models: the shown atoms are wrong");
}

void check_best(Problems &problems, const std::string &what, const Trial &trial,
                const std::vector<const oracle::Model *> &ranking, std::size_t size,
                const ModelsAnswer &answer) {
    if (!answer.how.exact) problems.push_back(what + ": not exact: " + answer.how.limit);
    if (answer.models.size() != size) {
        problems.push_back(what + ": " + std::to_string(answer.models.size()) +
                           " models, expected " + std::to_string(size));
        return;
    }
    check_distinct(problems, what, answer.models);
    const auto truth = by_atoms(ranking);
    for (std::size_t i = 0; i < size; ++i) {
        const oracle::Model *model = check_model(problems, what, trial, truth, answer.models[i]);
        if (model == nullptr) continue;
        const long double here = trial.truth.probability(*model, trial.probabilities);
        const long double best = trial.truth.probability(*ranking[i], trial.probabilities);
        if (!(std::fabs(here - best) <= tie * best))
            problems.push_back(what + ": number " + std::to_string(i) + " in order should not be " +
                               show(model->atoms));
    }
}

std::size_t with_ties(const Trial &trial, const std::vector<const oracle::Model *> &ranking,
                      std::size_t k) {
    std::size_t size = std::min(k, ranking.size());
    while (size > 0 && size < ranking.size() &&
           trial.truth.probability(*ranking[size], trial.probabilities) >=
               trial.truth.probability(*ranking[size - 1], trial.probabilities) * (1 - tie))
        ++size;
    return size;
}

} // namespace

Problems verify_models(const Question &question, const Trial &trial, const Mode &mode) {
    Problems problems;
    const std::vector<const oracle::Model *> counted = trial.truth.counted(mode.optimal);
    const auto truth = by_atoms(counted);
    const auto answer = all_models(question, trial.outputs, all_atoms(mode));
    if (!answer.how.exact || !answer.complete)
        problems.push_back("models: not all of them: " + answer.how.limit);
    check_distinct(problems, "models", answer.models);
    for (const StableModel &model : answer.models)
        check_model(problems, "models", trial, truth, model);
    if (answer.models.size() != counted.size())
        problems.push_back("models: " + std::to_string(answer.models.size()) + ", expected " +
                           std::to_string(counted.size()));
    if (answer.mass)
        compare(problems, "mass of models", trial.truth.mass(trial.probabilities), *answer.mass);
    check_shown(problems, question, trial, mode, counted);

    const auto some = some_models(2, question, trial.outputs, all_atoms(mode));
    if (some.models.size() != std::min<std::size_t>(2, counted.size()))
        problems.push_back("models: two were asked for, got " + std::to_string(some.models.size()));
    if (counted.size() > 2 && some.complete)
        problems.push_back("models: the list of two is called complete");
    for (const StableModel &model : some.models)
        check_model(problems, "two models", trial, truth, model);
    return problems;
}

Problems verify_most_probable(const Question &question, const Trial &trial, const Mode &mode) {
    Problems problems;
    const auto ranking = trial.truth.ranking(trial.probabilities, mode.optimal);
    for (const std::size_t k : {1U, 2U, 5U}) {
        const std::string what = "the " + std::to_string(k) + " most probable";
        check_best(problems, what, trial, ranking, std::min(k, ranking.size()),
                   question.most_probable(trial.outputs, k, false, all_atoms(mode)));
        if (k != 2)
            check_best(problems, what + " with ties", trial, ranking, with_ties(trial, ranking, k),
                       question.most_probable(trial.outputs, k, true, all_atoms(mode)));
    }
    return problems;
}

Problems verify_samples(const Question &question, const Trial &trial, const Mode &mode) {
    Problems problems;
    constexpr std::size_t count = 8;
    const auto truth = by_atoms(trial.truth.counted(mode.optimal));
    Settings settings = all_atoms(mode);
    settings.seed = trial.program.seed;
    const ModelsAnswer answer = question.sample(trial.outputs, count, settings);
    const bool possible = trial.truth.probability(trial.probabilities, mode.optimal) > 0;
    if (answer.models.size() != (possible ? count : 0))
        problems.push_back("sample: " + std::to_string(answer.models.size()) + " models");
    for (const StableModel &model : answer.models) {
        const oracle::Model *found = check_model(problems, "sample", trial, truth, model);
        if (found != nullptr && trial.truth.probability(*found, trial.probabilities) == 0.0L)
            problems.push_back("sample of probability 0: " + show(found->atoms));
    }
    return problems;
}

Problems verify_coherence(const Question &question, const Trial &trial) {
    Problems problems;
    const CoherenceAnswer answer = question.coherence();
    const Coherence expected = trial.truth.coherent() ? Coherence::coherent : Coherence::incoherent;
    if (answer.coherence != expected)
        problems.push_back(std::string("coherence: the program is ") +
                           (trial.truth.coherent() ? "coherent" : "incoherent"));
    else if (expected == Coherence::incoherent && !trial.truth.is_witness(answer.witness))
        problems.push_back("coherence: no witness: " + show(answer.witness));
    return problems;
}

Problems verify_argmax(const Question &question, const Trial &trial, const Mode &mode) {
    Problems problems;
    if (mode.optimal) return problems;
    const ConsistencyAnswer answer = question.argmax_consistency(trial.outputs);
    const std::set<std::string> atoms(answer.choice.begin(), answer.choice.end());
    oracle::Choice choice;
    for (std::size_t v = 0; v < trial.variables.size(); ++v) {
        const std::vector<long double> &p = trial.probabilities[v];
        for (std::size_t i = 0; i < p.size(); ++i)
            if (atoms.contains(trial.variables[v].atoms[i]) &&
                p[i] == *std::max_element(p.begin(), p.end()))
                choice.push_back(i);
    }
    if (choice.size() != trial.variables.size() || atoms.size() != choice.size())
        return problems.push_back("argmax: not the arg-max: " + show(answer.choice)), problems;
    bool observed = false;
    for (const oracle::Model *model : trial.truth.counted(false))
        observed = observed || model->choice == choice;
    if (answer.satisfies_program != (trial.truth.num(choice) > 0))
        problems.push_back("argmax: satisfies_program is wrong");
    if (answer.satisfies_observation != observed)
        problems.push_back("argmax: satisfies_observation is wrong");
    return problems;
}

} // namespace neurasp::property
