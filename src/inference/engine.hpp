// Engines answer questions about a world; all give the same answers, at different cost. An engine is
// a stateless object in the registry below; what it wants to keep between questions it keeps in the
// world (solvers) or in the question (slices).
#pragma once

#include "base/budget.hpp"
#include "inference/weights.hpp"
#include "inference/world.hpp"
#include "neurasp/reasoner.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::inference {

// One question with its numbers and limits.
struct Task {
    World &world;
    const QuestionAtoms &atoms;
    const std::vector<std::string> &queries; // as the user wrote them
    const Weights &weights;
    base::Budget &budget;
    bool optimal = false;
    bool all_atoms = false;
    std::string circuit_folder; // where circuits are kept; empty: nowhere
    // What P(O) and the queries depend on: a slice of the world's problem, or all of it.
    Problem &focus;
};

class Engine {
  public:
    virtual ~Engine() = default;
    virtual std::string_view name() const = 0;
    // P(O) and the queries; the caller adds the mass.
    virtual ProbabilityAnswer probability(Task &task) const = 0;
    virtual ModelsAnswer models(Task &task, std::uint64_t count,
                                const Reasoner::OnModel &on_model) const = 0;
    virtual ModelsAnswer most_probable(Task &task, std::uint64_t count, bool ties) const = 0;
    virtual MarginalsAnswer marginals(Task &task) const = 0;
    virtual ModelsAnswer sample(Task &task, std::uint64_t count, std::uint64_t seed) const = 0;
    virtual GradientAnswer gradient(Task &task, GradientConvention convention) const = 0;
    // P(some stable model), or bounds on it.
    virtual Interval mass(Task &task) const = 0;
};

// All engines by name, "auto" first.
const std::vector<std::unique_ptr<Engine>> &engines();
// Throws: ContractError for an unknown name.
const Engine &engine_for(const std::string &name);

} // namespace neurasp::inference
