// The labels of an experiment's data, as outcomes of networks.
#pragma once

#include "data/dataset.hpp"
#include "neurasp/training.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neurasp::runs {

// The network that a label is about, in `program.networks()`. Throws: InputError (label) if the program does not call it.
std::size_t network_of(const data::DatasetLabel &label, const TrainingProgram &program);

// The outcomes of an example's label, one for each event, as indices of `shape.values`; none if the example has no label.
// Throws: InputError (label), which names the example.
std::vector<std::uint32_t> label_outcomes(const data::Dataset &dataset,
                                          const data::DatasetLabel &label, std::size_t example,
                                          const NetworkShape &shape);

} // namespace neurasp::runs
