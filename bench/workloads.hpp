// Reproducible questions of known difficulty: programs with an observation, seeded network outputs, and
// P(O) computed by other means than the engines (dynamic programming, counting, search in C++).
#pragma once

#include <neurasp/network_outputs.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::bench {

// One ground neural rule: the shape of one entry of the network outputs.
struct Call {
    std::string network;
    std::string terms;
    std::size_t events = 1;
    std::vector<std::string> outcomes;
};

struct Workload {
    std::string name;
    std::string program; // NeurASP; every neural rule has a line of its own
    std::string observation;
    std::vector<Call> calls;
    bool optimal = false;    // only the least-cost models count
    bool enumerable = false; // few enough models for the enumeration engine to check P(O)

    // Network outputs, the same for the same seed on every machine.
    std::function<NetworkOutputs(std::uint64_t seed)> draw;
    // P(O) for these outputs, computed without an engine.
    std::function<double(const NetworkOutputs &)> probability;
};

// All workloads that are measured by default, easy ones of a family first.
std::vector<std::string> workload_names();

// The workload of this name. Families take other sizes than those listed, e.g. "add12_carry".
// Throws: std::invalid_argument if no family knows the name.
Workload make_workload(std::string_view name);

// The workload as a plain clingo program, random variables as choices, observation included.
std::string plain_clingo(const Workload &workload);

// The outputs as JSON, as `neurasp prob --probs` reads them.
std::string to_json(const NetworkOutputs &outputs);

} // namespace neurasp::bench
