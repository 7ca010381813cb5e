// What the calls of an experiment's networks look at.
#pragma once

#include "data/dataset.hpp"

#include <cstddef>
#include <map>
#include <string>

namespace neurasp::runs {

// The place of the input that some terms point at. Throws: InputError (missing-input) that names the call
// and what there is.
class InputTable {
  public:
    explicit InputTable(const data::Dataset &dataset);
    std::size_t find(const std::string &network, const std::string &terms) const;

  private:
    std::map<std::string, std::size_t> places_; // by terms without blanks
};

} // namespace neurasp::runs
