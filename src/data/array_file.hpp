// One way to read an array from any kind of file: IDX, NPY, NPZ, PNG, JPEG, a folder of pictures or a table
// of numbers, packed with gzip or not.
#pragma once

#include "data/array.hpp"
#include "data/image.hpp"
#include "data/table.hpp"
#include "data/tiles.hpp"

#include <optional>

namespace neurasp::data {

struct ArrayOptions {
    std::string member;               // which array of an NPZ file; may be empty if it holds one
    std::vector<std::string> columns; // which columns of a table, in which order; all if empty
    TableOptions table;
    ImageOptions image;
    std::optional<TileGrid> tiles; // cut pictures into tiles, each a row
    bool channels_first = false;   // n x channels x height x width, as networks expect pictures
    std::uint64_t most_bytes = default_most_bytes;
};

// The first bytes tell the kind; tables, which begin with nothing special, are known by their name (*.csv,
// *.tsv, *.txt, *.data). A single picture becomes an array of one row.
// Throws: EnvironmentError if there is no such file, InputError if it is of another kind or damaged.
Array read_array(const std::string &path, const ArrayOptions &options = {});

} // namespace neurasp::data
