// The inputs of an experiment's network calls.
#pragma once

#include "data/dataset.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace neurasp::runs {

class InputTable {
  public:
    explicit InputTable(const data::Dataset &dataset);

    // The index, in the dataset's inputs, of the one that the terms stand for.
    // Throws: InputError (missing-input), which names the call and the inputs there are.
    std::size_t find(const std::string &network, const std::string &terms) const;

  private:
    std::map<std::string, std::size_t> places_; // by terms without blanks
};

} // namespace neurasp::runs
