// Mistakes in an experiment that show without its networks. `neurasp` looks for them before it hands over, because
// loading LibTorch takes far longer.
#pragma once

#include "cli/learning_options.hpp"
#include "data/experiment.hpp"

namespace neurasp::cli {

// Each reads the experiment file and the program, and looks whether the files are there that the command will read.
// Nothing is grounded, and no data are read.
// Throws: InputError, EnvironmentError.
void check_experiment(const TrainOptions &options);
void check_experiment(const EvaluateOptions &options);
void check_experiment(const PredictOptions &options);

// Throws: EnvironmentError if the output folder holds a run that is neither to be resumed nor to be replaced.
void check_output_folder(const data::Experiment &experiment, const TrainOptions &options);

} // namespace neurasp::cli
