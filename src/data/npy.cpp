// NPY files, after NumPy's own description (numpy.lib.format): a magic, a version, the length of the header, the
// header, the elements.
//
// The header is a Python dictionary in text. A parser of its own, with three keys and no expressions, reads it:
// anything else that Python would accept there is refused. It never recurses, and a shape has at most 64
// dimensions (NumPy's own limit), so no header costs more than its length. Sizes are checked against the bytes
// that follow before anything is allocated (elements.hpp). Fortran order costs one more copy.
#include "data/npy.hpp"

#include "data/data_error.hpp"
#include "data/elements.hpp"

#include <charconv>
#include <numeric>
#include <optional>

namespace neurasp::data {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

struct Header {
    std::string_view type; // "<f4"
    bool fortran_order = false;
    Shape shape;
};

// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } with its keys in any order.
class HeaderParser {
  public:
    HeaderParser(std::string_view text, const std::string &name) : text_(text), name_(name) {}

    Header parse() {
        expect('{');
        while (!accept('}')) {
            parse_entry(string());
            if (!accept(',') && peek() != '}') fail("',' or '}'");
        }
        if (peek() != '\0') fail("the end of the header");
        if (!has_type_ || !has_order_ || !has_shape_) {
            throw data_error("data-format", name_,
                             "the NPY header lacks 'descr', 'fortran_order' or 'shape'");
        }
        return std::move(header_);
    }

  private:
    void parse_entry(std::string_view key) {
        expect(':');
        if (key == "descr") {
            if (peek() == '[') fail_structured();
            header_.type = string();
            has_type_ = true;
        } else if (key == "fortran_order") {
            header_.fortran_order = truth();
            has_order_ = true;
        } else if (key == "shape") {
            header_.shape = tuple();
            has_shape_ = true;
        } else {
            fail("'descr', 'fortran_order' or 'shape'");
        }
    }

    std::string_view string() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') fail("a string");
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) fail("a closing quote");
        const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return content;
    }

    bool truth() {
        peek();
        const std::string_view rest = text_.substr(at_);
        const bool value = rest.starts_with("True");
        if (!value && !rest.starts_with("False")) fail("True or False");
        at_ += value ? 4 : 5;
        return value;
    }

    Shape tuple() {
        constexpr std::size_t most_dimensions = 64; // NumPy's own limit, since version 2
        Shape shape;
        expect('(');
        while (!accept(')')) {
            shape.push_back(number());
            if (shape.size() > most_dimensions) fail("at most 64 dimensions");
            if (!accept(',') && peek() != ')') fail("',' or ')'");
        }
        return shape;
    }

    std::size_t number() {
        peek();
        std::size_t value = 0;
        const char *const end = text_.data() + text_.size();
        const auto [stop, error] = std::from_chars(text_.data() + at_, end, value);
        if (error != std::errc()) fail("the size of a dimension");
        at_ = static_cast<std::size_t>(stop - text_.data());
        accept('L'); // Python 2 wrote long integers with it
        return value;
    }

    // The next character after blanks; NUL at the end.
    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool accept(char c) {
        const bool there = peek() == c;
        if (there) ++at_;
        return there;
    }
    void expect(char c) {
        if (!accept(c)) fail("'" + std::string(1, c) + "'");
    }

    [[noreturn]] void fail(const std::string &expected) const {
        throw data_error("data-format", name_,
                         "the NPY header is damaged: expected " + expected + " at its character " +
                             std::to_string(at_ + 1));
    }
    [[noreturn]] void fail_structured() const {
        throw data_error("data-type", name_, "arrays of records are not supported",
                         "save each field as an array of its own");
    }

    std::string_view text_;
    const std::string &name_;
    std::size_t at_ = 0;
    Header header_;
    bool has_type_ = false;
    bool has_order_ = false;
    bool has_shape_ = false;
};

std::optional<StoredType> stored_type(std::string_view kind_and_size) {
    constexpr std::pair<std::string_view, StoredType> types[] = {
        {"b1", StoredType::u8},  {"u1", StoredType::u8},  {"i1", StoredType::i8},
        {"u2", StoredType::u16}, {"i2", StoredType::i16}, {"u4", StoredType::u32},
        {"i4", StoredType::i32}, {"i8", StoredType::i64}, {"f4", StoredType::f32},
        {"f8", StoredType::f64}};
    for (const auto &[name, type] : types) {
        if (kind_and_size == name) return type;
    }
    return std::nullopt;
}

struct Type {
    StoredType stored;
    ByteOrder order;
};

Type element_type(std::string_view text, const std::string &name) {
    const char order = text.empty() ? '\0' : text.front();
    const bool known_order = order == '<' || order == '>' || order == '|';
    const std::optional<StoredType> stored =
        known_order ? stored_type(text.substr(1)) : std::nullopt;
    if (stored && (order != '|' || size_of(*stored) == 1)) {
        return {*stored, order == '>' ? ByteOrder::big : ByteOrder::little};
    }
    throw data_error("data-type", name,
                     "the NPY element type '" + std::string(text.substr(0, 40)) +
                         "' is not supported",
                     "convert it with astype to bool, uint8, int32, int64, float32 or float64");
}

std::string_view read_header(ByteReader &reader, const std::string &name) {
    const std::uint8_t version = reader.byte();
    reader.byte(); // the minor version, always 0
    if (version < 1 || version > 3) {
        throw data_error("data-format", name,
                         "NPY version " + std::to_string(version) + " is not known, only 1, 2, 3");
    }
    const std::size_t size = version == 1 ? reader.little_u16() : reader.little_u32();
    return as_text(reader.take(size));
}

} // namespace

bool is_npy(ByteSpan bytes) { return starts_with(bytes, magic); }

Array parse_npy(ByteSpan bytes, const std::string &name) {
    if (!is_npy(bytes)) {
        throw data_error("data-format", name,
                         "this is not an NPY file: it does not begin with \\x93NUMPY");
    }
    ByteReader reader(bytes, name, "the NPY header");
    reader.take(magic.size());
    Header header = HeaderParser(read_header(reader, name), name).parse();
    const Type type = element_type(header.type, name);
    if (header.shape.empty()) header.shape = {1};
    // Fortran order is C order with the dimensions reversed; for an empty array the order does not matter.
    if (!header.fortran_order || checked_product(header.shape) == 0) {
        return read_elements(header.shape, type.stored, type.order, reader.rest(), name);
    }
    const Shape reversed(header.shape.rbegin(), header.shape.rend());
    std::vector<std::size_t> axes(reversed.size());
    std::iota(axes.rbegin(), axes.rend(), std::size_t{0});
    return permuted(read_elements(reversed, type.stored, type.order, reader.rest(), name), axes);
}

} // namespace neurasp::data
