// The table of network outputs: network -> terms -> numbers. json_outputs.cpp reads it from JSON.
#include "neurasp/network_outputs.hpp"

namespace neurasp {

NetworkOutputs &NetworkOutputs::set(std::string network, std::string terms,
                                    std::vector<double> values, OutputKind kind,
                                    std::string origin) {
    if (logits_.contains(network)) kind = OutputKind::logits;
    table_[std::move(network)][std::move(terms)] = {std::move(values), kind, std::move(origin)};
    return *this;
}

NetworkOutputs &NetworkOutputs::declare_logits(const std::string &network) {
    logits_[network] = true;
    const auto found = table_.find(network);
    if (found != table_.end()) {
        for (auto &[terms, entry] : found->second) entry.kind = OutputKind::logits;
    }
    return *this;
}

NetworkOutputs &NetworkOutputs::set_rule(std::size_t rule, std::vector<double> probabilities) {
    rules_[rule] = std::move(probabilities);
    return *this;
}

} // namespace neurasp
