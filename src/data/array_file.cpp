// Finds out the kind of a file and calls its reader.
#include "data/array_file.hpp"

#include "data/data_error.hpp"
#include "data/idx.hpp"
#include "data/image_folder.hpp"
#include "data/npy.hpp"
#include "data/npz.hpp"

#include <algorithm>
#include <filesystem>

namespace neurasp::data {

namespace {

enum class Kind { idx, npy, npz, image, table, unknown };

Kind kind_of_bytes(ByteSpan bytes) {
    if (is_npy(bytes)) return Kind::npy;
    if (is_npz(bytes)) return Kind::npz;
    if (is_png(bytes) || is_jpeg(bytes)) return Kind::image;
    return is_idx(bytes) ? Kind::idx : Kind::unknown;
}

// For tables, and for files whose first bytes are damaged, so that the right reader reports the damage.
Kind kind_of_name(const std::string &path) {
    const std::string extension = extension_of(path);
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), extension) != names.end();
    };
    if (is_one_of({"csv", "tsv", "txt", "data"})) return Kind::table;
    if (is_one_of({"png", "jpg", "jpeg"})) return Kind::image;
    if (extension == "npy") return Kind::npy;
    if (extension == "npz") return Kind::npz;
    const bool idx = extension == "idx" || without_gz(path).ends_with("-ubyte");
    return idx ? Kind::idx : Kind::unknown;
}

Array one_row(Array image) {
    Shape shape = image.shape();
    shape.insert(shape.begin(), 1);
    return std::move(image).reshaped(std::move(shape));
}

Array parse(const Bytes &bytes, const std::string &path, const ArrayOptions &options) {
    Kind kind = kind_of_bytes(bytes);
    if (kind == Kind::unknown) kind = kind_of_name(path);
    switch (kind) {
    case Kind::idx: return parse_idx(bytes, path);
    case Kind::npy: return parse_npy(bytes, path);
    case Kind::npz: return parse_npz(bytes, path, options.member, options.most_bytes);
    case Kind::image: return one_row(decode_image(bytes, path, options.image));
    case Kind::table: {
        const Table table = parse_table(std::string(as_text(bytes)), path, options.table);
        return numeric_array(table, options.columns);
    }
    case Kind::unknown: break;
    }
    throw data_error("data-format", path, "arrays cannot be read from this kind of file",
                     "supported are IDX, NPY, NPZ, PNG, JPEG, folders of pictures, and tables of "
                     "numbers (*.csv, *.tsv, *.txt, *.data), each also as *.gz");
}

Array read(const std::string &path, const ArrayOptions &options) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        return read_image_folder(path, {options.image, false}).images;
    }
    return parse(read_bytes(path, options.most_bytes), path, options);
}

} // namespace

Array read_array(const std::string &path, const ArrayOptions &options) {
    Array array = read(path, options);
    if (options.tiles) array = cut_tiles(array, *options.tiles);
    return options.channels_first ? channels_first(std::move(array)) : array;
}

} // namespace neurasp::data
