// The epochs of a run as a table for spreadsheets: the file `epochs.csv` next to the log.
#pragma once

#include "runs/history.hpp"

#include <string>

namespace neurasp::runs {

// CSV as in RFC 4180, but with plain line feeds: a header, and one row for each epoch. Metrics have the name of their
// split in front ("test: accuracy of digit"); a cell is empty where nothing was measured.
std::string epochs_csv(const History &history);

} // namespace neurasp::runs
