// Architectures with names. A preset is nothing but a list of layers, which an experiment file could hold
// as well.
#pragma once

#include "data/network_spec.hpp"
#include "neural/layer_kinds.hpp"
#include "neural/shapes.hpp"

#include <string>
#include <vector>

namespace neurasp::neural {

struct Preset {
    std::string name;
    std::string meaning;
    Shape input;                     // what it is made for; other sizes may do
    std::vector<NumberKind> numbers; // that scale it
    std::vector<data::LayerSpec> (*layers)(const Numbers &);
};

const std::vector<Preset> &presets();

// The layers of a preset, all placed at `where`, with `numbers` where its own are not wanted.
// Throws: InputError (unknown-preset, and what complete_numbers throws) at `where`.
std::vector<data::LayerSpec> preset_layers(const std::string &name, const Numbers &numbers = {},
                                           const SourceLocation &where = {});

} // namespace neurasp::neural
