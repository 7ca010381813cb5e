// Computes log P(O) of every example of a batch, and its derivatives.
//
// Examples with the same observation are evaluated side by side, in groups that threads share. Observations without a
// circuit are enumerated, example by example, in the calling thread. Derivatives are added in the order of the
// groups, which is the order in which observations first occur, so sums are always the same.
#pragma once

#include "training/observation_table.hpp"
#include "training/scratch.hpp"

namespace neurasp::training {

// The data that a run reads; it does not change during the run. Scratch is borrowed.
struct RunContext {
    const TrainingOptions &options;
    const Vocabulary &vocabulary;
    const ObservationTable &observations;
    ScratchPool &scratch;
};

// See TrainingProgram::run.
template <class Real>
void run(const RunContext &context, const TrainingBatch<Real> &batch,
         const TrainingResult<Real> &result, const Limits &limits);

// See TrainingProgram::outputs_of.
template <class Real>
NetworkOutputs outputs_of(const RunContext &context, const TrainingBatch<Real> &batch,
                          std::size_t example);

} // namespace neurasp::training
