#include "inference/engine.hpp"

#include "inference/circuit_engine.hpp"
#include "inference/enumerate_engine.hpp"

namespace neurasp::inference {

const std::vector<std::unique_ptr<Engine>> &engines() {
    static const std::vector<std::unique_ptr<Engine>> all = [] {
        std::vector<std::unique_ptr<Engine>> list;
        list.push_back(std::make_unique<AutoEngine>());
        list.push_back(std::make_unique<EnumerateEngine>());
        list.push_back(std::make_unique<CircuitEngine>());
        return list;
    }();
    return all;
}

const Engine &engine_for(const std::string &name) {
    for (const auto &engine : engines()) {
        if (engine->name() == name) return *engine;
    }
    throw ContractError("AnswerOptions::engine: there is no engine '" + name + "'");
}

} // namespace neurasp::inference
