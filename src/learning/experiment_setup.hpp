// From an experiment file's settings to the objects of this layer.
#pragma once

#include "data/dataset.hpp"
#include "data/experiment.hpp"
#include "neural/network.hpp"
#include "neurasp/training.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace neurasp::learning {

// The options of the training program: with gradients if `trains`, otherwise only for measurements.
TrainingOptions step_options(const data::Experiment &experiment, bool trains);

// The inputs that a network is made for.
struct NetworkInput {
    neural::Shape shape;                 // of one input
    std::optional<data::InputForm> form; // unknown if inputs are prepared in different ways
};
using NetworkInputs = std::map<std::string, NetworkInput>; // by network

// Goes through the examples until every network of the experiment has been called; a network that no example calls
// gets the shape of the first input. Throws: InputError (missing-input).
NetworkInputs network_inputs(const data::Experiment &experiment, TrainingProgram &step,
                             const data::Dataset &dataset);

// Checks what the experiment file alone does not show: whether `training.best` is measured for this program.
// Throws: InputError (unknown-metric).
void check_best_metric(const data::Experiment &experiment, const TrainingProgram &step);

// The networks that the program calls, in the order of step.networks(), with fresh weights or those that the
// experiment names.
// Throws: InputError if the experiment lacks a network or describes one that the program does not call.
std::vector<std::unique_ptr<neural::Network>> make_networks(const data::Experiment &experiment,
                                                            const TrainingProgram &step,
                                                            const NetworkInputs &inputs);

} // namespace neurasp::learning
