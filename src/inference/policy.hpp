// The engines that choose between ways of answering: "auto", and "circuit", which allows circuits more time.
#pragma once

#include "inference/circuit_answers.hpp"
#include "inference/enumerate_engine.hpp"

namespace neurasp::inference {

// The settings of such an engine.
struct Policy {
    std::string_view name;
    base::Share first_circuit;
    // The limits of the first turn; a larger circuit has to wait for the second.
    circuit::CompilerLimits first_limits;
    // Otherwise branch and bound finds the most probable models.
    bool best_by_circuit = false;
    bool chooses = false;
};

class PolicyEngine final : public Engine {
  public:
    explicit PolicyEngine(const Policy &policy) : policy_(policy) {}

    std::string_view name() const override { return policy_.name; }
    bool chooses() const override { return policy_.chooses; }
    ProbabilityAnswer probability(const Task &task) const override;
    ModelsAnswer most_probable(const Task &task, std::uint64_t count, bool ties) const override;
    ModelsAnswer sample(const Task &task, std::uint64_t count) const override;
    MarginalsAnswer marginals(const Task &task) const override;
    GradientAnswer gradient(const Task &task, GradientConvention convention) const override;
    MassAnswer mass(const Task &task) const override;
    Circuits circuits(const Task &task, std::span<const Request> requests,
                      std::string &obstacle) const override;

  private:
    template <class Answer, class ByCircuit, class ByEnumeration>
    Answer take_turns(const Task &task, ByCircuit by_circuit, ByEnumeration by_enumeration) const;

    Policy policy_;
    EnumerateEngine enumeration_;
};

extern const Policy auto_policy;
extern const Policy circuit_policy;

} // namespace neurasp::inference
