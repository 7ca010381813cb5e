// The engine of the paper, done right: every stable model that satisfies the observation is found by
// clasp and weighed. Exact whenever it may finish; the number of models decides its cost.
#pragma once

#include "inference/engine.hpp"

namespace neurasp::inference {

class EnumerateEngine final : public Engine {
  public:
    std::string_view name() const override { return "enumerate"; }
    ProbabilityAnswer probability(Task &task) const override;
    ModelsAnswer models(Task &task, std::uint64_t count,
                        const Reasoner::OnModel &on_model) const override;
    ModelsAnswer most_probable(Task &task, std::uint64_t count, bool ties) const override;
    MarginalsAnswer marginals(Task &task) const override;
    ModelsAnswer sample(Task &task, std::uint64_t count, std::uint64_t seed) const override;
    GradientAnswer gradient(Task &task, GradientConvention convention) const override;
    Interval mass(Task &task) const override;
};

} // namespace neurasp::inference
