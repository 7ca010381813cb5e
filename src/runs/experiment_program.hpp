// The program of an experiment.
#pragma once

#include "data/experiment.hpp"
#include "neurasp/reasoner.hpp"

#include <string>
#include <vector>

namespace neurasp::runs {

// The experiment's program together with the texts in `extra`. Throws: InputError, EnvironmentError.
Program program_of(const data::Experiment &experiment, std::vector<NamedText> extra = {});

// All of its texts, one after the other.
std::string program_text(const data::Experiment &experiment);

// An example's observation, with the name that diagnostics use for it.
Observation observation_of(const std::string &text, const std::string &example);

} // namespace neurasp::runs
