// One split of an experiment's data: for each example its observation, the array rows that its terms
// point at, and its labels.
//
// Everything is worked out once, when the dataset is made: cells become row numbers, and texts numbers of
// distinct texts, so that going through the examples costs a few loads each.
#pragma once

#include "data/dataset_parts.hpp"
#include "data/experiment.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::data {

// The terms of a neural rule, which stand for a row of `arrays()[array]`.
struct DatasetInput {
    std::string terms; // joined by commas
    std::size_t array = 0;
};

// The true outcomes of a network's call. The text of an example holds one outcome for each event (see
// split_outcomes), or is empty if the example is not labelled.
struct DatasetLabel {
    std::string network;
    std::string terms;
    DistinctTexts outcomes;
};

class Dataset {
  public:
    // Reads the files of the split; `arrays` keeps arrays for other splits.
    // Throws: InputError for mistakes in tables and arrays and in references to them, EnvironmentError
    // for files that cannot be read.
    Dataset(const Experiment &experiment, std::string_view split, ArrayStore &arrays);

    std::size_t size() const noexcept { return numbers_.size(); }
    // The number of the example's row in the table (or, without one, in the arrays), from 0.
    std::size_t row_number(std::size_t example) const { return numbers_.at(example); }
    // For messages: "train.csv:17", or "images.idx[17]" without a table.
    std::string example_name(std::size_t example) const;

    // The arrays that inputs use.
    const std::vector<DatasetArray> &arrays() const noexcept { return arrays_; }
    // In the order of the experiment file.
    const std::vector<DatasetInput> &inputs() const noexcept { return inputs_; }
    // For each input, in the order of `inputs()`, a row of its array.
    // Requires: example < size().
    std::span<const std::uint32_t> rows(std::size_t example) const {
        return std::span(rows_).subspan(example * inputs_.size(), inputs_.size());
    }

    const DistinctTexts &observations() const noexcept { return observations_; }
    // For each query of [evaluation], in its order.
    const std::vector<DistinctTexts> &queries() const noexcept { return queries_; }
    // The labels that this split has; it may lack some.
    const std::vector<DatasetLabel> &labels() const noexcept { return labels_; }

  private:
    friend class DatasetBuilder;

    std::string origin_;               // the table, or the first array
    std::vector<std::uint32_t> lines_; // of the table, for each example; empty without a table
    std::vector<std::uint32_t> numbers_;
    std::vector<DatasetArray> arrays_;
    std::vector<DatasetInput> inputs_;
    std::vector<std::uint32_t> rows_;
    DistinctTexts observations_;
    std::vector<DistinctTexts> queries_;
    std::vector<DatasetLabel> labels_;
};

} // namespace neurasp::data
