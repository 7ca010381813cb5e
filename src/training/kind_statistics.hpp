// What is counted while observations are prepared.
#pragma once

#include "base/budget.hpp"
#include "neurasp/training.hpp"

#include <algorithm>

namespace neurasp::training {

// Adds the processor time of a scope to a kind. What another timer of the same kind adds within the scope is not added twice.
class KindTimer {
  public:
    explicit KindTimer(KindStatistics &kind) : kind_(kind), before_(kind.processor_seconds) {}
    ~KindTimer() { kind_.processor_seconds = before_ + base::thread_seconds() - begin_; }
    KindTimer(const KindTimer &) = delete;
    KindTimer &operator=(const KindTimer &) = delete;

  private:
    KindStatistics &kind_;
    double before_;
    double begin_ = base::thread_seconds();
};

// Counts an observation that is prepared. `enumerates`: it should have a circuit, and has none.
inline void count(const PreparedObservation &facts, bool enumerates, TrainingStatistics &all,
                  KindStatistics &kind) {
    ++all.observations;
    ++kind.observations;
    if (enumerates) ++all.without_circuit;
    if (enumerates) ++kind.without_circuit;
    all.largest_circuit = std::max(all.largest_circuit, facts.edges);
    kind.largest_circuit = std::max(kind.largest_circuit, facts.edges);
}

} // namespace neurasp::training
