// Pulls models from a stream: all of them, or up to a number.
#pragma once

#include "neurasp/neurasp.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace neurasp::test {

struct PulledModels {
    std::vector<StableModel> models;
    bool complete = false;
    std::optional<Probability> mass;
    std::optional<bool> more;
    HowAnswered how;
};

inline PulledModels some_models(std::uint64_t count, const Question &question,
                                const NetworkOutputs &outputs, const Settings &settings = {},
                                const Limits &limits = {}) {
    ModelStream stream = question.models(outputs, settings, limits);
    PulledModels pulled;
    while (pulled.models.size() < count) {
        auto model = stream.next();
        if (!model) break;
        pulled.models.push_back(std::move(*model));
    }
    const StreamEnd end = stream.finish();
    pulled.complete = end.complete;
    pulled.mass = end.mass;
    pulled.more = end.more;
    pulled.how = end.how;
    return pulled;
}

inline PulledModels all_models(const Question &question, const NetworkOutputs &outputs,
                               const Settings &settings = {}, const Limits &limits = {}) {
    return some_models(std::numeric_limits<std::uint64_t>::max(), question, outputs, settings,
                       limits);
}

} // namespace neurasp::test
