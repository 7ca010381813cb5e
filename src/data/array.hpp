// An n-dimensional array as a data file holds it. Elements keep their type (images stay one byte per pixel)
// and become floats row by row, when a batch is made; nothing is normalised here.
#pragma once

#include "neurasp/diagnostic.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace neurasp::data {

using Shape = std::vector<std::size_t>;

// Elements in C order: the last index varies fastest.
using Elements = std::variant<std::vector<std::uint8_t>, std::vector<std::int32_t>,
                              std::vector<std::int64_t>, std::vector<float>, std::vector<double>>;

std::size_t element_count(const Elements &elements);

// The product of the dimensions; nullopt if the product of those that are not 0 overflows.
std::optional<std::size_t> checked_product(std::span<const std::size_t> shape);

// "60000 x 28 x 28".
std::string shape_text(std::span<const std::size_t> shape);

// A hint for a row that does not exist: "its rows are 0 to 9".
std::string valid_rows_text(std::size_t rows);

// Invariants: there is at least one dimension; only the first may be 0; the product of all is the number
// of elements. A row is all that one index of the first dimension selects.
class Array {
  public:
    Array() = default;
    // Diagnostics call the array `name`; it is mostly a file.
    // Throws: ContractError if the invariants do not hold.
    Array(Shape shape, Elements elements, std::string name = {});

    const Shape &shape() const noexcept { return shape_; }
    const Elements &elements() const noexcept { return elements_; }
    const std::string &name() const noexcept { return name_; }

    std::size_t rows() const noexcept { return shape_.front(); }
    std::size_t row_size() const noexcept { return row_size_; }
    std::span<const std::size_t> row_shape() const { return std::span(shape_).subspan(1); }
    bool has_row(std::int64_t index) const noexcept;
    // The error for a row that does not exist; `where`, if known, is the place that asks for it.
    InputError no_such_row(std::int64_t index, SourceLocation where = {}) const;

    // Writes a row as floats; bytes become 0..255.
    // Throws: InputError if there is no such row, ContractError if `out` does not have a row's size.
    void copy_row(std::size_t index, std::span<float> out) const;
    // The only number of a row, such as a label.
    // Throws: InputError if there is no such row, if rows have several numbers, or if it is not an integer.
    std::int64_t integer(std::size_t index) const;

    // The same elements in another shape. Throws: ContractError if its product differs.
    Array reshaped(Shape shape) &&;
    // Throws: ContractError if an invariant is broken.
    void verify() const;

  private:
    Shape shape_{0};
    Elements elements_;
    std::string name_;
    std::size_t row_size_ = 1;
};

// The array with its dimensions in another order: dimension i of the result is axes[i] of `array`.
// Requires: `axes` is a permutation of 0..n-1.
Array permuted(const Array &array, std::span<const std::size_t> axes);

// Images as convolutions expect them: n x H x W becomes n x 1 x H x W; n x H x W x C (C from 1 to 4) becomes
// n x C x H x W; n x C x H x W stays.
// Throws: InputError for other shapes.
Array channels_first(Array images);

} // namespace neurasp::data
