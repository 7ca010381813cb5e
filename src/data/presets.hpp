// Named architectures. A preset is just a list of layers; an experiment file could contain the same list.
#pragma once

#include "data/layer_kinds.hpp"
#include "data/network_spec.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace neurasp::data {

struct Preset {
    std::string name;
    std::string meaning;
    std::vector<std::int64_t> input; // the shape that it is made for; other sizes may work
    std::vector<NumberKind> numbers; // that scale it
    std::vector<LayerSpec> (*layers)(const Numbers &);
};

const std::vector<Preset> &presets();

// The layers of a preset, all placed at `where`; `numbers` replace its defaults.
// Throws: InputError (unknown-preset, and as complete_numbers) at `where`.
std::vector<LayerSpec> preset_layers(const std::string &name, const Numbers &numbers = {},
                                     const SourceLocation &where = {});

} // namespace neurasp::data
