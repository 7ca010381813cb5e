// From an assignment of a circuit to the stable model behind it.
#pragma once

#include "inference/compilation.hpp"
#include "inference/enumeration.hpp"

#include <stdexcept>

namespace neurasp::inference {

// For circuits of requests with `models`.
class ModelFinder {
  public:
    ModelFinder(Task &task, const CircuitRequest &request, const CompiledProblem &problem)
        : task_(task), problem_(problem), request_(request) {}

    // The stable model with these outcomes; nothing if the budget ran out.
    std::optional<StableModel> find(const std::vector<std::uint32_t> &outcomes,
                                    const ScaledReal &probability) {
        std::vector<Literal> assumptions = request_.evidence;
        const auto &variables = problem_.variables;
        for (std::size_t v = 0; v < variables.size(); ++v) {
            assumptions.emplace_back(task_.world.outcome_atoms()[variables[v]][outcomes[v]]);
        }
        for (std::size_t i = 0; i < problem_.open_atoms.size(); ++i) {
            const auto &atom = problem_.open_atoms[i];
            if (atom) assumptions.emplace_back(*atom, outcomes[variables.size() + i] == 0);
        }
        std::optional<std::vector<std::int64_t>> cost;
        if (!request_.cost.empty()) cost = request_.cost.front();
        Problem &whole = task_.world.problem();
        asp::Solver &solver = cost ? whole.optimiser() : whole.enumerator();
        std::optional<StableModel> model;
        const auto end = solver.search({assumptions, nullptr, false, cost}, task_.budget,
                                       [&](const asp::ModelView &view) {
                                           model = describe_model(task_, view, probability);
                                           return false;
                                       });
        if (!model && end == asp::SearchEnd::exhausted) {
            throw std::logic_error("the circuit allows what has no stable model");
        }
        return model;
    }

  private:
    Task &task_;
    const CompiledProblem &problem_;
    const CircuitRequest &request_;
};

} // namespace neurasp::inference
