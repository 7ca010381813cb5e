// A network as an experiment file describes it: plain words and numbers, built by src/neural.
#pragma once

#include "neurasp/diagnostic.hpp"

#include <map>
#include <string>
#include <vector>

namespace neurasp::data {

// One layer: a kind ("conv", "linear", "relu", ...) and its numbers by name ("out", "kernel", ...).
struct LayerSpec {
    std::string kind;
    std::map<std::string, double> numbers;
    SourceLocation location; // where it is written, for diagnostics
};

// Where a network comes from: exactly one of the three is set.
struct NetworkSpec {
    std::string name;                      // the program's name for it
    std::string preset;                    // a named architecture
    std::map<std::string, double> numbers; // values that change the preset
    std::string script;                    // path of a TorchScript file
    std::vector<LayerSpec> layers;
    bool logits = false;     // the outputs are raw scores; softmax (or sigmoid) is applied to them
    SourceLocation location; // where it is written
};

} // namespace neurasp::data
