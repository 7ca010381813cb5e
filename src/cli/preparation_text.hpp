// How the observations of a training run were prepared, as text (`train --stats`).
#pragma once

#include "neurasp/training.hpp"

#include <string>

namespace neurasp::cli {

std::string preparation_text(const TrainingStatistics &statistics);

} // namespace neurasp::cli
