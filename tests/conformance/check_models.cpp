// Questions whose answer is a list of stable models: models, map, sample.
#include "checker.hpp"
#include "support/atom_set.hpp"
#include "support/pulled_models.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace neurasp::conformance {

namespace {

using test::AtomSet;
using test::show;
using test::sorted;

struct Expectation {
    std::vector<ExpectedModel> models;
    std::optional<std::size_t> count;
    bool none = false;
    bool subset = false;
};

Expectation read_expectation(const Asked &asked) {
    Expectation result;
    for (const Line &line : asked.step.body) {
        if (line.text == "none") {
            result.none = true;
        } else if (line.text.starts_with("count = ")) {
            result.count = std::stoull(line.text.substr(8));
        } else {
            result.models.push_back(parse_model(line, asked.failures.where(line.number)));
            result.subset = result.subset || result.models.back().subset;
        }
    }
    if (result.none && (!result.models.empty() || result.count))
        asked.failures.misuse(asked.step.line, "'none' must be the only line");
    if (result.subset && !result.count)
        asked.failures.misuse(asked.step.line, "'has' needs 'count = N'");
    return result;
}

std::size_t argument(const Asked &asked, const std::string &name, std::size_t fallback) {
    for (const std::string &word : asked.step.arguments)
        if (word.starts_with(name + "=")) return std::stoull(word.substr(name.size() + 1));
    return fallback;
}

void allow_arguments(const Asked &asked, const std::set<std::string> &names) {
    for (const std::string &word : asked.step.arguments)
        if (!names.contains(word.substr(0, word.find('='))))
            asked.failures.misuse(asked.step.line, "unknown argument '" + word + "'");
}

void check_one(const Asked &asked, const ExpectedModel &expected, const StableModel &actual) {
    const std::string what = "probability of " + show(expected.atoms);
    asked.failures.compare(expected.line, (expected.log ? "log " : "") + what, expected.probability,
                           expected.log ? actual.probability.log : actual.probability.value);
    if (!actual.probability.exact)
        asked.failures.add(expected.line, what + " is reported as inexact");
    if (expected.cost && *expected.cost != actual.cost) {
        std::string text;
        for (const std::int64_t entry : actual.cost) text += " " + std::to_string(entry);
        asked.failures.add(expected.line,
                           "cost of " + show(expected.atoms) + " is [" + text + " ]");
    }
}

// Finds the expected models among `actual` (each used once) and reports what is left over.
void match(const Asked &asked, const std::vector<ExpectedModel> &expected,
           std::vector<const StableModel *> actual, bool report_rest) {
    for (const ExpectedModel &model : expected) {
        // Models that differ in hidden atoms only: prefer the one with the expected probability.
        auto best = actual.end();
        for (auto it = actual.begin(); it != actual.end(); ++it) {
            if (sorted((*it)->atoms) != model.atoms) continue;
            const double value = model.log ? (*it)->probability.log : (*it)->probability.value;
            if (best == actual.end() || close(model.probability, value)) best = it;
        }
        if (best == actual.end()) {
            asked.failures.add(model.line, "missing model " + show(model.atoms));
            continue;
        }
        check_one(asked, model, **best);
        actual.erase(best);
    }
    if (report_rest)
        for (const StableModel *model : actual)
            asked.failures.add(asked.step.line, "unexpected model " + show(sorted(model->atoms)));
}

std::vector<const StableModel *> pointers(const std::vector<StableModel> &models) {
    std::vector<const StableModel *> result;
    for (const StableModel &model : models) result.push_back(&model);
    return result;
}

void check_count(const Asked &asked, std::size_t expected, std::size_t actual) {
    if (expected != actual)
        asked.failures.add(asked.step.line, "expected " + std::to_string(expected) +
                                                " models, got " + std::to_string(actual));
}

long double log_of(const ExpectedModel &model) {
    return model.log ? model.probability.value : std::log(model.probability.value);
}

bool tied(const ExpectedModel &first, const ExpectedModel &second) {
    const long double a = log_of(first);
    const long double b = log_of(second);
    return a == b || std::fabs(a - b) < 1e-14L; // the library's own definition of a tie
}

} // namespace

void check_models(const Asked &asked) {
    allow_arguments(asked, {});
    const Expectation expected = read_expectation(asked);
    const auto answer = test::all_models(asked.question(), asked.outputs, asked.settings);
    require_exact(asked, answer.how);
    if (!answer.complete)
        asked.failures.add(asked.step.line, "all models were asked for, some are missing");
    check_count(asked, expected.count.value_or(expected.models.size()), answer.models.size());
    const bool listed = expected.none || !expected.models.empty();
    match(asked, expected.models, pointers(answer.models), listed && !expected.subset);
}

// Lines beyond k are alternatives that tie with the k-th; with `ties` all lines must be given.
void check_map(const Asked &asked) {
    allow_arguments(asked, {"k", "ties"});
    const std::size_t k = argument(asked, "k", 1);
    const bool ties = std::find(asked.step.arguments.begin(), asked.step.arguments.end(), "ties") !=
                      asked.step.arguments.end();
    const Expectation expected = read_expectation(asked);
    if (expected.count) asked.failures.misuse(asked.step.line, "'map' lists its models");
    const ModelsAnswer answer =
        asked.question().most_probable(asked.outputs, k, ties, asked.settings);
    require_exact(asked, answer.how);
    const std::size_t size = ties ? expected.models.size() : std::min(k, expected.models.size());
    check_count(asked, size, answer.models.size());
    for (std::size_t begin = 0; begin < size && size == answer.models.size();) {
        std::size_t end = begin + 1;
        while (end < expected.models.size() && tied(expected.models[begin], expected.models[end]))
            ++end;
        std::vector<const StableModel *> group;
        for (std::size_t i = begin; i < std::min(end, size); ++i)
            group.push_back(&answer.models[i]);
        std::vector<ExpectedModel> lines(expected.models.begin() + static_cast<long>(begin),
                                         expected.models.begin() + static_cast<long>(end));
        if (end > size) // a tie across the k-th place: any of its lines will do
            std::erase_if(lines, [&group](const ExpectedModel &line) {
                return std::none_of(group.begin(), group.end(), [&line](const StableModel *model) {
                    return sorted(model->atoms) == line.atoms;
                });
            });
        match(asked, lines, std::move(group), true);
        begin = end;
    }
}

void check_sample(const Asked &asked) {
    allow_arguments(asked, {"n", "seed"});
    const std::size_t count = argument(asked, "n", 0);
    if (count == 0) asked.failures.misuse(asked.step.line, "'sample n=N seed=S' is expected");
    const Expectation expected = read_expectation(asked);
    Settings settings = asked.settings;
    settings.seed = argument(asked, "seed", 1);
    const ModelsAnswer answer = asked.question().sample(asked.outputs, count, settings);
    check_count(asked, expected.none ? 0 : count, answer.models.size());
    std::map<AtomSet, std::size_t> seen;
    for (const StableModel &model : answer.models) ++seen[sorted(model.atoms)];
    for (const ExpectedModel &model : expected.models) {
        const double p = static_cast<double>(model.probability.value);
        const double n = static_cast<double>(count);
        const double frequency = static_cast<double>(seen[model.atoms]) / n;
        // Five standard deviations: a correct sampler fails once in two million.
        if (std::fabs(frequency - p) > 5 * std::sqrt(p * (1 - p) / n))
            asked.failures.add(model.line, "frequency of " + show(model.atoms) + " is " +
                                               std::to_string(frequency));
        seen.erase(model.atoms);
    }
    for (const auto &[atoms, times] : seen)
        asked.failures.add(asked.step.line, "unexpected sample " + show(atoms));
}

} // namespace neurasp::conformance
