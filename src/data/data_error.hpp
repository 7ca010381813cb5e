// An error about a data file as a whole, without a line. Readers of text make their own, with places.
#pragma once

#include "neurasp/diagnostic.hpp"

#include <string>
#include <utility>

namespace neurasp::data {

inline InputError data_error(std::string code, const std::string &file, std::string message,
                             std::string hint = {}) {
    Diagnostic diagnostic;
    diagnostic.code = std::move(code);
    diagnostic.message = std::move(message);
    diagnostic.location.file = file;
    diagnostic.hint = std::move(hint);
    return InputError(std::move(diagnostic));
}

} // namespace neurasp::data
