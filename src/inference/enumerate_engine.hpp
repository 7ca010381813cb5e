// The paper's method: clasp finds every stable model that satisfies the observation, and each is weighed. The
// answer is exact if the search may finish; its cost is the number of models.
#pragma once

#include "inference/engine.hpp"

namespace neurasp::inference {

class EnumerateEngine final : public Engine {
  public:
    std::string_view name() const override { return "enumerate"; }
    ProbabilityAnswer probability(const Task &task) const override;
    ModelsAnswer most_probable(const Task &task, std::uint64_t count, bool ties) const override;
    ModelsAnswer sample(const Task &task, std::uint64_t count) const override;
    MarginalsAnswer marginals(const Task &task) const override;
    GradientAnswer gradient(const Task &task, GradientConvention convention) const override;
    MassAnswer mass(const Task &task) const override;
    Circuits circuits(const Task &task, std::span<const Request> requests,
                      std::string &obstacle) const override;
};

} // namespace neurasp::inference
