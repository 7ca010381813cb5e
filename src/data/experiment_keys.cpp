// The table of keys, and texts made from it: expectations for messages, and the table in the docs.
#include "data/experiment_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace neurasp::data {

namespace {

using enum KeyType;

constexpr double largest_count = 2147483647.0;
constexpr double largest_integer = 9007199254740992.0; // doubles are exact up to here

// clang-format off
constexpr KeyInfo keys[] = {
    {.path = "program", .type = paths,
     .meaning = "The program's files."},
    {.path = "program_text", .type = text,
     .meaning = "The program itself, instead of `program`."},
    {.path = "output", .type = path,
     .meaning = "The folder for checkpoints, log and report; by default `runs/` and the name of the experiment file."},
    {.path = "seed", .type = integer,
     .meaning = "The seed of all randomness: weights, shuffling, sampling, dropout.",
     .fallback = "1", .least = 0, .most = largest_integer},

    {.path = "networks", .type = table,
     .meaning = "One table for each network of the program."},
    {.path = "networks.<name>", .type = table,
     .meaning = "The network that the program calls `<name>`."},
    {.path = "networks.<name>.preset", .type = text,
     .meaning = "The name of a built-in architecture."},
    {.path = "networks.<name>.numbers", .type = table,
     .meaning = "Numbers that change a preset, such as its width."},
    {.path = "networks.<name>.numbers.<number>", .type = number,
     .meaning = "One of them, by its name."},
    {.path = "networks.<name>.layers", .type = tables,
     .meaning = "The layers of the network, first to last, instead of `preset`."},
    {.path = "networks.<name>.layers[].kind", .type = text,
     .meaning = "The kind of layer: `conv`, `linear`, `relu`, ...",
     .is_required = true},
    {.path = "networks.<name>.layers[].<number>", .type = number_or_boolean,
     .meaning = "A number of the layer, such as `out` or `kernel`."},
    {.path = "networks.<name>.script", .type = path,
     .meaning = "A TorchScript file that holds the network, instead of `preset`."},
    {.path = "networks.<name>.logits", .type = boolean,
     .meaning = "Whether the network returns raw scores, to which softmax (or sigmoid) is then applied.",
     .fallback = "false"},
    {.path = "networks.<name>.train", .type = boolean,
     .meaning = "Whether the network learns; if not, it is only evaluated.",
     .fallback = "true"},
    {.path = "networks.<name>.weights", .type = path,
     .meaning = "A file of weights to start from."},
    {.path = "networks.<name>.optimizer", .type = table,
     .meaning = "How the network's weights follow the gradient."},
    {.path = "networks.<name>.optimizer.kind", .type = text,
     .meaning = "The algorithm.",
     .fallback = "adam", .words = "adam | sgd"},
    {.path = "networks.<name>.optimizer.learning_rate", .type = number,
     .meaning = "The size of a step, before the schedule.",
     .fallback = "0.001", .least = 0, .is_open = true},
    {.path = "networks.<name>.optimizer.beta1", .type = number,
     .meaning = "Adam's memory of gradients.",
     .fallback = "0.9", .least = 0, .most = 1, .is_open_above = true},
    {.path = "networks.<name>.optimizer.beta2", .type = number,
     .meaning = "Adam's memory of squared gradients.",
     .fallback = "0.999", .least = 0, .most = 1, .is_open_above = true},
    {.path = "networks.<name>.optimizer.weight_decay", .type = number,
     .meaning = "The weight of the L2 penalty.",
     .fallback = "0.0", .least = 0},
    {.path = "networks.<name>.optimizer.momentum", .type = number,
     .meaning = "The momentum of `sgd`.",
     .fallback = "0.0", .least = 0, .most = 1},
    {.path = "networks.<name>.schedule", .type = table,
     .meaning = "How the learning rate changes from epoch to epoch."},
    {.path = "networks.<name>.schedule.kind", .type = text,
     .meaning = "The form of the change; `step` needs `every` and `factor`, `exponential` needs `factor`.",
     .fallback = "constant", .words = "constant | step | exponential | cosine"},
    {.path = "networks.<name>.schedule.every", .type = integer,
     .meaning = "Epochs from one `step` to the next, or until `cosine` reaches 0 (by default, all epochs).",
     .fallback = "0", .least = 0, .most = largest_count},
    {.path = "networks.<name>.schedule.factor", .type = number,
     .meaning = "The factor applied to the rate at each `step`, or in each epoch if `exponential`.",
     .fallback = "1.0", .least = 0, .is_open = true},

    {.path = "rules", .type = table,
     .meaning = "The learnable probabilistic rules of the program."},
    {.path = "rules.learning_rate", .type = number,
     .meaning = "The size of a step of their probabilities.",
     .fallback = "0.01", .least = 0},

    {.path = "example", .type = table,
     .meaning = "The parts of an example."},
    {.path = "example.columns", .type = texts,
     .meaning = "The names of the tables' columns; by default those in the header, or `1`, `2`, ..."},
    {.path = "example.observation", .type = text,
     .meaning = "Constraints and facts that hold for the example; `{column}` is replaced by the row's cell."},
    {.path = "example.observation_file", .type = path,
     .meaning = "A file with the observation, instead of `observation`."},
    {.path = "example.inputs", .type = table,
     .meaning = "The array rows that the terms of neural rules stand for."},
    {.path = "example.inputs.<terms>", .type = text,
     .meaning = "A row of an array: `images[a]` with its number in column `a`, or `images[#]` with the example's own number."},
    {.path = "example.labels", .type = table,
     .meaning = "The true outcomes of network calls, for metrics and the supervised loss."},
    {.path = "example.labels.<call>", .type = text,
     .meaning = "The outcomes of a call such as `digit(i1)`: `array[column]`, `array[#]`, or a text with `{column}`."},

    {.path = "splits", .type = table,
     .meaning = "The data."},
    {.path = "splits.<split>", .type = table,
     .meaning = "The data to train on, to watch while training, and to test with.",
     .words = "train | validation | test"},
    {.path = "splits.<split>.table", .type = path,
     .meaning = "A table with one example per row; without it, the examples are the rows of the arrays used with `[#]`."},
    {.path = "splits.<split>.separator", .type = text,
     .meaning = "The character between two cells; by default a comma in `.csv`, a tab in `.tsv`, blanks in other files."},
    {.path = "splits.<split>.header", .type = boolean,
     .meaning = "Whether the table's first line is a header; by default it is if there are no `columns` and one of its cells is not a number."},
    {.path = "splits.<split>.rest_in_last", .type = boolean,
     .meaning = "Whether the last column takes the rest of the line, separators included.",
     .fallback = "false"},
    {.path = "splits.<split>.rows", .type = text,
     .meaning = "The rows to use, counted from 0, as `begin:end` (the end is not included); each side may be left out."},
    {.path = "splits.<split>.rows_file", .type = path,
     .meaning = "A file with the numbers of the rows to use, instead of `rows`."},
    {.path = "splits.<split>.arrays", .type = table,
     .meaning = "The arrays of this split."},
    {.path = "splits.<split>.arrays.<array>", .type = table,
     .meaning = "The array that inputs and labels call `<array>`."},
    {.path = "splits.<split>.arrays.<array>.file", .type = path,
     .meaning = "The file (or folder of pictures) that holds it.",
     .is_required = true},
    {.path = "splits.<split>.arrays.<array>.scale", .type = number,
     .meaning = "A network gets `(x / scale - mean) / deviation` for each number `x` of the array.",
     .fallback = "1.0", .least = 0, .is_open = true},
    {.path = "splits.<split>.arrays.<array>.mean", .type = numbers,
     .meaning = "See `scale`; one number, or one for each channel.",
     .fallback = "0.0"},
    {.path = "splits.<split>.arrays.<array>.deviation", .type = numbers,
     .meaning = "See `scale`; one number, or one for each channel.",
     .fallback = "1.0", .least = 0, .is_open = true},
    {.path = "splits.<split>.arrays.<array>.channels_first", .type = boolean,
     .meaning = "Whether pictures are put into the form channels x height x width, as convolutions expect them.",
     .fallback = "false"},
    {.path = "splits.<split>.arrays.<array>.colors", .type = text,
     .meaning = "Whether pictures stay as they are stored or become grey or coloured.",
     .fallback = "stored", .words = "stored | grey | rgb"},
    {.path = "splits.<split>.arrays.<array>.tiles", .type = integers,
     .meaning = "The rows and columns of the grid that each picture is cut into; `boards[a,5]` is tile 5 (from 0, row by row) of picture `a`.",
     .least = 1, .most = 65535},
    {.path = "splits.<split>.arrays.<array>.trim", .type = boolean,
     .meaning = "Whether pixels left over at the right and at the bottom of the grid are dropped.",
     .fallback = "false"},
    {.path = "splits.<split>.arrays.<array>.member", .type = text,
     .meaning = "Which array of an NPZ file; not needed if it holds one."},
    {.path = "splits.<split>.arrays.<array>.columns", .type = texts,
     .meaning = "Which columns of a table of numbers, in which order; by default all."},

    {.path = "training", .type = table,
     .meaning = "How to learn."},
    {.path = "training.method", .type = text,
     .meaning = "How gradients of the semantic loss are computed.",
     .fallback = "exact", .words = "exact | sampling | top-k"},
    {.path = "training.samples", .type = integer,
     .meaning = "The samples for each example, if the method is `sampling`.",
     .fallback = "100", .least = 1, .most = largest_count},
    {.path = "training.k", .type = integer,
     .meaning = "The number of most probable models, if the method is `top-k`.",
     .fallback = "10", .least = 1, .most = largest_count},
    {.path = "training.alpha", .type = number,
     .meaning = "The loss is `alpha * supervised + (1 - alpha) * semantic`.",
     .fallback = "0.0", .least = 0, .most = 1},
    {.path = "training.batch_size", .type = integer,
     .meaning = "The number of examples in each step.",
     .fallback = "64", .least = 1, .most = largest_count},
    {.path = "training.epochs", .type = integer,
     .meaning = "The number of passes over all examples.",
     .fallback = "1", .least = 0, .most = largest_count},
    {.path = "training.optimal", .type = boolean,
     .meaning = "Whether weak constraints select the models that count.",
     .fallback = "false"},
    {.path = "training.gradient", .type = text,
     .meaning = "Whether each probability varies alone, or the other outcomes absorb the change, as in the paper's Proposition 1.",
     .fallback = "plain", .words = "plain | proposition1"},
    {.path = "training.clip", .type = number,
     .meaning = "The largest norm of the gradient; 0 for no limit.",
     .fallback = "0.0", .least = 0},
    {.path = "training.threads", .type = integer,
     .meaning = "Threads for networks and for the symbolic step; 0 for one per processor.",
     .fallback = "1", .least = 0, .most = 1024},
    {.path = "training.shuffle", .type = boolean,
     .meaning = "Whether the examples are shuffled in each epoch.",
     .fallback = "true"},
    {.path = "training.circuits", .type = path,
     .meaning = "A folder that keeps compiled observations for later runs."},
    {.path = "training.compile_seconds", .type = number,
     .meaning = "The seconds allowed to compile one observation; after that its models are enumerated.",
     .fallback = "30.0", .least = 0, .is_open = true},
    {.path = "training.checkpoint_every", .type = integer,
     .meaning = "Epochs from one checkpoint to the next; 0 for only one, at the end.",
     .fallback = "1", .least = 0, .most = largest_count},
    {.path = "training.evaluate_every", .type = integer,
     .meaning = "Epochs from one evaluation to the next; 0 for only one, at the end.",
     .fallback = "1", .least = 0, .most = largest_count},
    {.path = "training.evaluate_batches", .type = integer,
     .meaning = "Batches from one evaluation within an epoch to the next; 0 for none.",
     .fallback = "0", .least = 0, .most = largest_integer},
    {.path = "training.stop_after", .type = integer,
     .meaning = "The number of batches after which training stops; 0 for no limit.",
     .fallback = "0", .least = 0, .most = largest_integer},

    {.path = "evaluation", .type = table,
     .meaning = "The measurements."},
    {.path = "evaluation.batch_size", .type = integer,
     .meaning = "Examples that go through the networks at once.",
     .fallback = "256", .least = 1, .most = largest_count},
    {.path = "evaluation.log_probability", .type = boolean,
     .meaning = "Whether log P(O) is measured; it never is if examples have no observation.",
     .fallback = "true"},
    {.path = "evaluation.time_limit", .type = number,
     .meaning = "Seconds for the most probable model of an example; 0 for no limit.",
     .fallback = "0.0", .least = 0},
    {.path = "evaluation.one_by_one", .type = text,
     .meaning = "A call such as `sol(img)`, measured also with its blanks (0 in the input) filled one by one, the most certain first."},
    {.path = "evaluation.queries", .type = texts_or_tables,
     .meaning = "Queries; for each, the share of examples whose most probable model satisfies it."},
    {.path = "evaluation.queries[].name", .type = text,
     .meaning = "Its name in reports; by default the query itself."},
    {.path = "evaluation.queries[].query", .type = text,
     .meaning = "The query; `{column}` is replaced by the row's cell.",
     .is_required = true},
    {.path = "evaluation.constraints", .type = tables,
     .meaning = "Sets of constraints; for each, the share of predictions that satisfy it together with the program."},
    {.path = "evaluation.constraints[].name", .type = text,
     .meaning = "Its name in reports.",
     .is_required = true},
    {.path = "evaluation.constraints[].file", .type = path,
     .meaning = "A file that holds the constraints."},
    {.path = "evaluation.constraints[].text", .type = text,
     .meaning = "The constraints themselves, instead of `file`."},
};
// clang-format on

bool is_numeric(KeyType type) {
    return type == integer || type == integers || type == number || type == numbers;
}

std::string number_text(double number) {
    return std::floor(number) == number ? fmt::format("{:.0f}", number) : fmt::format("{}", number);
}

// " from 1 to 10", " above 0": empty if any number will do.
std::string range_text(const KeyInfo &key) {
    std::string text;
    if (std::isfinite(key.least)) {
        const bool is_interval = std::isfinite(key.most) && key.most < largest_count;
        text = (key.is_open ? " above " : is_interval ? " from " : " of at least ");
        text += number_text(key.least);
        if (is_interval) {
            text += (key.is_open_above ? " to below " : " to ") + number_text(key.most);
        }
    }
    return text;
}

std::string words_text(std::string_view words) {
    const std::vector<std::string> names = words_of(words);
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
        text += "`" + names[i] + "`";
    }
    return text;
}

std::string default_text(const KeyInfo &key) {
    if (key.is_required) return "required";
    if (key.fallback.empty()) return "";
    const bool is_text = key.type == text || key.type == path;
    return is_text ? fmt::format("`\"{}\"`", key.fallback) : fmt::format("`{}`", key.fallback);
}

} // namespace

std::string_view type_name(KeyType type) {
    switch (type) {
    case text: return "text";
    case path: return "path";
    case integer: return "integer";
    case number: return "number";
    case number_or_boolean: return "number or boolean";
    case boolean: return "boolean";
    case table: return "table";
    case texts: return "list of texts";
    case paths: return "list of paths";
    case integers: return "list of integers";
    case numbers: return "list of numbers";
    case tables: return "list of tables";
    case texts_or_tables: break;
    }
    return "list of texts or tables";
}

std::span<const KeyInfo> experiment_keys() { return keys; }

std::span<const ExclusiveKeys> exclusive_experiment_keys() {
    static const std::vector<ExclusiveKeys> groups = {
        {"", {"program", "program_text"}, true},
        {"networks.<name>", {"preset", "layers", "script"}, true},
        {"example", {"observation", "observation_file"}},
        {"splits.<split>", {"rows", "rows_file"}},
        {"evaluation.constraints[]", {"file", "text"}, true},
    };
    return groups;
}

const KeyInfo *find_experiment_key(std::string_view path) {
    const auto *found = std::find_if(std::begin(keys), std::end(keys),
                                     [&](const KeyInfo &key) { return key.path == path; });
    return found == std::end(keys) ? nullptr : found;
}

std::vector<std::string> words_of(std::string_view words) {
    constexpr std::string_view between = " | ";
    std::vector<std::string> result;
    while (!words.empty()) {
        const std::size_t end = std::min(words.find(between), words.size());
        result.emplace_back(words.substr(0, end));
        words.remove_prefix(std::min(end + between.size(), words.size()));
    }
    return result;
}

std::string expectation(const KeyInfo &key) {
    if (key.type == text && !key.words.empty()) return words_text(key.words);
    switch (key.type) {
    case boolean: return "true or false";
    case number_or_boolean: return "a number, or true or false";
    case text: return "a text";
    case path: return "a path, as a text";
    case table: return "a table";
    case integer: return "an integer" + range_text(key);
    case integers: return "integers" + range_text(key);
    case number: return "a number" + range_text(key);
    case numbers: return "a number or numbers" + range_text(key);
    case paths: return "a path or a list of paths, as texts";
    case texts: return "a list of texts";
    case tables: return "a list of tables";
    case texts_or_tables: break;
    }
    return "a list of texts or tables";
}

std::string experiment_key_table() {
    std::string out = "| key | type | default | meaning |\n|---|---|---|---|\n";
    for (const KeyInfo &key : keys) {
        std::string kind(type_name(key.type));
        if (is_numeric(key.type)) kind += range_text(key);
        if (!key.words.empty()) kind = words_text(key.words);
        out += fmt::format("| `{}` | {} | {} | {} |\n", key.path, kind, default_text(key),
                           key.meaning);
    }
    return out;
}

} // namespace neurasp::data
