// Names of the metrics of an evaluation. Users read them in reports and write them in the experiment file.
#pragma once

#include <string>

namespace neurasp::data {

inline std::string accuracy_name(const std::string &network) { return "accuracy of " + network; }
inline std::string whole_outputs_name(const std::string &network) {
    return "whole outputs of " + network;
}
inline std::string balanced_accuracy_name(const std::string &network) {
    return "balanced accuracy of " + network;
}
inline std::string macro_f1_name(const std::string &network) { return "macro F1 of " + network; }
// One of the first two, after many runs of the network.
inline std::string one_by_one_name(const std::string &metric) { return "one by one: " + metric; }
inline std::string constraints_name(const std::string &set) { return "constraints " + set; }
inline constexpr const char *log_probability_name = "mean log P(O)";

} // namespace neurasp::data
