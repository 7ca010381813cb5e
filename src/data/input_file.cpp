// Reads an input and compares it with those that the network was trained on.
#include "data/input_file.hpp"

#include "base/counted.hpp"
#include "base/option_names.hpp"
#include "data/array_file.hpp"
#include "data/data_error.hpp"
#include "data/resize.hpp"

#include <algorithm>
#include <filesystem>

namespace neurasp::data {

namespace {

std::string picture_text(const PictureSize &size, bool several) {
    return std::string(several ? "" : "a ") + (size.channels == 3 ? "colour" : "grey") +
           (several ? " pictures" : " picture") + " of " + std::to_string(size.width) + " x " +
           std::to_string(size.height) + " pixels";
}

[[noreturn]] void refuse_form(const std::string &file, const ExpectedInput &expected,
                              const std::string &found, const std::string &wanted,
                              bool can_convert) {
    Diagnostic diagnostic;
    diagnostic.code = "input-form";
    diagnostic.location.file = file;
    diagnostic.message = "this is " + found + ", but the network '" + expected.network +
                         "' was trained on " + wanted;
    if (can_convert) {
        diagnostic.hint = "have pictures converted, or give one like those";
        diagnostic.option = base::option::convert_inputs;
    } else {
        diagnostic.hint = "give an input like those";
    }
    throw InputError(std::move(diagnostic));
}

bool has_form(const Array &array, const InputForm &form) {
    const auto shape = array.row_shape();
    return std::equal(shape.begin(), shape.end(), form.shape.begin(), form.shape.end());
}

// A picture with the size and the number of channels of the form.
Array converted(const std::string &file, const InputForm &form, const PictureSize &size) {
    ArrayOptions options;
    options.image.colors = size.channels == 3 ? Colors::rgb : Colors::grey;
    Array picture = resized(read_array(file, options), size.height, size.width);
    return form.channels_first ? channels_first(std::move(picture)) : picture;
}

std::shared_ptr<const Array> read_in_form(const ArraySettings &settings,
                                          const ExpectedInput &expected) {
    const std::string &file = settings.file.path;
    ArrayStore store;
    std::shared_ptr<const Array> array = store.get(settings);
    if (array->rows() != 1) {
        throw data_error("input-file", file,
                         "this holds " + base::counted(array->rows(), "input") + ", expected one",
                         "give a picture, or an array with one row");
    }
    if (!expected.form || has_form(*array, *expected.form)) return array;
    const InputForm &form = *expected.form;
    const auto found = is_picture_file(file) ? picture_size(array->row_shape(), form.channels_first)
                                             : std::nullopt;
    const auto wanted = picture_size(form.shape, form.channels_first);
    if (!found || !wanted) {
        refuse_form(file, expected, "an input of shape " + shape_text(array->row_shape()),
                    "inputs of shape " + shape_text(form.shape), false);
    }
    if (!expected.convert) {
        refuse_form(file, expected, picture_text(*found, false), picture_text(*wanted, true), true);
    }
    return std::make_shared<const Array>(converted(file, form, *wanted));
}

} // namespace

bool is_picture_file(const std::string &file) {
    if (std::error_code unknown; std::filesystem::is_directory(file, unknown)) return false;
    const Bytes bytes = read_bytes(file);
    return is_png(bytes) || is_jpeg(bytes);
}

DatasetArray read_input_file(const ArraySettings &settings, const ExpectedInput &expected) {
    const ArraySettings own = expected.form ? with_form(settings, *expected.form) : settings;
    return {own, read_in_form(own, expected)};
}

} // namespace neurasp::data
