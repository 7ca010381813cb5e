// The report of a training run: one HTML file that can be read without a network connection and without running
// its script. It is also well-formed XML, so that tests and tools can parse it.
#pragma once

#include "runs/history.hpp"

#include <string>

namespace neurasp::runs {

// The page: results, curves, predictions with their pictures, learned rules, the table of epochs, networks, and
// the experiment. Everything that comes from users is escaped.
// Throws: ContractError if a picture's pixels do not fit its size.
std::string report_html(const RunSummary &run);

} // namespace neurasp::runs
