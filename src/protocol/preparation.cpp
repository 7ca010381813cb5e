// How observations were prepared.
#include "protocol/preparation.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

Json kind_json(const KindStatistics &kind) {
    return {{"example", kind.example},
            {"observations", kind.observations},
            {"in_families", kind.in_families},
            {"direct", kind.direct},
            {"grounded_together", kind.grounded_together},
            {"alone", kind.alone},
            {"without_circuit", kind.without_circuit},
            {"families", kind.families},
            {"family_edges", kind.family_edges},
            {"largest_circuit", kind.largest_circuit},
            {"processor_seconds", kind.processor_seconds},
            {"refusal", kind.refusal}};
}

} // namespace

Json to_json(const TrainingStatistics &statistics) {
    Json kinds = Json::array();
    for (const KindStatistics &kind : statistics.kinds) kinds.push_back(kind_json(kind));
    return {{"observations", statistics.observations},
            {"in_families", statistics.in_families},
            {"grounded_together", statistics.grounded_together},
            {"without_circuit", statistics.without_circuit},
            {"families", statistics.families},
            {"largest_circuit", statistics.largest_circuit},
            {"prepare_seconds", statistics.prepare_seconds},
            {"kinds", std::move(kinds)}};
}

} // namespace neurasp::protocol
