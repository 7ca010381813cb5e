// Answers from compiled circuits: what enumeration sums model by model is one pass over a circuit here.
// Where there is no circuit (real disjunctions, #edge, limits) enumeration answers, and says so.
#pragma once

#include "inference/compilation.hpp"
#include "inference/enumerate_engine.hpp"

namespace neurasp::inference {

class CircuitEngine : public Engine {
  public:
    std::string_view name() const override { return "circuit"; }
    ProbabilityAnswer probability(Task &task) const override;
    ModelsAnswer models(Task &task, std::uint64_t count,
                        const Reasoner::OnModel &on_model) const override;
    ModelsAnswer most_probable(Task &task, std::uint64_t count, bool ties) const override;
    MarginalsAnswer marginals(Task &task) const override;
    ModelsAnswer sample(Task &task, std::uint64_t count, std::uint64_t seed) const override;
    GradientAnswer gradient(Task &task, GradientConvention convention) const override;
    Interval mass(Task &task) const override;

  protected:
    // What one compilation may use.
    struct Grant {
        CircuitLimits limits;
        base::Budget budget;
    };
    virtual Grant grant(const base::Budget &budget) const;

    const EnumerateEngine &enumeration() const noexcept { return enumeration_; }

  private:
    using Compiled = std::shared_ptr<const CompiledProblem>;
    Compiled compile(Task &task, const CircuitRequest &request) const;

    EnumerateEngine enumeration_;
};

// Picks: circuits for sums, if a small effort finds one; best-first search for the most probable models;
// enumeration for the rest.
class AutoEngine final : public CircuitEngine {
  public:
    std::string_view name() const override { return "auto"; }
    ModelsAnswer most_probable(Task &task, std::uint64_t count, bool ties) const override {
        return enumeration().most_probable(task, count, ties);
    }

  protected:
    Grant grant(const base::Budget &budget) const override;
};

} // namespace neurasp::inference
