// The program of an experiment.
#pragma once

#include "data/experiment.hpp"
#include "neurasp/reasoner.hpp"

#include <string>
#include <vector>

namespace neurasp::runs {

// The experiment's program; with `extra`, together with these texts. Throws: InputError, EnvironmentError.
Program program_of(const data::Experiment &experiment, std::vector<NamedText> extra = {});

// All that is written in it.
std::string program_text(const data::Experiment &experiment);

// An example's observation, as diagnostics name it.
Observation observation_of(const std::string &text, const std::string &example);

} // namespace neurasp::runs
