// Engines answer questions; all give the same answers, at different cost. An engine is a stateless object in
// the registry below; what is worth keeping is kept by the grounding (solvers) and the library (circuits).
#pragma once

#include "inference/task.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::inference {

// P(some stable model), or bounds on it.
struct MassAnswer {
    Probability probability;
    HowAnswered how;
};

class Engine {
  public:
    virtual ~Engine() = default;
    virtual std::string_view name() const = 0;
    // Whether it is free to leave parts of the work to other ways of answering.
    virtual bool chooses() const { return false; }
    // P(O) and the queries; the caller adds the mass.
    virtual ProbabilityAnswer probability(const Task &task) const = 0;
    virtual ModelsAnswer most_probable(const Task &task, std::uint64_t count, bool ties) const = 0;
    virtual ModelsAnswer sample(const Task &task, std::uint64_t count) const = 0;
    virtual MarginalsAnswer marginals(const Task &task) const = 0;
    virtual GradientAnswer gradient(const Task &task, GradientConvention convention) const = 0;
    // Requires: a task whose request is empty.
    virtual MassAnswer mass(const Task &task) const = 0;
    // A circuit for each request, or nothing and why; for what only circuits can tell.
    using Circuits = std::vector<std::shared_ptr<const CircuitEntry>>;
    virtual Circuits circuits(const Task &task, std::span<const Request> requests,
                              std::string &obstacle) const = 0;
};

// All engines by name, "auto" first.
const std::vector<std::unique_ptr<Engine>> &engines();
// Throws: ContractError for an unknown name.
const Engine &engine_for(const std::string &name);

} // namespace neurasp::inference
