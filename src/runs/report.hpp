// The report of a training run: one HTML file that needs nothing else, no network and no script, to be
// read. It is well-formed XML too, so that tests and tools can take it apart.
#pragma once

#include "runs/history.hpp"

#include <string>

namespace neurasp::runs {

// The page: results, curves, the table of epochs, learned rules, networks, predictions with their
// pictures, and the experiment. Everything that comes from users is escaped.
// Throws: ContractError if a picture's pixels do not fit its size.
std::string report_html(const RunSummary &run);

} // namespace neurasp::runs
