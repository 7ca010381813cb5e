// Tasks for check_learning, and a walk over all maps that asks another engine.
#pragma once

#include "neurasp/learning_check.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace neurasp {

// Examples of a program whose networks have one event and are called with one term.
struct ShortcutTask {
    struct Example {
        std::string observation;
        std::map<std::pair<std::string, std::string>, std::string>
            truth; // (network, term) -> outcome
        bool labelled = true;
    };
    std::string program;
    std::vector<Example> examples;
    TrainingOptions options;
    LearningCheckSettings settings;

    LearningCheck check(const Limits &limits = {}) const {
        TrainingProgram step(Program::from_text(program), options);
        std::vector<Observation> observations;
        for (const Example &example : examples) observations.push_back({example.observation});
        step.prepare(observations);
        std::vector<LearningExample> list;
        for (std::size_t e = 0; e < examples.size(); ++e) {
            list.push_back({e});
            if (!examples[e].labelled) continue;
            for (const auto &[call, outcome] : examples[e].truth) {
                const std::size_t network = step.network_index(call.first);
                const auto &values = step.networks()[network].values;
                const auto found = std::find(values.begin(), values.end(), outcome);
                list.back().known.push_back(
                    {network, call.second, {static_cast<std::uint32_t>(found - values.begin())}});
            }
        }
        return check_learning(step, observations, list, settings, limits);
    }
};

using Truth = std::map<std::pair<std::string, std::string>, std::string>;

// Enumerates stable models for outputs that are certain; knows nothing of circuits, tables or propagation.
class MapBruteForce {
  public:
    explicit MapBruteForce(const ShortcutTask &task)
        : task_(task), reasoner_(Program::from_text(task.program)) {
        for (const RandomVariableInfo &variable : reasoner_.ask().variables()) {
            if (variable.source.network.empty()) continue;
            values_[variable.source.network] = variable.outcomes;
            calls_.insert({variable.source.network, variable.source.terms});
        }
    }

    struct Result {
        std::uint64_t maps = 0;
        std::optional<std::size_t> fewest_changes;
    };

    Result run() {
        std::vector<std::pair<std::string, Truth>> cases; // every truth that is possible
        for (const ShortcutTask::Example &example : task_.examples) {
            for (const Truth &truth : all_truths()) {
                if (example.labelled && truth != example.truth) continue;
                if (holds(example.observation, truth))
                    cases.emplace_back(example.observation, truth);
            }
        }
        std::vector<std::pair<std::string, std::string>> mapped; // (network, outcome) that occur
        for (const auto &[network, values] : values_) {
            for (const std::string &value : values) {
                const bool occurs = std::any_of(cases.begin(), cases.end(), [&](const auto &each) {
                    return std::any_of(each.second.begin(), each.second.end(), [&](const auto &t) {
                        return t.first.first == network && t.second == value;
                    });
                });
                if (occurs) mapped.emplace_back(network, value);
            }
        }
        Result result;
        std::map<std::pair<std::string, std::string>, std::string> map;
        walk(mapped, 0, map, cases, result);
        return result;
    }

  private:
    using Mapped = std::vector<std::pair<std::string, std::string>>;

    std::vector<Truth> all_truths() const {
        std::vector<Truth> all(1);
        for (const auto &call : calls_) {
            std::vector<Truth> longer;
            for (const Truth &truth : all) {
                for (const std::string &value : values_.at(call.first)) {
                    longer.push_back(truth);
                    longer.back()[call] = value;
                }
            }
            all = std::move(longer);
        }
        return all;
    }

    bool holds(const std::string &observation, const Truth &truth) {
        const auto [found, is_new] = known_.try_emplace({observation, truth});
        if (!is_new) return found->second;
        NetworkOutputs outputs;
        for (const auto &[call, outcome] : truth) {
            std::vector<double> numbers;
            for (const std::string &value : values_.at(call.first)) {
                numbers.push_back(value == outcome ? 1.0 : 0.0);
            }
            outputs.set(call.first, call.second, numbers);
        }
        Settings settings;
        settings.engine = "enumerate";
        const auto answer = reasoner_.ask(observation).probability(outputs, settings);
        return found->second = answer.probability.value > 0.0;
    }

    void walk(const Mapped &mapped, std::size_t i, Truth &map,
              const std::vector<std::pair<std::string, Truth>> &cases, Result &result) {
        if (i < mapped.size()) {
            for (const std::string &value : values_.at(mapped[i].first)) {
                map[mapped[i]] = value;
                walk(mapped, i + 1, map, cases, result);
            }
            return;
        }
        for (const auto &[observation, truth] : cases) {
            Truth image = truth;
            for (auto &[call, outcome] : image) outcome = map.at({call.first, outcome});
            if (!holds(observation, image)) return;
        }
        ++result.maps;
        const auto changes =
            static_cast<std::size_t>(std::count_if(map.begin(), map.end(), [](const auto &entry) {
                return entry.first.second != entry.second;
            }));
        if (changes > 0) {
            result.fewest_changes = std::min(changes, result.fewest_changes.value_or(changes));
        }
    }

    const ShortcutTask &task_;
    Reasoner reasoner_;
    std::map<std::string, std::vector<std::string>> values_;
    std::set<std::pair<std::string, std::string>> calls_;
    std::map<std::pair<std::string, Truth>, bool> known_;
};

} // namespace neurasp
