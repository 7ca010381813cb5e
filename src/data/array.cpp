// Arrays: checks of the invariants, rows as floats, and other orders of the dimensions.
#include "data/array.hpp"

#include "base/assert.hpp"
#include "data/data_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

namespace neurasp::data {

namespace {

constexpr std::size_t most_channels = 4;

std::string name_in_quotes(const std::string &name) {
    return name.empty() ? std::string("the array") : "'" + name + "'";
}

// `value` as an integer, if it is one that doubles hold exactly.
std::optional<std::int64_t> whole_number(double value) {
    constexpr double most = 9007199254740992.0; // 2^53
    if (!(std::abs(value) <= most) || std::trunc(value) != value) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

// Copies `from` to `to`, where neighbours along dimension i of `to` lie `strides[i]` apart in `from`.
// The last dimension is a plain loop; the others count like an odometer.
template <class T>
void copy_strided(const std::vector<T> &from, std::vector<T> &to, const Shape &shape,
                  const std::vector<std::size_t> &strides) {
    if (to.empty()) return;
    const std::size_t last = shape.size() - 1;
    std::vector<std::size_t> index(shape.size(), 0);
    std::size_t source = 0;
    for (std::size_t target = 0; target < to.size();) {
        for (std::size_t i = 0; i < shape[last]; ++i)
            to[target++] = from[source + i * strides[last]];
        for (std::size_t d = last; d-- > 0;) {
            source += strides[d];
            if (++index[d] < shape[d]) break;
            source -= shape[d] * strides[d];
            index[d] = 0;
        }
    }
}

} // namespace

std::size_t element_count(const Elements &elements) {
    return std::visit([](const auto &values) { return values.size(); }, elements);
}

std::optional<std::size_t> checked_product(std::span<const std::size_t> shape) {
    std::size_t product = 1;
    for (const std::size_t size : shape) {
        if (size != 0 && product > std::numeric_limits<std::size_t>::max() / size) {
            return std::nullopt;
        }
        if (size != 0) product *= size;
    }
    const bool empty = std::find(shape.begin(), shape.end(), 0u) != shape.end();
    return empty ? 0 : product;
}

std::string shape_text(std::span<const std::size_t> shape) {
    if (shape.empty()) return "one number";
    std::string text;
    for (const std::size_t size : shape) text += (text.empty() ? "" : " x ") + std::to_string(size);
    return text;
}

std::string valid_rows_text(std::size_t rows) {
    if (rows == 0) return "it has no rows at all";
    if (rows == 1) return "its only row is 0";
    return "its rows are 0 to " + std::to_string(rows - 1);
}

Array::Array(Shape shape, Elements elements, std::string name)
    : shape_(std::move(shape)), elements_(std::move(elements)), name_(std::move(name)) {
    verify();
    row_size_ = *checked_product(row_shape());
}

void Array::verify() const {
    if (shape_.empty()) throw ContractError("Array: it needs at least one dimension");
    const auto inner = std::find(shape_.begin() + 1, shape_.end(), 0u);
    if (inner != shape_.end()) throw ContractError("Array: only the first dimension may be 0");
    if (checked_product(shape_) != element_count(elements_)) {
        throw ContractError("Array: " + std::to_string(element_count(elements_)) +
                            " elements do not fill the shape " + shape_text(shape_));
    }
}

bool Array::has_row(std::int64_t index) const noexcept {
    return index >= 0 && std::cmp_less(index, rows());
}

InputError Array::no_such_row(std::int64_t index, SourceLocation where) const {
    Diagnostic diagnostic;
    diagnostic.code = "data-index";
    diagnostic.message =
        "there is no row " + std::to_string(index) + " in " + name_in_quotes(name_);
    diagnostic.hint = valid_rows_text(rows());
    if (where.file.empty()) where.file = name_;
    diagnostic.location = std::move(where);
    return InputError(std::move(diagnostic));
}

void Array::copy_row(std::size_t index, std::span<float> out) const {
    if (index >= rows()) throw no_such_row(static_cast<std::int64_t>(index));
    if (out.size() != row_size_) {
        throw ContractError("Array::copy_row: room for " + std::to_string(out.size()) +
                            " numbers, but a row has " + std::to_string(row_size_));
    }
    const auto copy = [&](const auto &values) {
        const auto row = std::span(values).subspan(index * row_size_, row_size_);
        std::transform(row.begin(), row.end(), out.begin(),
                       [](auto value) { return static_cast<float>(value); });
    };
    std::visit(copy, elements_);
}

std::int64_t Array::integer(std::size_t index) const {
    if (row_size_ != 1) {
        throw data_error("data-shape", name_,
                         "expected one number per row, found " + shape_text(row_shape()),
                         "is this the file of labels?");
    }
    if (index >= rows()) throw no_such_row(static_cast<std::int64_t>(index));
    const auto value = [&](const auto &values) -> std::optional<std::int64_t> {
        if constexpr (std::is_integral_v<std::decay_t<decltype(values[0])>>)
            return values[index];
        else
            return whole_number(values[index]);
    };
    const std::optional<std::int64_t> result = std::visit(value, elements_);
    if (!result) {
        throw data_error("data-type", name_, "row " + std::to_string(index) + " is not an integer",
                         "labels and indices must be integers");
    }
    return *result;
}

Array Array::reshaped(Shape shape) && {
    return {std::move(shape), std::move(elements_), std::move(name_)};
}

namespace {

[[maybe_unused]] bool is_permutation_of_axes(std::span<const std::size_t> axes, std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    return std::is_permutation(axes.begin(), axes.end(), all.begin(), all.end());
}

} // namespace

Array permuted(const Array &array, std::span<const std::size_t> axes) {
    const Shape &old_shape = array.shape();
    NEURASP_ASSERT(is_permutation_of_axes(axes, old_shape.size()),
                   "the axes are a permutation of the dimensions");
    std::vector<std::size_t> old_strides(old_shape.size(), 1);
    for (std::size_t d = old_shape.size() - 1; d-- > 0;) {
        old_strides[d] = old_strides[d + 1] * old_shape[d + 1];
    }
    Shape shape;
    std::vector<std::size_t> strides;
    for (const std::size_t axis : axes) {
        shape.push_back(old_shape.at(axis));
        strides.push_back(old_strides.at(axis));
    }
    const auto move_elements = [&](const auto &values) -> Elements {
        std::decay_t<decltype(values)> result(values.size());
        copy_strided(values, result, shape, strides);
        return result;
    };
    Elements elements = std::visit(move_elements, array.elements());
    return {std::move(shape), std::move(elements), array.name()};
}

Array channels_first(Array images) {
    const Shape shape = images.shape();
    if (shape.size() == 3) return std::move(images).reshaped({shape[0], 1, shape[1], shape[2]});
    if (shape.size() == 4 && shape[3] <= most_channels) {
        constexpr std::size_t axes[] = {0, 3, 1, 2};
        return permuted(images, axes);
    }
    if (shape.size() == 4 && shape[1] <= most_channels) return images;
    throw data_error(
        "data-shape", images.name(),
        "expected images, n x height x width or n x height x width x channels, found " +
            shape_text(shape));
}

} // namespace neurasp::data
