#include "inference/engine.hpp"

#include "inference/enumerate_engine.hpp"

namespace neurasp::inference {

const std::vector<std::unique_ptr<Engine>> &engines() {
    static const std::vector<std::unique_ptr<Engine>> all = [] {
        std::vector<std::unique_ptr<Engine>> list;
        list.push_back(std::make_unique<EnumerateEngine>());
        return list;
    }();
    return all;
}

const Engine &engine_for(const std::string &name) {
    if (name == "auto") return *engines().front();
    for (const auto &engine : engines()) {
        if (engine->name() == name) return *engine;
    }
    throw ContractError("AnswerOptions::engine: there is no engine '" + name + "'");
}

} // namespace neurasp::inference
