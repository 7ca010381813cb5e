// Builds a dataset: reads the table and the arrays of one split, then resolves everything the examples refer to.
//
// Idea: all that can be looked up is looked up once. A cell that names a row becomes that row's number; a
// template filled with an example's cells becomes the number of a distinct text (many examples share an
// observation, and each distinct one is compiled once). Training then only loads numbers.
//
// Mistakes in tables are collected, up to `most_errors`, and thrown together with their places; a mistake that
// makes the rest meaningless (a column that does not exist) is thrown at once.
//
// Invariants: every row number is valid for its array; inputs, observations, queries and labels all have one
// entry per example. Cost: one pass over the examples for each input, label and template.
#include "data/dataset.hpp"

#include "base/counted.hpp"
#include "base/source.hpp"
#include "base/suggest.hpp"
#include "base/template_text.hpp"
#include "data/byte_source.hpp"
#include "data/data_error.hpp"
#include "data/table.hpp"
#include "data/text_reading.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace neurasp::data {

using base::TemplateMistake;
using base::TemplateText;

namespace {

// A diagnostic at a place in the experiment file, with the line it is on.
Diagnostic diagnose(const Experiment &experiment, const SourceLocation &at, std::string code,
                    std::string message, std::string hint = {}) {
    base::SourceMap sources;
    const std::uint32_t source = sources.add(experiment.file, experiment.text);
    std::string line;
    if (at.file == experiment.file) line = sources.line(source, at.line);
    return {Severity::error, std::move(code), std::move(message), at,
            std::move(line), std::move(hint)};
}

} // namespace

class DatasetBuilder {
  public:
    DatasetBuilder(const Experiment &experiment, const SplitSettings &split, ArrayStore &store,
                   Dataset &result)
        : experiment_(experiment), split_(split), store_(store), result_(result) {}

    void build() {
        read_table_file();
        const std::size_t rows = row_count();
        select_rows(rows);
        if (result_.numbers_.empty()) {
            throw InputError(diagnose(experiment_, split_.location, "no-examples",
                                      "the split '" + split_.name + "' has no examples"));
        }
        for (const std::uint32_t number : result_.numbers_) {
            if (table_) result_.lines_.push_back(table_->line(number));
        }
        add_inputs();
        add_observations();
        for (const QuerySettings &query : experiment_.evaluation.queries) {
            result_.queries_.push_back(fill(parse(query.query), query.query.location));
        }
        add_labels();
    }

  private:
    void read_table_file() {
        if (split_.table.empty()) return;
        TableOptions options;
        options.separator = split_.separator;
        options.header = split_.header;
        options.names = experiment_.example.columns;
        options.rest_in_last = split_.rest_in_last;
        table_ = read_table(split_.table.path, options);
        result_.origin_ = split_.table.path;
    }

    const ArraySettings *find_settings(const std::string &array) const {
        const auto found =
            std::find_if(split_.arrays.begin(), split_.arrays.end(),
                         [&](const ArraySettings &settings) { return settings.name == array; });
        return found == split_.arrays.end() ? nullptr : &*found;
    }

    // Throws: ContractError if there is none; the reader of experiment files has checked that there is.
    const ArraySettings &settings_of(const std::string &array) const {
        const ArraySettings *settings = find_settings(array);
        if (settings == nullptr) throw ContractError("Dataset: no array '" + array + "'");
        return *settings;
    }

    // The number of rows to choose from: those of the table, or of the arrays used with [#].
    std::size_t row_count() {
        if (table_) return table_->rows();
        std::optional<std::size_t> count;
        std::string first;
        for (const InputSettings &input : experiment_.example.inputs) {
            if (!input.source.column.empty()) continue;
            const ArraySettings &settings = settings_of(input.source.array);
            const std::shared_ptr<const Array> array = store_.get(settings);
            const std::size_t tiles = input.source.tile ? tile_count(settings) : 1;
            const std::size_t rows = array->rows() / tiles;
            if (count && *count != rows) {
                throw InputError(
                    diagnose(experiment_, input.source.location, "data-shape",
                             "'" + settings.file.written + "' has " + base::counted(rows, "row") +
                                 ", but '" + first + "' has " + std::to_string(*count),
                             "without a table, row n of each array belongs to example n"));
            }
            count = rows;
            if (first.empty()) {
                first = settings.file.written;
                result_.origin_ = settings.file.path;
            }
        }
        if (count) return *count;
        throw InputError(diagnose(experiment_, split_.location, "no-examples",
                                  "nothing says which examples the split '" + split_.name + "' has",
                                  "give it a table, or an input such as \"images[#]\""));
    }

    void select_rows(std::size_t rows) {
        if (!split_.rows_file.empty()) {
            select_listed_rows(rows);
            return;
        }
        const RowRange range = split_.rows.value_or(RowRange());
        const std::size_t end = range.end.value_or(rows);
        if (end > rows || range.begin > rows) {
            throw InputError(diagnose(experiment_, split_.location, "data-index",
                                      "'rows' of the split '" + split_.name + "' goes to row " +
                                          std::to_string(std::max(end, range.begin)) + ", but '" +
                                          result_.origin_ + "' has " + std::to_string(rows)));
        }
        for (std::size_t row = range.begin; row < end; ++row) {
            result_.numbers_.push_back(static_cast<std::uint32_t>(row));
        }
    }

    // Numbers separated by blanks or line ends.
    void select_listed_rows(std::size_t rows) {
        const Bytes bytes = read_bytes(split_.rows_file.path);
        base::SourceMap sources;
        const std::uint32_t source =
            sources.add(split_.rows_file.path, std::string(as_text(bytes)));
        const std::string_view text = sources.text(source);
        constexpr std::string_view blanks = " \t\r\n";
        std::size_t begin = text.find_first_not_of(blanks);
        while (begin != std::string_view::npos) {
            const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
            const std::string word(text.substr(begin, std::min<std::size_t>(end - begin, 40)));
            const auto number = parse_integer(text.substr(begin, end - begin));
            const base::SourceSpan at{source, static_cast<std::uint32_t>(begin),
                                      static_cast<std::uint32_t>(end)};
            if (!number) {
                add_error(sources.diagnose(Severity::error, "table-number", at,
                                           "expected a row number, found '" + word + "'"));
            } else if (*number < 0 || std::cmp_greater_equal(*number, rows)) {
                add_error(
                    sources.diagnose(Severity::error, "data-index", at,
                                     "there is no row " + word + " in '" + result_.origin_ + "'",
                                     "it has " + base::counted(rows, "row") + ", counted from 0"));
            } else {
                result_.numbers_.push_back(static_cast<std::uint32_t>(*number));
            }
            begin = text.find_first_not_of(blanks, end);
        }
        errors_.throw_if_errors();
    }

    // The index of a column of the table. Throws: InputError at the place that names it.
    std::size_t column(const std::string &name, const SourceLocation &at) const {
        if (!table_) {
            throw InputError(diagnose(experiment_, at, "unknown-name",
                                      "there is no column '" + name + "': the split '" +
                                          split_.name + "' has no table"));
        }
        const std::vector<std::string> &columns = table_->columns();
        const auto found = std::find(columns.begin(), columns.end(), name);
        if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
        std::string hint;
        if (const auto near = base::closest_name(name, columns)) {
            hint = "did you mean '" + *near + "'?";
        } else {
            for (std::size_t i = 0; i < std::min<std::size_t>(columns.size(), 20); ++i) {
                hint += (i == 0 ? "its columns are: " : ", ") + columns[i];
            }
        }
        throw InputError(diagnose(
            experiment_, at, "unknown-name",
            "the table '" + split_.table.written + "' has no column '" + name + "'", hint));
    }

    // The row number that a reference means in this row of the table; adds an error if the cell holds none.
    std::optional<std::int64_t> number_at(const ArrayReference &reference, std::uint32_t number,
                                          std::size_t at) {
        if (reference.column.empty()) return number;
        const std::string_view cell = table_->cell(number, at);
        const auto value = parse_integer(cell);
        if (!value) {
            add_error(table_->diagnose(number, at, "table-number",
                                       "expected the number of a row of '" + reference.array +
                                           "' in column '" + reference.column + "', found '" +
                                           std::string(cell.substr(0, 40)) + "'"));
        }
        return value;
    }

    // The rows that a reference leads to, one for each example.
    std::vector<std::uint32_t> rows_of(const ArrayReference &reference, const Array &array) {
        const std::size_t tiles = reference.tile ? tile_count(settings_of(reference.array)) : 1;
        const std::size_t count = array.rows() / tiles;
        const std::size_t at =
            reference.column.empty() ? 0 : column(reference.column, reference.location);
        std::vector<std::uint32_t> rows;
        rows.reserve(result_.size());
        for (const std::uint32_t number : result_.numbers_) {
            const auto row = number_at(reference, number, at);
            if (!row) continue;
            if (*row < 0 || std::cmp_greater_equal(*row, count)) {
                add_no_row(reference, number, at, *row, count);
                continue;
            }
            const std::size_t index =
                static_cast<std::size_t>(*row) * tiles + reference.tile.value_or(0);
            rows.push_back(static_cast<std::uint32_t>(index));
        }
        errors_.throw_if_errors();
        return rows;
    }

    void add_no_row(const ArrayReference &reference, std::uint32_t number, std::size_t column_index,
                    std::int64_t row, std::size_t count) {
        std::string message =
            "there is no row " + std::to_string(row) + " in array '" + reference.array + "'";
        std::string hint = valid_rows_text(count);
        if (!table_) {
            add_error(diagnose(experiment_, reference.location, "data-index", std::move(message),
                               std::move(hint)));
            return;
        }
        if (!reference.column.empty()) message += ", which column '" + reference.column + "' names";
        add_error(table_->diagnose(number, column_index, "data-index", std::move(message),
                                   std::move(hint)));
    }

    std::size_t use_array(const std::string &name) {
        for (std::size_t i = 0; i < result_.arrays_.size(); ++i) {
            if (result_.arrays_[i].name() == name) return i;
        }
        const ArraySettings &settings = settings_of(name);
        result_.arrays_.emplace_back(settings, store_.get(settings));
        return result_.arrays_.size() - 1;
    }

    void add_inputs() {
        const std::vector<InputSettings> &inputs = experiment_.example.inputs;
        result_.rows_.resize(result_.size() * inputs.size());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const std::size_t array = use_array(inputs[i].source.array);
            result_.inputs_.push_back({inputs[i].terms, array});
            const auto rows = rows_of(inputs[i].source, result_.arrays_[array].array());
            for (std::size_t k = 0; k < rows.size(); ++k) {
                result_.rows_[k * inputs.size() + i] = rows[k];
            }
        }
    }

    static TemplateText parse(const InlineText &text) {
        std::vector<TemplateMistake> mistakes; // were reported when the experiment file was read
        return {text.text, mistakes};
    }

    void add_observations() {
        const ExampleSettings &example = experiment_.example;
        if (example.observation_file.empty()) {
            result_.observations_ = fill(parse(example.observation), example.observation.location);
            return;
        }
        const std::string &path = example.observation_file.path;
        const Bytes bytes = read_bytes(path);
        base::SourceMap sources;
        const std::uint32_t source = sources.add(path, std::string(as_text(bytes)));
        std::vector<TemplateMistake> mistakes;
        const TemplateText text(sources.text(source), mistakes);
        for (const TemplateMistake &mistake : mistakes) {
            add_error(sources.diagnose(Severity::error, "template-syntax",
                                       {source, static_cast<std::uint32_t>(mistake.begin),
                                        static_cast<std::uint32_t>(mistake.end)},
                                       mistake.message, mistake.hint));
        }
        errors_.throw_if_errors();
        result_.observations_ = fill(text, example.observation_file.location);
    }

    // The template, filled with the cells of each example.
    DistinctTexts fill(const TemplateText &text, const SourceLocation &at) const {
        std::vector<std::optional<std::size_t>> columns; // nullopt for the row number
        for (const TemplateText::Placeholder &use : text.placeholders()) {
            columns.push_back(use.name == row_number_name ? std::nullopt
                                                          : std::optional(column(use.name, at)));
        }
        DistinctTexts texts;
        std::vector<std::string_view> cells(columns.size());
        std::string filled;
        for (const std::uint32_t number : result_.numbers_) {
            const std::string own = std::to_string(number);
            for (std::size_t i = 0; i < columns.size(); ++i) {
                cells[i] = columns[i] ? table_->cell(number, *columns[i]) : own;
            }
            filled.clear();
            text.fill(cells, filled);
            texts.add(filled);
        }
        return texts;
    }

    void add_labels() {
        for (const LabelSettings &label : experiment_.example.labels) {
            if (!label.source) {
                result_.labels_.push_back(
                    {label.network, label.terms, fill(parse(label.text), label.text.location)});
                continue;
            }
            const ArraySettings *settings = find_settings(label.source->array);
            if (settings == nullptr) continue; // this split is not labelled
            const std::shared_ptr<const Array> array = store_.get(*settings);
            DistinctTexts outcomes;
            for (const std::uint32_t row : rows_of(*label.source, *array)) {
                outcomes.add(row_integers(*array, row));
            }
            result_.labels_.push_back({label.network, label.terms, std::move(outcomes)});
        }
    }

    void add_error(Diagnostic diagnostic) {
        errors_.add(std::move(diagnostic));
        if (errors_.error_count() >= most_errors) errors_.throw_if_errors();
    }

    const Experiment &experiment_;
    const SplitSettings &split_;
    ArrayStore &store_;
    Dataset &result_;
    std::optional<Table> table_;
    base::DiagnosticSink errors_;
};

Dataset::Dataset(const Experiment &experiment, std::string_view split, ArrayStore &arrays) {
    DatasetBuilder(experiment, split_of(experiment, split), arrays, *this).build();
}

std::string Dataset::example_name(std::size_t example) const {
    if (!lines_.empty()) return origin_ + ":" + std::to_string(lines_.at(example));
    return origin_ + "[" + std::to_string(numbers_.at(example)) + "]";
}

} // namespace neurasp::data
