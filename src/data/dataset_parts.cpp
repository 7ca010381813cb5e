// Parts of datasets: the store of arrays, normalisation, distinct texts, and labels as texts.
#include "data/dataset_parts.hpp"

#include "base/assert.hpp"
#include "base/counted.hpp"
#include "data/array_file.hpp"
#include "data/data_error.hpp"

#include <cmath>
#include <type_traits>

namespace neurasp::data {

namespace {

ArrayOptions options_of(const ArraySettings &settings) {
    ArrayOptions options;
    options.member = settings.member;
    options.columns = settings.columns;
    options.channels_first = settings.channels_first;
    if (settings.colors == ColorKind::grey) options.image.colors = Colors::grey;
    if (settings.colors == ColorKind::rgb) options.image.colors = Colors::rgb;
    if (settings.tiles.size() == 2) {
        options.tiles = TileGrid{settings.tiles[0], settings.tiles[1], settings.trim};
    }
    return options;
}

// Everything that influences the result of read_array. Parts end with a NUL, which none of them contains.
std::string key_of(const ArraySettings &settings) {
    const std::string end(1, '\0');
    std::string key = settings.file.path + end + settings.member + end;
    for (const std::string &column : settings.columns) key += column + end;
    key += end + (settings.channels_first ? "c" : "-") + (settings.trim ? "t" : "-");
    key += std::to_string(static_cast<int>(settings.colors));
    for (const std::size_t tiles : settings.tiles) key += "," + std::to_string(tiles);
    return key;
}

void check_channels(const ArraySettings &settings, const char *key, std::size_t count,
                    std::size_t channels) {
    if (count == 1 || count == channels) return;
    Diagnostic diagnostic;
    diagnostic.code = "data-shape";
    diagnostic.message = "'" + std::string(key) + "' of array '" + settings.name + "' has " +
                         base::counted(count, "number") + ", but '" + settings.file.written +
                         "' has " + base::counted(channels, "channel");
    diagnostic.location = settings.location;
    diagnostic.hint = "give one number, or one for each channel (with channels_first = true)";
    throw InputError(std::move(diagnostic));
}

[[noreturn]] void refuse_augmentation(const ArraySettings &settings,
                                      std::span<const std::size_t> row) {
    Diagnostic diagnostic;
    diagnostic.code = "data-shape";
    diagnostic.message = "the rows of array '" + settings.name + "' (" + shape_text(row) +
                         ") cannot be augmented: they are not pictures";
    diagnostic.location = settings.location;
    diagnostic.hint = "pictures are height x width, or have channels (with channels_first = true)";
    throw InputError(std::move(diagnostic));
}

// Knows whether the last character read was inside quotes or brackets, where separators do not count.
struct Nesting {
    std::size_t depth = 0;
    bool in_string = false;

    bool is_open() const { return depth > 0 || in_string; }
    void read(char c) {
        if (c == '"') in_string = !in_string;
        if (in_string) return;
        if (c == '(') ++depth;
        if (c == ')' && depth > 0) --depth;
    }
};

std::vector<std::string> words_of_label(std::string_view label) {
    std::vector<std::string> words;
    std::string word;
    Nesting nesting;
    for (const char c : label) {
        const bool separates = c == ' ' || c == '\t' || c == ',' || c == '\n' || c == '\r';
        if (separates && !nesting.is_open()) {
            if (!word.empty()) words.push_back(std::move(word));
            word.clear();
            continue;
        }
        nesting.read(c);
        word += c;
    }
    if (!word.empty()) words.push_back(std::move(word));
    return words;
}

} // namespace

std::shared_ptr<const Array> ArrayStore::get(const ArraySettings &settings) {
    std::shared_ptr<const Array> &array = arrays_[key_of(settings)];
    if (!array) {
        array = std::make_shared<const Array>(read_array(settings.file.path, options_of(settings)));
    }
    return array;
}

DatasetArray::DatasetArray(const ArraySettings &settings, std::shared_ptr<const Array> array)
    : name_(settings.name), array_(std::move(array)), form_(form_of(settings, *array_)) {
    const auto shape = array_->row_shape();
    const std::size_t channels = shape.empty() ? 1 : shape.front();
    check_channels(settings, "mean", settings.mean.size(), channels);
    check_channels(settings, "deviation", settings.deviation.size(), channels);
    const std::size_t count = std::max(settings.mean.size(), settings.deviation.size());
    for (std::size_t i = 0; i < count; ++i) {
        const double mean = settings.mean[settings.mean.size() == 1 ? 0 : i];
        const double deviation = settings.deviation[settings.deviation.size() == 1 ? 0 : i];
        factors_.push_back(static_cast<float>(1.0 / (settings.scale * deviation)));
        offsets_.push_back(static_cast<float>(-mean / deviation));
    }
    augment_ = settings.augment;
    noise_ = settings.augment.noise * settings.scale;
    if (augment_.is_none()) return;
    const auto picture = picture_shape(shape, settings.channels_first);
    if (!picture) refuse_augmentation(settings, shape);
    picture_ = *picture;
}

void DatasetArray::copy_input(std::size_t row, std::span<float> out) const {
    array_->copy_row(row, out);
    normalise(out);
}

void DatasetArray::copy_augmented(std::size_t row, std::span<float> out, std::uint64_t seed) const {
    if (augment_.is_none()) return copy_input(row, out);
    base::RandomStream random(seed);
    std::vector<float> stored(out.size());
    array_->copy_row(row, stored);
    place_picture(stored, picture_, draw_placement(augment_, random), out);
    add_noise(out, noise_, random);
    normalise(out);
}

void DatasetArray::normalise(std::span<float> out) const {
    const std::size_t channel = out.size() / factors_.size();
    for (std::size_t i = 0; i < factors_.size(); ++i) {
        const float factor = factors_[i];
        const float offset = offsets_[i];
        if (factor == 1.0F && offset == 0.0F) continue;
        for (float &value : out.subspan(i * channel, channel)) value = value * factor + offset;
    }
}

void DistinctTexts::add(std::string_view text) {
    auto found = numbers_.find(text);
    if (found == numbers_.end()) {
        found = numbers_.emplace(text, static_cast<std::uint32_t>(texts_.size())).first;
        texts_.emplace_back(text);
    }
    ids_.push_back(found->second);
    NEURASP_ASSERT(numbers_.size() == texts_.size() && found->second < texts_.size(),
                   "the distinct texts are numbered in the order of their first examples");
}

std::optional<std::vector<std::string>> split_outcomes(std::string_view label, std::size_t events) {
    std::vector<std::string> words = words_of_label(label);
    if (words.size() == events) return words;
    if (words.size() == 1 && words[0].size() == events) {
        std::vector<std::string> characters;
        for (const char c : words[0]) characters.emplace_back(1, c);
        return characters;
    }
    return std::nullopt;
}

std::string row_integers(const Array &array, std::size_t row) {
    if (array.row_size() == 1) return std::to_string(array.integer(row));
    if (row >= array.rows()) throw array.no_such_row(static_cast<std::int64_t>(row));
    std::string text;
    const auto append = [&](const auto &values) {
        using Value = typename std::decay_t<decltype(values)>::value_type;
        constexpr double most = 9007199254740992.0; // 2^53
        for (const Value value :
             std::span(values).subspan(row * array.row_size(), array.row_size())) {
            if constexpr (!std::is_integral_v<Value>) {
                if (!(std::abs(value) <= most) || std::trunc(value) != value) {
                    throw data_error("data-type", array.name(),
                                     "row " + std::to_string(row) +
                                         " holds a number that is not an integer",
                                     "labels must be integers");
                }
            }
            text += (text.empty() ? "" : " ") + std::to_string(static_cast<std::int64_t>(value));
        }
    };
    std::visit(append, array.elements());
    return text;
}

} // namespace neurasp::data
