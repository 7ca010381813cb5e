// Reads [example] (observation, inputs, labels) and [evaluation], whose texts have placeholders as well.
// Names of arrays, columns, networks and terms are checked as far as the experiment file alone allows; the
// headers of tables are read later.
#include "base/without_blanks.hpp"
#include "data/experiment_section.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace neurasp::data {

namespace {

using Names = std::vector<std::string>;

bool contains(const Names &names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-';
    });
}

// The positions of the brackets in `name[column]`.
struct Brackets {
    std::size_t open = 0;
    std::size_t close = 0;
};

std::optional<Brackets> find_brackets(std::string_view text) {
    const std::size_t open = text.find('[');
    if (open == std::string_view::npos || !text.ends_with(']')) return std::nullopt;
    if (!is_name(text.substr(0, open)) || open + 2 >= text.size()) return std::nullopt;
    return Brackets{open, text.size() - 1};
}

// Adds an error if the experiment file alone shows that no table has the column.
void check_column_name(ExperimentContext &context, base::SourceSpan at, const std::string &column,
                       const Names &columns, const std::vector<SplitSettings> &splits,
                       std::string hint) {
    const bool has_table =
        std::any_of(splits.begin(), splits.end(),
                    [](const SplitSettings &split) { return !split.table.empty(); });
    if (!splits.empty() && !has_table) {
        context.add("unknown-name", at,
                    "there is no column '" + column.substr(0, 60) + "': no split has a table",
                    std::move(hint));
    } else if (!columns.empty() && !contains(columns, column)) {
        if (hint.empty()) {
            context.add_unknown(at, "column", column, columns);
        } else {
            context.add("unknown-name", at, "there is no column '" + column.substr(0, 60) + "'",
                        std::move(hint));
        }
    }
}

class ExampleReader {
  public:
    ExampleReader(ExperimentContext &context, const Section &section, const Experiment &experiment)
        : context_(context), section_(section), experiment_(experiment) {}

    ExampleSettings read() {
        read_columns();
        if (const TomlValue *observation = section_.given("observation")) {
            example_.observation = context_.text(*observation);
            check_placeholders(context_, *observation, example_.columns, experiment_.splits);
        }
        example_.observation_file = section_.file("observation_file");
        for (const TomlEntry &entry : section_.entries("inputs")) read_input(entry);
        for (const TomlEntry &entry : section_.entries("labels")) read_label(entry);
        return std::move(example_);
    }

  private:
    void read_columns() {
        for (const TomlValue &item : section_.items("columns")) {
            if (item.text.empty()) {
                context_.add("value-range", item.at, "a column needs a name");
            } else if (contains(example_.columns, item.text)) {
                context_.add("value-range", item.at,
                             "the column '" + item.text + "' is listed a second time");
            }
            example_.columns.push_back(item.text);
        }
    }

    void read_input(const TomlEntry &entry) {
        InputSettings input;
        input.terms = base::without_blanks(entry.key);
        input.location = context_.locate(entry.at);
        if (input.terms.empty()) {
            context_.add("value-range", entry.at, "an input needs the terms that stand for it");
        }
        if (!terms_.insert(input.terms).second) {
            context_.add("value-range", entry.at,
                         "the terms '" + input.terms + "' are given a second time");
        }
        const auto brackets = find_brackets(entry.value.text);
        if (!brackets) {
            add_no_reference(entry.value);
            return;
        }
        input.source = read_reference(entry.value, *brackets);
        require_in_splits(entry, input.source.array);
        example_.inputs.push_back(std::move(input));
    }

    void read_label(const TomlEntry &entry) {
        LabelSettings label;
        label.location = context_.locate(entry.at);
        const std::size_t open = entry.key.find('(');
        if (open == std::string::npos || !entry.key.ends_with(')')) {
            context_.add("reference-syntax", entry.at,
                         "expected the call of a network, found '" + entry.key + "'",
                         "for example \"digit(i1)\" = \"digits[a]\"");
            return;
        }
        label.network = base::without_blanks(entry.key.substr(0, open));
        label.terms = base::without_blanks(entry.key.substr(open + 1, entry.key.size() - open - 2));
        check_call(entry, label);
        const auto brackets = find_brackets(entry.value.text);
        if (brackets) {
            label.source = read_reference(entry.value, *brackets);
        } else if (entry.value.text.find('[') != std::string::npos &&
                   entry.value.text.find('{') == std::string::npos) {
            add_no_reference(entry.value);
        } else {
            label.text = context_.text(entry.value);
            check_placeholders(context_, entry.value, example_.columns, experiment_.splits);
        }
        example_.labels.push_back(std::move(label));
    }

    void check_call(const TomlEntry &entry, const LabelSettings &label) {
        Names networks;
        for (const NetworkSettings &network : experiment_.networks) {
            networks.push_back(network.spec.name);
        }
        if (!contains(networks, label.network)) {
            context_.add_unknown(entry.at, "network", label.network, networks);
        }
        if (!terms_.contains(label.terms)) {
            if (terms_.contains(label.network + "(" + label.terms + ")")) {
                context_.add("unknown-name", entry.at, "there is no input '" + label.terms + "'",
                             "inputs are named by their terms alone, without the network");
            } else {
                context_.add_unknown(entry.at, "input", label.terms,
                                     Names(terms_.begin(), terms_.end()));
            }
        }
        if (!calls_.insert(label.network + "(" + label.terms + ")").second) {
            context_.add("value-range", entry.at, "this call is labelled a second time");
        }
    }

    void add_no_reference(const TomlValue &value) {
        context_.add("reference-syntax", value.at,
                     "expected a row of an array, found '" + value.text.substr(0, 60) + "'",
                     "for example \"images[a]\" for the row whose number is in column a, or "
                     "\"images[#]\" for the row with the example's own number");
    }

    ArrayReference read_reference(const TomlValue &value, Brackets at) {
        ArrayReference reference;
        reference.array = value.text.substr(0, at.open);
        reference.location = context_.locate(value.at);
        const std::size_t comma = std::min(value.text.find(',', at.open), at.close);
        reference.column = value.text.substr(at.open + 1, comma - at.open - 1);
        if (reference.column == row_number_name) {
            reference.column.clear();
        } else {
            check_column_name(context_, context_.document().inside(value, at.open + 1, comma),
                              reference.column, example_.columns, experiment_.splits, {});
        }
        check_array(context_.document().inside(value, 0, at.open), reference.array);
        if (comma < at.close) read_tile(value, comma + 1, at.close, reference);
        return reference;
    }

    // Reads the number of a tile, which must exist in the grids of all splits.
    void read_tile(const TomlValue &value, std::size_t begin, std::size_t end,
                   ArrayReference &reference) {
        const base::SourceSpan at = context_.document().inside(value, begin, end);
        reference.tile = parse_count(std::string_view(value.text).substr(begin, end - begin));
        if (!reference.tile) {
            context_.add("reference-syntax", at, "expected the number of a tile, counted from 0");
            return;
        }
        for (const SplitSettings &split : experiment_.splits) {
            for (const ArraySettings &array : split.arrays) {
                if (array.name != reference.array) continue;
                const std::size_t count = tile_count(array);
                if (*reference.tile < count) continue;
                context_.add("value-range", at,
                             "there is no such tile: array '" + array.name + "' of split '" +
                                 split.name + "' has " + std::to_string(count) +
                                 " for each picture",
                             count == 1 ? "give it 'tiles = [rows, columns]'" : "");
            }
        }
    }

    // Adds an error if no split has the array. Without any split there is nothing to compare with.
    void check_array(base::SourceSpan at, const std::string &array) {
        Names arrays;
        for (const SplitSettings &split : experiment_.splits) {
            for (const ArraySettings &settings : split.arrays) {
                if (!contains(arrays, settings.name)) arrays.push_back(settings.name);
            }
        }
        if (!experiment_.splits.empty() && !contains(arrays, array)) {
            context_.add_unknown(at, "array", array, arrays);
            unknown_arrays_.insert(array);
        }
    }

    // Adds an error for each split without an input's array. Labels may be missing: training often has none.
    void require_in_splits(const TomlEntry &entry, const std::string &array) {
        if (unknown_arrays_.contains(array)) return;
        for (const SplitSettings &split : experiment_.splits) {
            const bool has =
                std::any_of(split.arrays.begin(), split.arrays.end(),
                            [&](const ArraySettings &settings) { return settings.name == array; });
            if (!has) {
                context_.add("missing-key", entry.value.at,
                             "the split '" + split.name + "' has no array '" + array + "'",
                             "add it to [splits." + split.name + ".arrays]");
            }
        }
    }

    ExperimentContext &context_;
    const Section &section_;
    const Experiment &experiment_;
    ExampleSettings example_;
    std::set<std::string> terms_;
    std::set<std::string> calls_;
    std::set<std::string> unknown_arrays_;
};

void check_unique(ExperimentContext &context, std::set<std::string> &names, const std::string &name,
                  const TomlValue &value) {
    if (!names.insert(name).second) {
        context.add("value-range", value.at, "the name '" + name + "' is used a second time");
    }
}

void check_labelled(ExperimentContext &context, const TomlValue &value, const std::string &call,
                    const std::vector<LabelSettings> &labels) {
    std::vector<std::string> calls;
    for (const LabelSettings &label : labels) {
        calls.push_back(label.network + "(" + label.terms + ")");
    }
    if (!contains(calls, call)) context.add_unknown(value.at, "label", call, calls);
}

QuerySettings read_query(ExperimentContext &context, const TomlValue &item,
                         const Experiment &experiment) {
    const TomlValue &text = item.kind == TomlKind::table ? item.find("query")->value : item;
    const TomlEntry *name = item.kind == TomlKind::table ? item.find("name") : nullptr;
    check_placeholders(context, text, experiment.example.columns, experiment.splits);
    return {name == nullptr ? text.text : name->value.text, context.text(text)};
}

} // namespace

void check_placeholders(ExperimentContext &context, const TomlValue &value,
                        const std::vector<std::string> &columns,
                        const std::vector<SplitSettings> &splits) {
    const TemplateText text = context.parse_template(value);
    for (const TemplateText::Placeholder &use : text.placeholders()) {
        if (use.name == row_number_name) continue;
        const std::string hint = is_name(use.name)
                                     ? std::string()
                                     : "write {{ and }} for braces that belong to the text";
        check_column_name(context, context.document().inside(value, use.begin, use.end), use.name,
                          columns, splits, hint);
    }
}

ExampleSettings read_example(ExperimentContext &context, const Section &root,
                             const Experiment &experiment) {
    const Section section = root.table("example");
    return ExampleReader(context, section, experiment).read();
}

EvaluationSettings read_evaluation(ExperimentContext &context, const Section &root,
                                   const Experiment &experiment) {
    const Section section = root.table("evaluation");
    EvaluationSettings evaluation;
    evaluation.batch_size = section.count("batch_size");
    evaluation.log_probability = section.boolean("log_probability");
    evaluation.time_limit = section.number("time_limit");
    if (const TomlValue *call = section.given("one_by_one")) {
        evaluation.one_by_one = base::without_blanks(call->text);
        check_labelled(context, *call, evaluation.one_by_one, experiment.example.labels);
    }
    for (const TomlValue &item : section.items("metrics")) {
        const std::vector<std::string> words =
            words_of(find_experiment_key("evaluation.metrics")->words);
        const auto word = std::find(words.begin(), words.end(), item.text);
        evaluation.metrics.push_back(static_cast<LabelMetric>(word - words.begin()));
    }
    std::set<std::string> queries;
    for (const TomlValue &item : section.items("queries")) {
        evaluation.queries.push_back(read_query(context, item, experiment));
        check_unique(context, queries, evaluation.queries.back().name, item);
    }
    std::set<std::string> constraints;
    for (const TomlValue &item : section.items("constraints")) {
        const Section set(context, &item, "evaluation.constraints[]");
        evaluation.constraints.push_back(
            {set.text("name").text, set.file("file"), set.text("text")});
        check_unique(context, constraints, evaluation.constraints.back().name, item);
    }
    return evaluation;
}

} // namespace neurasp::data
