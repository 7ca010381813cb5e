// Parts of datasets: arrays that several splits share, their rows as networks get them, and texts that many
// examples have in common.
#pragma once

#include "data/array.hpp"
#include "data/augmentation.hpp"
#include "data/experiment.hpp"
#include "data/input_form.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace neurasp::data {

// Reads each array once, however many splits use it.
class ArrayStore {
  public:
    // Throws: as read_array.
    std::shared_ptr<const Array> get(const ArraySettings &settings);

  private:
    std::map<std::string, std::shared_ptr<const Array>> arrays_; // by path and options
};

// An array with the normalisation of one split. Copies share the array's data.
class DatasetArray {
  public:
    // Throws: InputError if mean or deviation have neither one number nor one for each channel, or if rows that are to
    // be augmented are not pictures. The first dimension of a row is its channels.
    DatasetArray(const ArraySettings &settings, std::shared_ptr<const Array> array);

    const std::string &name() const noexcept { return name_; }
    const Array &array() const noexcept { return *array_; }
    const InputForm &form() const noexcept { return form_; }
    // The row as a network gets it: (x / scale - mean) / deviation.
    // Throws: as Array::copy_row.
    void copy_input(std::size_t row, std::span<float> out) const;
    // The same with random changes, if the settings have any.
    void copy_augmented(std::size_t row, std::span<float> out, std::uint64_t seed) const;
    // The same for one number; nullopt if channels are normalised differently.
    std::optional<float> as_input(float x) const {
        if (factors_.size() != 1 || offsets_.size() != 1) return std::nullopt;
        return x * factors_.front() + offsets_.front();
    }

  private:
    void normalise(std::span<float> out) const;

    std::string name_;
    std::shared_ptr<const Array> array_;
    InputForm form_;
    AugmentationSettings augment_;
    PictureShape picture_;       // if there is augmentation
    double noise_ = 0.0;         // in the array's own units
    std::vector<float> factors_; // x * factor + offset; one of each, or one for each channel
    std::vector<float> offsets_;
};

// One text for each example; equal texts are kept once. The distinct texts are numbered in the order of their
// first examples.
class DistinctTexts {
  public:
    void add(std::string_view text);

    std::size_t size() const noexcept { return ids_.size(); }
    // The number of an example's text among the distinct ones.
    std::uint32_t id(std::size_t example) const { return ids_.at(example); }
    std::span<const std::uint32_t> ids() const noexcept { return ids_; }
    // In the order of their first examples.
    const std::vector<std::string> &texts() const noexcept { return texts_; }
    const std::string &operator[](std::size_t example) const { return texts_[id(example)]; }

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept {
            return std::hash<std::string_view>()(text);
        }
    };
    std::vector<std::uint32_t> ids_;
    std::vector<std::string> texts_;
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
};

// A label's text as the outcomes of that many events: words separated by blanks or commas (not those
// inside brackets or quotes), or the characters of a single word. nullopt if their number is another.
std::optional<std::vector<std::string>> split_outcomes(std::string_view label, std::size_t events);

// The integers of a row, with blanks between them.
// Throws: InputError (data-type) if one is not an integer.
std::string row_integers(const Array &array, std::size_t row);

} // namespace neurasp::data
