// Batches of numbers at memory addresses.
//
// A batch has the same number of examples for every input term. The outputs of a network are blocks, one for each
// term that it is called with, and each block has one row for each example: row `block * size + example`. A
// layout fixes which block belongs to which call, so that a step hands over ids and addresses and nothing else.
#pragma once

#include "core/parts.hpp"

#include "neurasp/training.hpp"

#include <map>
#include <memory>

namespace neurasp::python {

// Which block of its network's outputs a call reads.
class Layout {
  public:
    // `terms`: for each network, the terms of its blocks in their order.
    Layout(std::shared_ptr<const TrainingProgram> program,
           const std::vector<std::vector<std::string>> &terms);

    // The blocks of the calls of an observation. Throws: py::key_error that names a call without a block.
    const std::vector<std::uint32_t> &blocks(std::uint32_t id);

    const TrainingProgram &program() const { return *program_; }
    const std::string &term(std::size_t network, std::size_t block) const {
        return terms_[network][block];
    }

  private:
    std::shared_ptr<const TrainingProgram> program_;
    std::vector<std::vector<std::string>> terms_;
    std::vector<std::map<std::string, std::uint32_t>> blocks_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> known_; // by observation
};

// Where the numbers of one network are: (address, rows). An address of 0 has none.
using Place = std::pair<std::uintptr_t, std::size_t>;

struct Step {
    std::vector<std::uint32_t> observations; // of each example
    std::vector<std::uint32_t> members;      // which row of each block; empty: one after the other
    std::size_t block_size = 0;              // rows of a block
    std::vector<Place> outputs;
    std::vector<Place> gradients;
    std::uintptr_t rule_numbers = 0;
    std::uintptr_t rule_gradients = 0; // for each example; with weights, their weighted sum
    std::vector<double> weights;       // of the examples' gradients; empty: 1
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
};

// The rows of each network.
template <class Number>
std::vector<Rows<Number>> rows_at(const TrainingProgram &program,
                                  const std::vector<Place> &places) {
    std::vector<Rows<Number>> rows;
    rows.reserve(places.size());
    for (std::size_t m = 0; m < places.size(); ++m) {
        const NetworkShape &shape = program.networks()[m];
        auto *data = reinterpret_cast<Number *>(places[m].first);
        rows.push_back(Rows<Number>::contiguous({data, places[m].second * shape.size()}, shape));
    }
    return rows;
}

// Writes log P(O) of each example at `logs` and adds derivatives to the step's gradients. Real is float or double.
// Throws: InputError that names the first row that is not a distribution.
template <class Real>
std::vector<ExampleStatus> run(Layout &layout, const Step &step, std::uintptr_t logs,
                               const CallLimits &limits);

// One status a byte.
py::bytes as_bytes(const std::vector<ExampleStatus> &status);

} // namespace neurasp::python
