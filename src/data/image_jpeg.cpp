// JPEG pictures, by libjpeg. It reports errors through a callback that must not return. Ours jumps (longjmp)
// back into functions that hold nothing but plain pointers and numbers; objects with destructors belong to
// their callers, so that no jump skips a destructor.
#include "data/data_error.hpp"
#include "data/image.hpp"

#include <csetjmp>
#include <cstdio>
#include <utility>

#include <jpeglib.h>

#include <jerror.h>

namespace neurasp::data {

namespace {

// A progressive picture may have any number of scans, each as expensive as the picture; real ones have ten.
constexpr int most_scans = 100;

struct JpegState {
    jpeg_decompress_struct info{};
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    std::jmp_buf back{};
    bool ran_dry = false;
    char message[JMSG_LENGTH_MAX] = "";
};

JpegState &state_of(j_common_ptr info) { return *static_cast<JpegState *>(info->client_data); }

extern "C" [[noreturn]] void jpeg_keep_error(j_common_ptr info) {
    JpegState &state = state_of(info);
    state.errors.format_message(info, state.message);
    std::longjmp(state.back, 1);
}

// Level -1 is a warning. Where bytes are missing, libjpeg would go on and make them up.
extern "C" void jpeg_check_warning(j_common_ptr info, int level) {
    JpegState &state = state_of(info);
    const int code = state.errors.msg_code;
    if (level >= 0 || (code != JWRN_JPEG_EOF && code != JWRN_HIT_MARKER)) return;
    state.ran_dry = true;
    jpeg_keep_error(info);
}

extern "C" void jpeg_check_scans(j_common_ptr info) {
    JpegState &state = state_of(info);
    if (state.info.input_scan_number <= most_scans) return;
    state.errors.msg_code = JERR_BAD_PROGRESSION;
    jpeg_keep_error(info);
}

class JpegReader {
  public:
    JpegReader() {
        state_.info.err = jpeg_std_error(&state_.errors);
        state_.errors.error_exit = jpeg_keep_error;
        state_.errors.emit_message = jpeg_check_warning;
        state_.progress.progress_monitor = jpeg_check_scans;
    }
    ~JpegReader() { jpeg_destroy_decompress(&state_.info); }
    JpegReader(const JpegReader &) = delete;
    JpegReader &operator=(const JpegReader &) = delete;

    // Each returns false after an error.
    bool read_header(const std::uint8_t *bytes, std::size_t size);
    bool start(Colors colors);
    bool read_pixels(std::uint8_t *out);

    std::size_t width() const noexcept { return state_.info.image_width; }
    std::size_t height() const noexcept { return state_.info.image_height; }
    std::size_t channels() const noexcept {
        return static_cast<std::size_t>(state_.info.output_components);
    }
    bool arithmetic() const noexcept { return state_.info.arith_code != FALSE; }
    InputError error(const std::string &name) const;

  private:
    JpegState state_;
};

bool JpegReader::read_header(const std::uint8_t *bytes, std::size_t size) {
    // jpeg_create_decompress() clears everything except client_data and err.
    state_.info.client_data = &state_;
    if (setjmp(state_.back) != 0) return false;
    jpeg_create_decompress(&state_.info);
    state_.info.progress = &state_.progress;
    jpeg_mem_src(&state_.info, bytes, size);
    jpeg_read_header(&state_.info, TRUE);
    return true;
}

bool JpegReader::start(Colors colors) {
    if (setjmp(state_.back) != 0) return false;
    const bool stored_grey = state_.info.jpeg_color_space == JCS_GRAYSCALE;
    const bool grey = colors == Colors::grey || (colors == Colors::as_stored && stored_grey);
    state_.info.out_color_space = grey ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_start_decompress(&state_.info);
    return true;
}

bool JpegReader::read_pixels(std::uint8_t *out) {
    if (setjmp(state_.back) != 0) return false;
    const std::size_t row_bytes = width() * channels();
    while (state_.info.output_scanline < state_.info.output_height) {
        JSAMPROW row = out + state_.info.output_scanline * row_bytes;
        jpeg_read_scanlines(&state_.info, &row, 1);
    }
    jpeg_finish_decompress(&state_.info);
    return true;
}

InputError JpegReader::error(const std::string &name) const {
    if (state_.ran_dry) {
        return data_error("data-truncated", name, "the JPEG file ends too early",
                          "is the file complete?");
    }
    return data_error("data-format", name,
                      "the JPEG file cannot be read: " + std::string(state_.message));
}

// With Huffman codes, each block of 8 x 8 pixels takes at least one bit.
void check_plausible(const JpegReader &reader, ByteSpan bytes, const std::string &name) {
    constexpr std::size_t most_pixels_per_byte = 8 * 64;
    if (reader.arithmetic()) {
        throw data_error("data-format", name, "JPEG with arithmetic coding is not supported");
    }
    if (reader.width() * reader.height() / most_pixels_per_byte <= bytes.size()) return;
    throw data_error("data-truncated", name,
                     "the JPEG file announces " + std::to_string(reader.width()) + " x " +
                         std::to_string(reader.height()) + " pixels, but has only " +
                         std::to_string(bytes.size()) + " bytes");
}

} // namespace

Array decode_jpeg(ByteSpan bytes, const std::string &name, const ImageOptions &options) {
    if (!is_jpeg(bytes)) throw data_error("data-format", name, "this is not a JPEG file");
    JpegReader reader;
    if (!reader.read_header(bytes.data(), bytes.size())) throw reader.error(name);
    check_pixels(reader.width(), reader.height(), name, options);
    check_plausible(reader, bytes, name);
    if (!reader.start(options.colors)) throw reader.error(name);

    Bytes pixels(reader.width() * reader.height() * reader.channels());
    if (!reader.read_pixels(pixels.data())) throw reader.error(name);
    Shape shape{reader.height(), reader.width()};
    if (reader.channels() == 3) shape.push_back(3);
    return {std::move(shape), std::move(pixels), name};
}

} // namespace neurasp::data
