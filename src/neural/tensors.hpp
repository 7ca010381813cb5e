// Conversions between arrays of data files and tensors.
#pragma once

#include "data/array.hpp"

#include <torch/types.h>

#include <cstddef>
#include <span>
#include <vector>

namespace neurasp::neural {

// The normalisation of every number before a network sees it: bytes are divided by 255, then every x becomes
// (x - mean) / deviation.
struct Normalisation {
    double mean = 0.0;
    double deviation = 1.0;
};

// The chosen rows of an array, in that order, as a batch of floats: rows x the shape of a row.
// Throws: InputError if there is no such row, ContractError if the deviation is not positive.
torch::Tensor batch_of(const data::Array &array, std::span<const std::size_t> rows,
                       Normalisation normalisation = {});

// All numbers of a tensor in C order: the last index varies fastest.
std::vector<double> values_of(const torch::Tensor &tensor);

} // namespace neurasp::neural
