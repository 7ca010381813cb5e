// Cutting pictures into tiles: each tile is copied line by line, once.
#include "data/tiles.hpp"

#include "data/data_error.hpp"

#include <type_traits>

namespace neurasp::data {

namespace {

struct Sizes {
    std::size_t height, width, channels, tile_height, tile_width;
};

std::string size_text(std::size_t first, std::size_t second) {
    return std::to_string(first) + " x " + std::to_string(second);
}

Sizes check(const Array &images, const TileGrid &grid) {
    const Shape &shape = images.shape();
    if (grid.rows == 0 || grid.columns == 0) throw ContractError("cut_tiles: a grid without tiles");
    if (shape.size() != 3 && shape.size() != 4) {
        throw data_error("data-shape", images.name(),
                         "expected pictures, n x height x width or n x height x width x channels, "
                         "found " +
                             shape_text(shape));
    }
    const Sizes sizes{shape[1], shape[2], shape.size() == 4 ? shape[3] : 1, shape[1] / grid.rows,
                      shape[2] / grid.columns};
    const bool even = shape[1] % grid.rows == 0 && shape[2] % grid.columns == 0;
    if (sizes.tile_height == 0 || sizes.tile_width == 0 || (!even && !grid.trim)) {
        throw data_error("data-shape", images.name(),
                         "pictures of " + size_text(shape[1], shape[2]) +
                             " pixels (height x width) cannot be cut into " +
                             size_text(grid.rows, grid.columns) + " equal tiles",
                         "scale them first, or set 'trim' to drop the pixels left over");
    }
    return sizes;
}

template <class T>
std::vector<T> cut(const std::vector<T> &pixels, std::size_t count, const Sizes &sizes,
                   const TileGrid &grid) {
    const std::size_t line = sizes.width * sizes.channels;
    const std::size_t tile_line = sizes.tile_width * sizes.channels;
    std::vector<T> tiles;
    tiles.reserve(count * grid.rows * grid.columns * sizes.tile_height * tile_line);
    for (std::size_t image = 0; image < count; ++image) {
        for (std::size_t tile = 0; tile < grid.rows * grid.columns; ++tile) {
            const std::size_t top = tile / grid.columns * sizes.tile_height;
            const std::size_t left = tile % grid.columns * tile_line;
            for (std::size_t y = top; y < top + sizes.tile_height; ++y) {
                const T *const from = &pixels[(image * sizes.height + y) * line + left];
                tiles.insert(tiles.end(), from, from + tile_line);
            }
        }
    }
    return tiles;
}

} // namespace

Array cut_tiles(const Array &images, const TileGrid &grid) {
    const Sizes sizes = check(images, grid);
    Shape shape = images.shape();
    shape[0] *= grid.rows * grid.columns;
    shape[1] = sizes.tile_height;
    shape[2] = sizes.tile_width;
    const auto cut_all = [&](const auto &pixels) -> Elements {
        return cut(pixels, images.rows(), sizes, grid);
    };
    Elements tiles = std::visit(cut_all, images.elements());
    return {std::move(shape), std::move(tiles), images.name()};
}

} // namespace neurasp::data
