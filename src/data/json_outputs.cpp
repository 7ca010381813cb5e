// NetworkOutputs::from_json: {"network": {"terms": numbers, ...}, ...}, where `numbers` is a number or a
// rectangular nesting of arrays of numbers.
#include "base/source.hpp"
#include "data/json_positions.hpp"
#include "data/text_reading.hpp"
#include "neurasp/network_outputs.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace neurasp {

namespace {

using base::DiagnosticSink;
using base::SourceMap;
using data::ByteRange;
using data::JsonPositions;
using data::most_errors;
using data::TokenKind;

constexpr std::size_t deepest_nesting = 64;
constexpr std::size_t widest_shown_column = 140;
constexpr std::string_view expected_form =
    R"(the expected form is {"network": {"terms": [[0.1, 0.9]], ...}, ...})";

// The DETAIL of the parser's message "[...] parse error at ...: syntax error while parsing value - DETAIL",
// without the bytes that it last read, which the caret line shows.
std::string essence(std::string_view message) {
    const auto dash = message.find(" - ");
    std::string detail(dash == std::string_view::npos ? message : message.substr(dash + 3));
    const auto read = detail.find("; last read: '");
    if (read == std::string::npos) return detail;
    const auto expected = detail.rfind("'; expected ");
    return detail.substr(0, read) +
           (expected == std::string::npos ? std::string() : detail.substr(expected + 1));
}

// Whether a word means a number that JSON cannot express but some programs write all the same.
bool is_not_finite(std::string_view word) {
    constexpr std::array<std::string_view, 3> names = {"nan", "infinity", "inf"};
    if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
    std::string lower(word.substr(0, 16));
    for (char &c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return std::find(names.begin(), names.end(), lower) != names.end();
}

// Receives the parser's events. A wrong value is reported and skipped, so that several mistakes are found at
// once.
class Handler {
  public:
    Handler(std::string_view json, const std::string &name)
        : source_(sources_.add(name, std::string(json))), text_(sources_.text(source_)),
          positions_(text_) {}

    JsonPositions &positions() { return positions_; }
    const DiagnosticSink &errors() const { return errors_; }
    NetworkOutputs take_result() { return std::move(result_); }

    bool null() { return other(TokenKind::word, "null"); }
    bool boolean(bool) { return other(TokenKind::word, "a truth value"); }
    bool string(std::string &) { return other(TokenKind::string, "a string"); }
    bool binary(nlohmann::json::binary_t &) { return other(TokenKind::string, "binary data"); }
    bool number_integer(std::int64_t value) { return number(static_cast<double>(value)); }
    bool number_unsigned(std::uint64_t value) { return number(static_cast<double>(value)); }
    bool number_float(double value, const std::string &) { return number(value); }

    bool start_object(std::size_t);
    bool key(std::string &name);
    bool end_object();
    bool start_array(std::size_t);
    bool end_array();
    bool parse_error(std::size_t, const std::string &, const nlohmann::json::exception &error);

  private:
    enum class Place { top, networks, entries };
    // An array being read; `items` counts both kinds.
    struct Array {
        ByteRange at;
        std::size_t items = 0;
        bool holds_numbers = false;
        bool holds_arrays = false;
    };

    bool number(double value);
    bool other(TokenKind kind, std::string_view found);
    bool unexpected(ByteRange at, std::string_view found);
    bool enter(ByteRange at);
    void add_item(bool is_array, ByteRange at);
    void finish_entry();
    bool shape_error(ByteRange at, std::string message, std::string hint = {});
    void add_error(std::string code, ByteRange at, std::string message, std::string hint);
    std::string entry_name() const {
        return "the output of '" + network_ + "' for '" + terms_ + "'";
    }
    base::SourceSpan span(ByteRange at) const {
        return {source_, static_cast<std::uint32_t>(at.begin), static_cast<std::uint32_t>(at.end)};
    }

    SourceMap sources_;
    std::uint32_t source_;
    std::string_view text_;
    JsonPositions positions_;
    DiagnosticSink errors_;
    NetworkOutputs result_;

    Place place_ = Place::top;
    std::size_t depth_ = 0;
    std::size_t skipping_ = 0; // number of open structures of a value that is ignored
    std::set<std::string> networks_;
    std::set<std::string> entries_; // of the current network
    std::string network_, terms_;
    ByteRange terms_at_;
    bool entry_failed_ = false;
    std::vector<double> values_;
    std::vector<Array> arrays_;
    std::vector<std::size_t> lengths_; // of the first finished array of each level, 0 if none yet
};

bool Handler::enter(ByteRange at) {
    if (++depth_ <= deepest_nesting) return true;
    shape_error(at, "the nesting is deeper than " + std::to_string(deepest_nesting) + " levels");
    return false;
}

bool Handler::start_object(std::size_t) {
    const ByteRange at = positions_.take(TokenKind::punctuation);
    if (!enter(at)) return false;
    if (skipping_ > 0) {
        ++skipping_;
        return true;
    }
    if (place_ == Place::entries) {
        skipping_ = 1;
        return unexpected(at, "an object");
    }
    place_ = place_ == Place::top ? Place::networks : Place::entries;
    entries_.clear();
    return true;
}

bool Handler::key(std::string &name) {
    const ByteRange at = positions_.take(TokenKind::string);
    if (skipping_ > 0) return true;
    if (place_ == Place::networks) {
        network_ = name;
        if (networks_.insert(name).second) return true;
        return shape_error(at, "the network '" + name + "' appears a second time",
                           "give all outputs of a network in one object");
    }
    terms_ = name;
    terms_at_ = at;
    entry_failed_ = false;
    lengths_.clear();
    values_.clear();
    if (entries_.insert(name).second) return true;
    const bool go_on = shape_error(at, entry_name() + " appears a second time");
    entry_failed_ = true;
    return go_on;
}

bool Handler::end_object() {
    positions_.take(TokenKind::punctuation);
    --depth_;
    if (skipping_ > 0) {
        --skipping_;
    } else {
        place_ = place_ == Place::entries ? Place::networks : Place::top;
    }
    return true;
}

bool Handler::start_array(std::size_t) {
    const ByteRange at = positions_.take(TokenKind::punctuation);
    if (!enter(at)) return false;
    if (skipping_ > 0) {
        ++skipping_;
        return true;
    }
    if (place_ != Place::entries) {
        skipping_ = 1;
        return unexpected(at, "an array");
    }
    add_item(true, at);
    arrays_.push_back({at});
    return errors_.error_count() < most_errors;
}

bool Handler::end_array() {
    const ByteRange end = positions_.take(TokenKind::punctuation);
    --depth_;
    if (skipping_ > 0) {
        --skipping_;
        return true;
    }
    const Array array = arrays_.back();
    arrays_.pop_back();
    const std::size_t level = arrays_.size();
    if (lengths_.size() <= level) lengths_.resize(level + 1, 0);
    const ByteRange whole{array.at.begin, end.end};
    bool go_on = true;
    if (array.items == 0) {
        go_on = shape_error(whole, entry_name() + " holds an empty array");
    } else if (lengths_[level] == 0) {
        lengths_[level] = array.items;
    } else if (lengths_[level] != array.items) {
        go_on = shape_error(whole, entry_name() + " has rows of different lengths: " +
                                       std::to_string(lengths_[level]) + " and here " +
                                       std::to_string(array.items));
    }
    if (level == 0) finish_entry();
    return go_on;
}

bool Handler::number(double value) {
    const ByteRange at = positions_.take(TokenKind::word);
    if (skipping_ > 0) return true;
    if (place_ != Place::entries) return unexpected(at, "a number");
    add_item(false, at);
    values_.push_back(value);
    if (arrays_.empty()) finish_entry();
    return errors_.error_count() < most_errors;
}

bool Handler::other(TokenKind kind, std::string_view found) {
    const ByteRange at = positions_.take(kind);
    return skipping_ > 0 || unexpected(at, found);
}

// Reports a value of a kind that is not allowed where it is.
bool Handler::unexpected(ByteRange at, std::string_view found) {
    std::string message;
    switch (place_) {
    case Place::top: message = "expected an object with the networks' names as keys, found "; break;
    case Place::networks:
        message = "expected an object with the outputs of '" + network_ + "', found ";
        break;
    case Place::entries:
        message = entry_name() + " must be numbers, found ";
        if (!arrays_.empty()) ++arrays_.back().items;
        break;
    }
    return shape_error(at, message.append(found), std::string(expected_form));
}

// Counts an item of the innermost array and refuses numbers beside arrays.
void Handler::add_item(bool is_array, ByteRange at) {
    if (arrays_.empty()) return;
    Array &array = arrays_.back();
    ++array.items;
    (is_array ? array.holds_arrays : array.holds_numbers) = true;
    if (array.holds_arrays && array.holds_numbers) {
        shape_error(at, entry_name() + " mixes numbers and arrays in one array");
    }
}

void Handler::finish_entry() {
    const SourceLocation at = sources_.locate(span(terms_at_));
    result_.set(network_, terms_, std::move(values_), OutputKind::probabilities,
                at.file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column));
    values_.clear();
}

bool Handler::parse_error(std::size_t, const std::string &,
                          const nlohmann::json::exception &error) {
    constexpr int number_overflow = 406;
    const std::string detail = essence(error.what());
    const bool ended = detail.starts_with("unexpected end of input");
    const ByteRange at = ended ? ByteRange{text_.size(), text_.size()} : positions_.offending();
    const std::string_view word = text_.substr(at.begin, at.end - at.begin);
    if (error.id == number_overflow || is_not_finite(word)) {
        add_error("json-shape", at,
                  "'" + std::string(word.substr(0, 40)) + "' is not a finite number",
                  "probabilities and logits must be finite numbers that fit in a double");
        return false;
    }
    std::string hint;
    const auto before = text_.find_last_not_of(" \t\r\n", at.begin == 0 ? 0 : at.begin - 1);
    if (word.starts_with('\'')) hint = "JSON strings are written in double quotes";
    if ((word == "]" || word == "}") && before != std::string_view::npos && text_[before] == ',') {
        hint = "JSON does not allow a comma before '" + std::string(word) + "'";
    }
    if (ended) hint = "the text ends too early; is the file complete?";
    add_error("json-syntax", at, "this is not JSON: " + detail, std::move(hint));
    return false;
}

bool Handler::shape_error(ByteRange at, std::string message, std::string hint) {
    // One mistake is reported for each entry; further ones in it are mostly repetitions.
    if (place_ == Place::entries && std::exchange(entry_failed_, true)) return true;
    add_error("json-shape", at, std::move(message), std::move(hint));
    return place_ != Place::top && errors_.error_count() < most_errors;
}

// A file of outputs may be a single line of many megabytes, so a line is shown only if the mistake is near its
// beginning.
void Handler::add_error(std::string code, ByteRange at, std::string message, std::string hint) {
    SourceLocation location = sources_.locate(span(at));
    std::string line;
    if (location.column <= widest_shown_column) {
        line =
            std::string(sources_.line(source_, location.line).substr(0, widest_shown_column + 20));
    }
    errors_.add({Severity::error, std::move(code), std::move(message), std::move(location),
                 std::move(line), std::move(hint)});
}

} // namespace

NetworkOutputs NetworkOutputs::from_json(std::string_view json, const std::string &name) {
    Handler handler(json, name);
    nlohmann::json::sax_parse(handler.positions().begin(), handler.positions().end(), &handler);
    handler.errors().throw_if_errors();
    return handler.take_result();
}

} // namespace neurasp
