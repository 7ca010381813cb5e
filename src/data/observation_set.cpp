// read_observation_set: observations as lines or as JSON.
//
// A line keeps its place: its observation is the line below as many empty ones as the file has lines above
// it, so that whatever reads it finds the mistakes where they are. Equal lines give equal texts, which are then
// prepared only once.
#include "neurasp/observation_set.hpp"

#include "base/source.hpp"
#include "data/json_positions.hpp"
#include "data/text_reading.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <utility>

namespace neurasp {

namespace {

using base::DiagnosticSink;
using base::SourceMap;
using data::ByteRange;
using data::JsonPositions;
using data::TokenKind;

constexpr auto set_form =
    R"(the expected form is [":- not a.", {"observation": ":- not b."}, ...])";

// The parser's events. Reading ends at the first mistake.
class SetHandler {
  public:
    SetHandler(std::string_view json, std::string file)
        : file_(std::move(file)), source_(sources_.add(file_, std::string(json))),
          text_(sources_.text(source_)), positions_(text_) {}

    JsonPositions &positions() { return positions_; }
    const DiagnosticSink &errors() const { return errors_; }
    std::vector<ObservedExample> take_examples() { return std::move(examples_); }

    bool null() { return other(TokenKind::word, "null"); }
    bool boolean(bool) { return other(TokenKind::word, "a truth value"); }
    bool binary(nlohmann::json::binary_t &) { return other(TokenKind::string, "binary data"); }
    bool number_integer(std::int64_t) { return number(); }
    bool number_unsigned(std::uint64_t) { return number(); }
    bool number_float(double, const std::string &) { return number(); }
    bool string(std::string &value);
    bool start_object(std::size_t);
    bool key(std::string &name);
    bool end_object();
    bool start_array(std::size_t);
    bool end_array();
    bool parse_error(std::size_t, const std::string &, const nlohmann::json::exception &);

  private:
    enum class Place { top, list, example, values, outputs };

    bool number();
    bool other(TokenKind kind, std::string_view found);
    bool unexpected(ByteRange at, std::string_view found);
    bool refuse(const char *code, ByteRange at, std::string message, std::string hint = {});
    void begin_example();
    void finish_outputs(ByteRange whole);

    std::string file_;
    SourceMap sources_;
    std::uint32_t source_;
    std::string_view text_;
    JsonPositions positions_;
    DiagnosticSink errors_;
    std::vector<ObservedExample> examples_;
    Place place_ = Place::top;
    std::string key_;
    std::size_t depth_ = 0; // of open structures, in outputs only
    std::size_t outputs_begin_ = 0;
    bool has_observation_ = false; // of the example that is being read
    ByteRange example_at_;
};

void SetHandler::begin_example() {
    ObservedExample &example = examples_.emplace_back();
    example.observation.name = file_ + ", observation " + std::to_string(examples_.size());
}

bool SetHandler::string(std::string &value) {
    const ByteRange at = positions_.take(TokenKind::string);
    switch (place_) {
    case Place::outputs: return true; // what reads them says what is wrong with it
    case Place::list:
        begin_example();
        examples_.back().observation.text = value;
        return true;
    case Place::values: examples_.back().observation.values.push_back(value); return true;
    case Place::example:
        if (key_ == "observation") {
            examples_.back().observation.text = value;
            has_observation_ = true;
            return true;
        }
        if (key_ == "name") {
            examples_.back().name = value;
            return true;
        }
        break;
    case Place::top: break;
    }
    return unexpected(at, "a string");
}

bool SetHandler::number() {
    const ByteRange at = positions_.take(TokenKind::word);
    if (place_ == Place::outputs) return true;
    if (place_ != Place::values) return unexpected(at, "a number");
    examples_.back().observation.values.emplace_back(text_.substr(at.begin, at.end - at.begin));
    return true;
}

bool SetHandler::other(TokenKind kind, std::string_view found) {
    const ByteRange at = positions_.take(kind);
    return place_ == Place::outputs || unexpected(at, found);
}

bool SetHandler::start_object(std::size_t) {
    const ByteRange at = positions_.take(TokenKind::punctuation);
    if (place_ == Place::outputs) {
        ++depth_;
        return true;
    }
    if (place_ == Place::example && key_ == "outputs") {
        place_ = Place::outputs;
        outputs_begin_ = at.begin;
        depth_ = 1;
        return true;
    }
    if (place_ != Place::list) return unexpected(at, "an object");
    place_ = Place::example;
    example_at_ = at;
    has_observation_ = false;
    begin_example();
    return true;
}

bool SetHandler::key(std::string &name) {
    const ByteRange at = positions_.take(TokenKind::string);
    if (place_ != Place::example) return true;
    key_ = name;
    if (name == "observation" || name == "name" || name == "values" || name == "outputs") {
        return true;
    }
    return refuse("json-shape", at, "an observation has no member '" + name + "'",
                  "there are observation, name, values and outputs");
}

bool SetHandler::end_object() {
    const ByteRange at = positions_.take(TokenKind::punctuation);
    if (place_ == Place::outputs) {
        if (--depth_ == 0) {
            place_ = Place::example;
            finish_outputs({outputs_begin_, at.end});
        }
        return !errors_.has_errors();
    }
    place_ = Place::list;
    if (has_observation_) return true;
    return refuse("json-shape", {example_at_.begin, at.end},
                  "the member 'observation' is missing here", set_form);
}

// Its mistakes are reported with their places in the whole text.
void SetHandler::finish_outputs(ByteRange whole) {
    const std::string_view json = text_.substr(whole.begin, whole.end - whole.begin);
    ObservedExample &example = examples_.back();
    try {
        example.outputs = NetworkOutputs::from_json(json, example.observation.name);
    } catch (const InputError &) {
        const SourceLocation at = sources_.locate({source_, static_cast<std::uint32_t>(whole.begin),
                                                   static_cast<std::uint32_t>(whole.end)});
        NetworkOutputs::from_json(std::string(at.line - 1, '\n') + std::string(at.column - 1, ' ') +
                                      std::string(json),
                                  file_);
        throw;
    }
}

bool SetHandler::start_array(std::size_t) {
    const ByteRange at = positions_.take(TokenKind::punctuation);
    if (place_ == Place::outputs) {
        ++depth_;
        return true;
    }
    if (place_ == Place::top) {
        place_ = Place::list;
        return true;
    }
    if (place_ != Place::example || key_ != "values") return unexpected(at, "an array");
    place_ = Place::values;
    return true;
}

bool SetHandler::end_array() {
    positions_.take(TokenKind::punctuation);
    if (place_ == Place::outputs) {
        --depth_;
    } else {
        place_ = place_ == Place::values ? Place::example : Place::top;
    }
    return true;
}

bool SetHandler::unexpected(ByteRange at, std::string_view found) {
    std::string expected = "a list of observations";
    if (place_ == Place::list) expected = "an observation";
    if (place_ == Place::values) expected = "a value: a string or a number";
    if (place_ == Place::example) {
        expected = key_ == "values"    ? "a list of values"
                   : key_ == "outputs" ? "an object with network outputs"
                                       : "a string";
    }
    return refuse("json-shape", at, "expected " + expected + ", found " + std::string(found),
                  set_form);
}

bool SetHandler::refuse(const char *code, ByteRange at, std::string message, std::string hint) {
    const base::SourceSpan span{source_, static_cast<std::uint32_t>(at.begin),
                                static_cast<std::uint32_t>(at.end)};
    errors_.add(
        sources_.diagnose(Severity::error, code, span, std::move(message), std::move(hint)));
    return false;
}

bool SetHandler::parse_error(std::size_t, const std::string &,
                             const nlohmann::json::exception &error) {
    const std::string_view what = error.what();
    const auto dash = what.find(" - ");
    std::string detail(dash == std::string_view::npos ? what : what.substr(dash + 3));
    detail = detail.substr(0, detail.find("; last read: '"));
    return refuse("json-syntax", positions_.offending(), "this is not JSON: " + detail);
}

std::vector<ObservedExample> read_lines(std::string_view text, const std::string &file) {
    std::vector<ObservedExample> examples;
    std::map<std::string_view, std::size_t> first; // example of a line
    std::size_t above = 0;
    for (std::size_t begin = 0; begin < text.size(); ++above) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t start = line.find_first_not_of(" \t\r");
        if (start == std::string_view::npos || line[start] == '%') continue;
        const auto [place, is_new] = first.emplace(line, examples.size());
        ObservedExample example;
        if (is_new) {
            example.observation = {std::string(above, '\n') + std::string(line), {}, file};
        } else {
            example.observation = examples[place->second].observation;
        }
        examples.push_back(std::move(example));
    }
    return examples;
}

} // namespace

std::vector<ObservedExample> read_observation_set(std::string_view text, const std::string &file) {
    if (text.starts_with(data::byte_order_mark)) text.remove_prefix(data::byte_order_mark.size());
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    std::vector<ObservedExample> examples;
    if (first != std::string_view::npos && text[first] == '[') {
        SetHandler handler(text, file);
        nlohmann::json::sax_parse(handler.positions().begin(), handler.positions().end(), &handler);
        handler.errors().throw_if_errors();
        examples = handler.take_examples();
    } else {
        examples = read_lines(text, file);
    }
    if (examples.empty()) {
        throw InputError(Diagnostic{Severity::error,
                                    "empty-set",
                                    "there is no observation in this file",
                                    {file, 0, 0, 0, 0},
                                    {},
                                    "write one a line, such as ':- not sum(3).'"});
    }
    return examples;
}

} // namespace neurasp
