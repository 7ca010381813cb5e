// Short labels for the outcomes of a variable, for drawings: what all of its atoms share is written once.
#pragma once

#include <string>
#include <vector>

namespace neurasp::circuit {

struct OutcomeLabels {
    std::string pattern; // "digit(0,i1,?)"; empty if the labels are the atoms themselves
    std::vector<std::string> labels;
};

// digit(0,i1,0), digit(0,i1,1): "digit(0,i1,?)" with "0" and "1". Only whole arguments are shared.
OutcomeLabels shorten(std::vector<std::string> atoms);

} // namespace neurasp::circuit
