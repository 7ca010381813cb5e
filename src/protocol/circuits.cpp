// The result of `neurasp compile`: sizes, variables, files, statistics.
#include "protocol/circuits.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

Json to_json(const CompiledQuestion &circuit, bool smoothed, std::span<const CircuitFile> files,
             const std::optional<Probability> &probability) {
    const CircuitStatistics &statistics = circuit.statistics();
    const auto count = circuit.choice_count();
    Json object = {{"random_variables", circuit.variables().size()},
                   {"nodes", statistics.nodes},
                   {"edges", statistics.edges},
                   {"smoothed", smoothed},
                   {"choice_count", count ? Json(*count) : Json()},
                   {"probability", probability ? Json(probability->value) : Json()},
                   {"variables", Json::array()},
                   {"files", Json::array()}};
    for (const CircuitVariable &variable : circuit.variables()) {
        object["variables"].push_back({{"name", variable.name},
                                       {"atoms", variable.atoms},
                                       {"first_input", variable.first_input}});
    }
    for (const CircuitFile &file : files) {
        object["files"].push_back({{"path", file.path}, {"format", file.format}});
    }
    return object;
}

Json circuit_stats_json(const CircuitStatistics &statistics, const Times &times) {
    return {{"ground_rules", statistics.ground_rules},
            {"theory_variables", statistics.variables},
            {"clauses", statistics.clauses},
            {"recursive_atoms", statistics.recursive_atoms},
            {"decisions", statistics.decisions},
            {"conflicts", statistics.conflicts},
            {"cache_lookups", statistics.cache_lookups},
            {"cache_hits", statistics.cache_hits},
            {"reused", statistics.reused},
            {"seconds",
             {{"reading", times.reading},
              {"grounding", times.grounding},
              {"translate", statistics.seconds_translate},
              {"order", statistics.seconds_order},
              {"search", statistics.seconds_search}}}};
}

} // namespace neurasp::protocol
