// One call of a question's method: everything that an engine needs, made in one place.
#pragma once

#include "inference/access.hpp"
#include "inference/engine.hpp"

namespace neurasp::inference {

// What circuits may take where the caller says nothing.
circuit::CompilerLimits compiler_limits(const Limits &limits);

class Call {
  public:
    // Throws: ContractError for an unknown engine; InputError for unfit outputs.
    Call(const QuestionState &state, const NetworkOutputs &outputs, const Settings &settings,
         const Limits &limits);

    const Engine &engine() const noexcept { return engine_; }
    const Scope &scope() const noexcept { return scope_; }
    const Weights &weights() const noexcept { return weights_; }
    const Settings &settings() const noexcept { return settings_; }
    base::Budget &budget() noexcept { return budget_; }

    // The question as it was asked, within this budget. Nothing if the least cost is not known in time.
    std::optional<Task> task() { return task(budget_); }
    std::optional<Task> task(base::Budget &budget);
    // P(some stable model), for an answer that needs it.
    MassAnswer mass(base::Budget &budget);
    // The same as a remark beside an answer: if it is known or found within the models that the caller
    // grants for it.
    std::optional<Probability> remark_mass();
    // Whether there are more models of the task than so many; nothing if that is not known soon.
    std::optional<bool> remark_more(const Task &task, std::uint64_t listed) const;

    // Others may ask while a stream of models waits to be pulled: it lets go of the grounding in between.
    void pause() { lock_.unlock(); }
    std::shared_lock<std::shared_mutex> go_on() const { return scope_.grounding().reading(); }

  private:
    Task whole(base::Budget &budget) const; // the program without the observation

    base::Budget budget_; // first: waiting for the lock counts
    std::shared_lock<std::shared_mutex> lock_;
    const Engine &engine_;
    const Scope &scope_;
    CircuitLibrary &library_;
    const Settings &settings_;
    circuit::CompilerLimits most_;
    Weights weights_;
    std::optional<ObservedRequest> observed_;
    Request everything_; // no evidence at all
};

} // namespace neurasp::inference
