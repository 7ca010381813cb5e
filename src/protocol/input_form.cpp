// The form of a network's inputs as JSON and back. Reading takes nothing on trust: the file may come from elsewhere.
#include "protocol/input_form.hpp"

#include "data/experiment_keys.hpp"
#include "protocol/json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace neurasp::protocol {

namespace {

std::vector<std::string> color_words() {
    return data::words_of(data::find_experiment_key("splits.<split>.arrays.<array>.colors")->words);
}

void require(bool condition) {
    if (!condition) throw std::invalid_argument("wrong form");
}

std::vector<double> read_numbers(const Json &json, std::size_t channels) {
    auto numbers = json.get<std::vector<double>>();
    require(numbers.size() == 1 || numbers.size() == channels);
    return numbers;
}

data::InputForm read_form(const Json &json) {
    data::InputForm form;
    form.shape = json.at("shape").get<data::Shape>();
    require(!form.shape.empty() && data::checked_product(form.shape).value_or(0) > 0);
    form.channels_first = json.at("channels_first").get<bool>();
    const auto words = color_words();
    const auto word = std::find(words.begin(), words.end(), json.at("colors").get<std::string>());
    require(word != words.end());
    form.colors = static_cast<data::ColorKind>(word - words.begin());
    form.scale = json.at("scale").get<double>();
    form.mean = read_numbers(json.at("mean"), form.shape.front());
    form.deviation = read_numbers(json.at("deviation"), form.shape.front());
    require(form.scale != 0.0 &&
            std::find(form.deviation.begin(), form.deviation.end(), 0.0) == form.deviation.end());
    return form;
}

} // namespace

std::string input_form_to_json(const data::InputForm &form) {
    return document(Json{{"shape", form.shape},
                         {"channels_first", form.channels_first},
                         {"colors", color_words().at(static_cast<std::size_t>(form.colors))},
                         {"scale", form.scale},
                         {"mean", form.mean},
                         {"deviation", form.deviation}});
}

std::optional<data::InputForm> input_form_from_json(std::string_view json,
                                                    const std::string &file) {
    if (json.empty()) return std::nullopt;
    try {
        // our own text is shallow; any other could be too deep for recursion
        constexpr int most_depth = 4;
        return read_form(Json::parse(json, [](int depth, auto, const auto &) {
            require(depth <= most_depth);
            return true;
        }));
    } catch (const std::exception &) { // from the parser, from a wrong type, or from `require`
        Diagnostic diagnostic;
        diagnostic.code = "network-file";
        diagnostic.location.file = file;
        diagnostic.message = "the description of the network's inputs in this file cannot be read";
        diagnostic.hint = "it was changed, or written by a later version; save the network again";
        throw InputError(std::move(diagnostic));
    }
}

} // namespace neurasp::protocol
