// A batch of network outputs in, log P(O) of every example and its derivatives out.
//
// Examples with the same observation are evaluated side by side, in groups that threads share; where there is no
// circuit, enumeration answers example by example, in the calling thread. Derivatives are added in the order of
// the groups, which is that in which observations are met, so that sums come out the same every time.
#pragma once

#include "training/observation_table.hpp"
#include "training/scratch.hpp"

namespace neurasp::training {

// What a run reads; nothing of it changes meanwhile.
struct RunContext {
    const TrainingOptions &options;
    const Vocabulary &vocabulary;
    const ObservationTable &observations;
    ScratchPool &scratch;
};

// As TrainingProgram::run.
template <class Real>
void run(const RunContext &context, const TrainingBatch<Real> &batch,
         const TrainingResult<Real> &result, const Limits &limits);

// As TrainingProgram::outputs_of.
template <class Real>
NetworkOutputs outputs_of(const RunContext &context, const TrainingBatch<Real> &batch,
                          std::size_t example);

} // namespace neurasp::training
