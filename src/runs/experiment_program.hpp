// The program of an experiment.
#pragma once

#include "data/experiment.hpp"
#include "neurasp/reasoner.hpp"

#include <optional>
#include <string>
#include <vector>

namespace neurasp::runs {

// The experiment's program together with the texts in `extra`. Throws: InputError, EnvironmentError.
Program program_of(const data::Experiment &experiment, std::vector<NamedText> extra = {});

// All of its texts, one after the other.
std::string program_text(const data::Experiment &experiment);

// An example's observation, with the name that diagnostics use for it.
Observation observation_of(const std::string &text, const std::string &example);

// How examples are observed: the template of the observation with 0 in every hole. Nothing where that does not show
// which statements an example brings: a hole stands where a statement begins, or the template is not there.
std::optional<Observation> typical_observation(const data::Experiment &experiment);

} // namespace neurasp::runs
