// The result of `neurasp compile`.
#pragma once

#include "neurasp/circuit.hpp"
#include "protocol/answers.hpp"
#include "protocol/json.hpp"

#include <optional>
#include <span>
#include <string>

namespace neurasp::protocol {

// A file that was written: nnf, circuit or dot.
struct CircuitFile {
    std::string path;
    std::string format;
};

// `smoothed`: the files hold the circuit after smoothing; its sizes are those before. `probability`: P(O), if
// network outputs are known or not needed.
Json to_json(const CompiledQuestion &circuit, bool smoothed, std::span<const CircuitFile> files,
             const std::optional<Probability> &probability);

// The member "stats" of that object.
Json circuit_stats_json(const CircuitStatistics &statistics, const Times &times);

} // namespace neurasp::protocol
