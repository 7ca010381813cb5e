// Pictures of grids (a Sudoku board) cut into their cells.
#pragma once

#include "data/array.hpp"

namespace neurasp::data {

struct TileGrid {
    std::size_t rows = 1;
    std::size_t columns = 1;
    bool trim = false; // drop pixels left over at the right and at the bottom
};

// n pictures, n x H x W or n x H x W x C, as n * rows * columns tiles: picture by picture, row by row.
// Throws: InputError if the shape is neither, or if the pictures do not divide evenly and `trim` is not set.
Array cut_tiles(const Array &images, const TileGrid &grid);

} // namespace neurasp::data
