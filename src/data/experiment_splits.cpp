// The splits of an experiment file: tables, rows and arrays.
#include "data/experiment_section.hpp"

#include <charconv>

namespace neurasp::data {

namespace {

std::optional<RowRange> parse_rows(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const std::string_view begin = text.substr(0, colon);
    const std::string_view end = text.substr(colon + 1);
    RowRange range;
    if (!begin.empty()) {
        const auto number = parse_count(begin);
        if (!number) return std::nullopt;
        range.begin = *number;
    }
    if (!end.empty()) {
        range.end = parse_count(end);
        if (!range.end) return std::nullopt;
    }
    return range;
}

std::optional<RowRange> read_rows(ExperimentContext &context, const TomlValue *value) {
    if (value == nullptr) return std::nullopt;
    const auto rows = parse_rows(value->text);
    if (!rows) {
        context.add("reference-syntax", value->at,
                    "'rows' must be two row numbers with a colon between them",
                    "for example \"0:3000\" for the first 3000 rows, or \"3000:\" for all others");
    } else if (rows->end && *rows->end <= rows->begin) {
        context.add("value-range", value->at, "'rows' selects no rows",
                    "the first number is the first row, the second the row after the last");
    }
    return rows;
}

std::optional<char> read_separator(ExperimentContext &context, const TomlValue *value) {
    if (value == nullptr) return std::nullopt;
    const bool is_fit = value->text.size() == 1 &&
                        std::string_view("\"\n\r").find(value->text[0]) == std::string_view::npos;
    if (!is_fit) {
        context.add("value-range", value->at,
                    "'separator' must be one character other than a quote or a line end",
                    "for example \",\", \"\\t\", or \" \" for any number of blanks");
        return std::nullopt;
    }
    return value->text[0];
}

AugmentationSettings read_augmentation(ExperimentContext &context, const Section &array,
                                       std::string_view split) {
    const Section section = array.table("augment");
    AugmentationSettings settings;
    settings.shift = section.number("shift");
    settings.rotate = section.number("rotate");
    settings.scale = section.number("scale");
    settings.noise = section.number("noise");
    const TomlValue *given = array.given("augment");
    if (split != "train" && !settings.is_none()) {
        context.add("unused-key", given->at,
                    "'augment' has no effect in the split '" + std::string(split) + "'",
                    "pictures are changed only in [splits.train]");
    }
    return settings;
}

ArraySettings read_array_settings(ExperimentContext &context, const TomlEntry &entry,
                                  std::string_view split) {
    const Section section(context, &entry.value, "splits.<split>.arrays.<array>");
    ArraySettings array;
    array.name = entry.key;
    array.location = context.locate(entry.at);
    array.file = section.file("file");
    array.scale = section.number("scale");
    array.mean = section.numbers("mean");
    array.deviation = section.numbers("deviation");
    array.channels_first = section.boolean("channels_first");
    array.colors = section.word<ColorKind>("colors");
    array.trim = section.boolean("trim");
    array.member = section.text("member").text;
    for (const TomlValue &item : section.items("columns")) array.columns.push_back(item.text);
    array.augment = read_augmentation(context, section, split);
    for (const std::string_view key : {"mean", "deviation"}) {
        const TomlValue *value = section.given(key);
        if (value != nullptr && section.items(key).empty()) {
            context.add("value-range", value->at, "'" + std::string(key) + "' holds no numbers");
        }
    }
    for (const TomlValue &item : section.items("tiles")) {
        array.tiles.push_back(static_cast<std::size_t>(item.integer));
    }
    const TomlValue *tiles = section.given("tiles");
    if (tiles != nullptr && array.tiles.size() != 2) {
        context.add("value-range", tiles->at, "'tiles' must be two integers: rows and columns",
                    "for example [9, 9]");
    }
    return array;
}

} // namespace

std::optional<std::size_t> parse_count(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::vector<SplitSettings> read_splits(ExperimentContext &context, const Section &root) {
    std::vector<SplitSettings> splits;
    for (const TomlEntry &entry : root.entries("splits")) {
        const Section section(context, &entry.value, "splits.<split>");
        SplitSettings split;
        split.name = entry.key;
        split.location = context.locate(entry.value.at);
        split.table = section.file("table");
        split.separator = read_separator(context, section.given("separator"));
        if (section.given("header") != nullptr) split.header = section.boolean("header");
        split.rest_in_last = section.boolean("rest_in_last");
        split.rows = read_rows(context, section.given("rows"));
        split.rows_file = section.file("rows_file");
        for (const TomlEntry &array : section.entries("arrays")) {
            split.arrays.push_back(read_array_settings(context, array, split.name));
        }
        splits.push_back(std::move(split));
    }
    return splits;
}

} // namespace neurasp::data
