// PNG pictures, by libpng. It reports errors by longjmp, which lands in functions that hold nothing but plain
// pointers and numbers; objects with destructors belong to their callers, so that no jump skips a destructor.
#include "data/data_error.hpp"
#include "data/image.hpp"
#include "data/inflate.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <new>
#include <utility>

#include <png.h>

namespace neurasp::data {

namespace {

struct PngState {
    const std::uint8_t *next = nullptr;
    std::size_t left = 0;
    bool ran_dry = false;
    char message[120] = "";
};

extern "C" void png_read_from_state(png_structp png, png_bytep out, std::size_t size) {
    auto *const state = static_cast<PngState *>(png_get_io_ptr(png));
    if (size > state->left) {
        state->ran_dry = true;
        png_error(png, "the file ends too early");
    }
    std::memcpy(out, state->next, size);
    state->next += size;
    state->left -= size;
}

extern "C" [[noreturn]] void png_keep_error(png_structp png, png_const_charp message) {
    auto *const state = static_cast<PngState *>(png_get_error_ptr(png));
    std::strncpy(state->message, message, sizeof(state->message) - 1);
    png_longjmp(png, 1);
}

extern "C" void png_drop_warning(png_structp, png_const_charp) {}

class PngReader {
  public:
    explicit PngReader(ByteSpan bytes) {
        state_.next = bytes.data();
        state_.left = bytes.size();
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &state_, png_keep_error,
                                      png_drop_warning);
        if (png_ == nullptr) throw std::bad_alloc();
        info_ = png_create_info_struct(png_);
        if (info_ == nullptr) {
            png_destroy_read_struct(&png_, nullptr, nullptr);
            throw std::bad_alloc();
        }
        png_set_read_fn(png_, &state_, png_read_from_state);
    }
    ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
    PngReader(const PngReader &) = delete;
    PngReader &operator=(const PngReader &) = delete;

    // Each returns false after an error. libpng allocates rows in start_pixels(), so check sizes before it.
    bool read_header();
    bool start_pixels();
    bool read_pixels(png_bytep *rows);

    std::size_t width() const { return png_get_image_width(png_, info_); }
    std::size_t height() const { return png_get_image_height(png_, info_); }
    std::size_t channels() const { return png_get_channels(png_, info_); }
    std::size_t stored_row_bytes() const noexcept { return stored_row_bytes_; }
    InputError error(const std::string &name) const;

  private:
    PngState state_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    std::size_t stored_row_bytes_ = 0;
};

bool PngReader::read_header() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    // We check the size ourselves, with a better message. Chunks other than the picture are not needed.
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_read_info(png_, info_);
    stored_row_bytes_ = png_get_rowbytes(png_, info_);
    return true;
}

bool PngReader::start_pixels() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_expand(png_);   // palettes and few bits to 8 bits, a transparent colour to alpha
    png_set_scale_16(png_); // 16 bits to 8, rounded
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return true;
}

bool PngReader::read_pixels(png_bytep *rows) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
}

InputError PngReader::error(const std::string &name) const {
    if (state_.ran_dry) {
        return data_error("data-truncated", name, "the PNG file ends too early",
                          "is the file complete?");
    }
    return data_error("data-format", name,
                      "the PNG file is damaged: " + std::string(state_.message));
}

// Deflate bounds how many pixels a file of this size can hold.
void check_plausible(const PngReader &reader, ByteSpan bytes, const std::string &name) {
    if (reader.stored_row_bytes() * reader.height() / most_inflated_per_byte <= bytes.size())
        return;
    throw data_error("data-truncated", name,
                     "the PNG file announces " + std::to_string(reader.width()) + " x " +
                         std::to_string(reader.height()) + " pixels, but has only " +
                         std::to_string(bytes.size()) + " bytes");
}

std::uint8_t on_white(unsigned value, unsigned alpha) {
    return static_cast<std::uint8_t>((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

// The weights of ITU-R BT.601, which JPEG and most tools use.
std::uint8_t luma(unsigned red, unsigned green, unsigned blue) {
    return static_cast<std::uint8_t>((299 * red + 587 * green + 114 * blue + 500) / 1000);
}

// Converts a pixel of 1 (grey), 2 (grey, alpha), 3 (colour) or 4 (colour, alpha) channels to one of 1 or 3.
void convert_pixel(const std::uint8_t *from, std::size_t channels, std::uint8_t *to,
                   std::size_t wanted) {
    const bool color = channels >= 3;
    const unsigned alpha = channels % 2 == 0 ? from[channels - 1] : 255;
    const std::uint8_t red = on_white(from[0], alpha);
    const std::uint8_t green = color ? on_white(from[1], alpha) : red;
    const std::uint8_t blue = color ? on_white(from[2], alpha) : red;
    to[0] = wanted == 1 && color ? luma(red, green, blue) : red;
    if (wanted == 3) {
        to[1] = green;
        to[2] = blue;
    }
}

Bytes convert(Bytes pixels, std::size_t channels, std::size_t wanted) {
    if (channels == wanted) return pixels;
    const std::size_t count = pixels.size() / channels;
    Bytes result(count * wanted);
    for (std::size_t i = 0; i < count; ++i) {
        convert_pixel(&pixels[i * channels], channels, &result[i * wanted], wanted);
    }
    return result;
}

} // namespace

Array decode_png(ByteSpan bytes, const std::string &name, const ImageOptions &options) {
    if (!is_png(bytes)) throw data_error("data-format", name, "this is not a PNG file");
    PngReader reader(bytes);
    if (!reader.read_header()) throw reader.error(name);
    const std::size_t width = reader.width();
    const std::size_t height = reader.height();
    check_pixels(width, height, name, options);
    check_plausible(reader, bytes, name);
    if (!reader.start_pixels()) throw reader.error(name);
    const std::size_t channels = reader.channels();

    Bytes pixels(width * height * channels);
    std::vector<png_bytep> rows(height);
    for (std::size_t y = 0; y < height; ++y) rows[y] = &pixels[y * width * channels];
    if (!reader.read_pixels(rows.data())) throw reader.error(name);

    const bool rgb =
        options.colors == Colors::rgb || (options.colors == Colors::as_stored && channels >= 3);
    Shape shape{height, width};
    if (rgb) shape.push_back(3);
    return {std::move(shape), convert(std::move(pixels), channels, rgb ? 3 : 1), name};
}

} // namespace neurasp::data
