// From an experiment file's settings to the things of this layer.
#pragma once

#include "data/dataset.hpp"
#include "data/experiment.hpp"
#include "learning/symbolic_step.hpp"
#include "neural/network.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace neurasp::learning {

// The experiment's program; with `extra`, together with these texts. Throws: InputError, EnvironmentError.
Program program_of(const data::Experiment &experiment, std::vector<NamedText> extra = {});

// All that is written in it.
std::string program_text(const data::Experiment &experiment);

// What the symbolic step has to do: also gradients if it `trains`, else only what is measured.
StepOptions step_options(const data::Experiment &experiment, bool trains);
// Whether evaluations give the mean log P(O).
bool measures_log_probability(const data::Experiment &experiment);
// training.threads, where 0 means one per processor.
std::size_t thread_count(const data::Experiment &experiment);

// The place of the input that some terms point at. Throws: InputError (missing-input) that names the call
// and what there is.
class InputTable {
  public:
    explicit InputTable(const data::Dataset &dataset);
    std::size_t find(const std::string &network, const std::string &terms) const;

  private:
    std::map<std::string, std::size_t> places_; // by terms without blanks
    std::string origin_;
};

// The shape of an input by network.
using InputShapes = std::map<std::string, neural::Shape>;
// Looks at examples until all networks that the experiment describes were called; a network that none calls
// gets the shape of the first input. Throws: InputError (missing-input).
InputShapes input_shapes(const data::Experiment &experiment, SymbolicStep &step,
                         const data::Dataset &dataset);

// The networks that the program calls, in the order of step.networks(), with fresh weights or those that
// the experiment names.
// Throws: InputError if the experiment lacks a network or describes one that the program does not call.
std::vector<std::unique_ptr<neural::Network>> make_networks(const data::Experiment &experiment,
                                                            const SymbolicStep &step,
                                                            const InputShapes &shapes);

// The settings of a network. Throws: InputError (missing-network).
const data::NetworkSettings &settings_of(const data::Experiment &experiment,
                                         const std::string &network);

} // namespace neurasp::learning
