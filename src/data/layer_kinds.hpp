// The kinds of layers with their numbers, as experiment files and presets write them: one table, from which
// layers are checked and documentation is made. Does not use Torch.
#pragma once

#include "data/network_spec.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace neurasp::data {

// The values that a number may have.
enum class NumberRange {
    positive,    // 1, 2, 3, ...
    natural,     // 0, 1, 2, ...
    probability, // from 0 to less than 1
    truth,       // 0 or 1; experiment files write false and true
};

struct NumberKind {
    std::string name;
    NumberRange range = NumberRange::positive;
    std::string meaning;
    std::optional<double> standard = std::nullopt; // its value if it is left out
    std::string same_as = {};                      // or the number whose value it then has

    bool required() const { return !standard && same_as.empty(); }
};

struct LayerKind {
    std::string name;
    std::string meaning;
    std::vector<NumberKind> numbers;
};

// In the order in which people should read them.
const std::vector<LayerKind> &layer_kinds();

// The kind of `layer`. Throws: InputError (unknown-layer-kind) at the layer.
const LayerKind &kind_of(const LayerSpec &layer);

using Numbers = std::map<std::string, double>;

// `given`, completed by the defaults of numbers that were left out. Diagnostics call the owner of these numbers
// `owner` ("layer 'conv'") and place it at `where`.
// Throws: InputError with all numbers that are unknown, missing or out of range.
Numbers complete_numbers(const std::vector<NumberKind> &kinds, const Numbers &given,
                         const std::string &owner, const SourceLocation &where);

} // namespace neurasp::data
