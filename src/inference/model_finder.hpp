// Finds the stable model that belongs to an assignment of a circuit.
#pragma once

#include "inference/enumeration.hpp"
#include "inference/task.hpp"

#include <stdexcept>

namespace neurasp::inference {

// Requires: the circuit was made for a request with `models`.
class ModelFinder {
  public:
    ModelFinder(const Task &task, const CircuitEntry &entry) : task_(task), entry_(entry) {}

    // The stable model with these outcomes; nothing if the budget ran out.
    std::optional<StableModel> find(const std::vector<std::uint32_t> &outcomes,
                                    const ScaledReal &probability) {
        std::vector<Literal> assumptions = task_.request.evidence;
        const auto &variables = entry_.variables;
        for (std::size_t v = 0; v < variables.size(); ++v) {
            assumptions.emplace_back(task_.grounding().outcome_atoms()[variables[v]][outcomes[v]]);
        }
        for (std::size_t i = 0; i < entry_.open_atoms.size(); ++i) {
            const auto &atom = entry_.open_atoms[i];
            if (atom) assumptions.emplace_back(*atom, outcomes[variables.size() + i] == 0);
        }
        std::optional<StableModel> model;
        const auto end = task_.grounding().problem().search(
            {assumptions, task_.request.cost, nullptr, false}, task_.budget,
            [&](const asp::ModelView &view) {
                model = describe_model(task_.scope, task_.settings.all_atoms, view, probability);
                return false;
            });
        if (!model && end == asp::SearchEnd::exhausted) {
            throw std::logic_error("the circuit allows what has no stable model");
        }
        return model;
    }

  private:
    const Task &task_;
    const CircuitEntry &entry_;
};

} // namespace neurasp::inference
