// The registry of engines.
#include "inference/engine.hpp"

#include "inference/enumerate_engine.hpp"
#include "inference/policy.hpp"

namespace neurasp {

std::vector<std::string> engine_names() {
    std::vector<std::string> names;
    for (const auto &engine : inference::engines()) names.emplace_back(engine->name());
    return names;
}

namespace inference {

const std::vector<std::unique_ptr<Engine>> &engines() {
    static const std::vector<std::unique_ptr<Engine>> all = [] {
        std::vector<std::unique_ptr<Engine>> list;
        list.push_back(std::make_unique<PolicyEngine>(auto_policy));
        list.push_back(std::make_unique<EnumerateEngine>());
        list.push_back(std::make_unique<PolicyEngine>(circuit_policy));
        return list;
    }();
    return all;
}

const Engine &engine_for(const std::string &name) {
    for (const auto &engine : engines()) {
        if (engine->name() == name) return *engine;
    }
    throw ContractError("Settings::engine: there is no engine '" + name + "'");
}

} // namespace inference

} // namespace neurasp
