// Shared by the fuzz targets of the data readers: bytes become a valid array, or one InputError that can be
// shown.
#pragma once

#include "data/array.hpp"
#include "data/text_reading.hpp"
#include "neurasp/diagnostic.hpp"

#include <cstdlib>

namespace neurasp::data {

inline void require(bool condition) {
    if (!condition) std::abort();
}

inline void check(const Array &array) {
    array.verify();
    std::vector<float> row(array.row_size());
    if (array.rows() > 0) array.copy_row(array.rows() - 1, row);
}

inline void check(const InputError &error) {
    require(!error.diagnostics().empty() && error.diagnostics().size() <= most_errors);
    for (const Diagnostic &diagnostic : error.diagnostics()) {
        require(!diagnostic.code.empty() && !render(diagnostic, true).empty());
        require(diagnostic.location.file.starts_with("fuzz"));
    }
}

template <class Read> void try_to_read(Read read) {
    try {
        check(read());
    } catch (const InputError &error) {
        check(error);
    }
}

} // namespace neurasp::data
