// The content of an experiment file as plain structs: a program, networks, data and how to learn. The reader
// is experiment_file.hpp; docs/experiment-file.md explains every key. The defaults here are those of the
// table of keys (a test compares them).
#pragma once

#include "data/network_spec.hpp"
#include "neurasp/diagnostic.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::data {

// A path as it is written, and where it leads (relative paths start at the experiment file's folder).
struct FileReference {
    std::string written;
    std::string path;
    SourceLocation location;

    bool empty() const noexcept { return path.empty(); }
};

// A text inside the experiment file; `location` is that of its characters, without the quotes.
struct InlineText {
    std::string text;
    SourceLocation location;
};

enum class OptimizerKind { adam, adamw, sgd };
enum class ScheduleKind { constant, step, exponential, cosine };
enum class TrainingMethod { exact, sampling, top_k };
enum class GradientKind { plain, proposition1 };
enum class ColorKind { stored, grey, rgb };

struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::adam;
    double learning_rate = 0.001;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double weight_decay = 0.0;
    double momentum = 0.0;
};

// How the learning rate changes: from epoch to epoch (`schedule_factor`), and from step to step at the beginning
// (`warmup_factor`).
struct ScheduleSettings {
    ScheduleKind kind = ScheduleKind::constant;
    std::size_t every = 0;
    double factor = 1.0;
    std::size_t warmup = 0; // steps
};

struct NetworkSettings {
    NetworkSpec spec;
    FileReference script;  // the file of `spec.script`
    FileReference weights; // to start from
    bool train = true;
    std::vector<double> class_weights; // in the supervised loss, by outcome; empty: all the same
    OptimizerSettings optimizer;
    ScheduleSettings schedule;
};

struct RulesSettings {
    double learning_rate = 0.01;
};

// The name, in placeholders and array references, of the row's own number.
inline constexpr std::string_view row_number_name = "#";

// `images[a]`: the row of array `images` whose number is in column `a` of the table; if `column` is empty
// (`images[#]`), the row with the example's own number. With a tile (`boards[a,5]`), the number is that of a
// picture, and the row is that of the picture's tile.
struct ArrayReference {
    std::string array;
    std::string column;
    std::optional<std::size_t> tile;
    SourceLocation location;
};

// The terms of a neural rule (joined by commas) and the array row they stand for.
struct InputSettings {
    std::string terms;
    ArrayReference source;
    SourceLocation location;
};

// The true outcomes of a network's call: from an array, or a template of the row's cells.
struct LabelSettings {
    std::string network;
    std::string terms;
    std::optional<ArrayReference> source;
    InlineText text;
    SourceLocation location;
};

struct ExampleSettings {
    std::vector<std::string> columns;
    InlineText observation;         // a template
    FileReference observation_file; // holds a template
    std::vector<InputSettings> inputs;
    std::vector<LabelSettings> labels;
};

// Random changes of pictures in training; see augmentation.hpp. All 0: none.
struct AugmentationSettings {
    double shift = 0.0;  // at most, in pixels, in each direction
    double rotate = 0.0; // at most, in degrees, in each direction
    double scale = 0.0;  // at most, as a share of the size, up and down
    double noise = 0.0;  // the standard deviation, in units of `ArraySettings::scale`

    friend bool operator==(const AugmentationSettings &, const AugmentationSettings &) = default;
    bool is_none() const { return *this == AugmentationSettings(); }
};

// A network gets (x / scale - mean) / deviation; mean and deviation have one number, or one per channel.
struct ArraySettings {
    std::string name;
    FileReference file;
    double scale = 1.0;
    std::vector<double> mean = {0.0};
    std::vector<double> deviation = {1.0};
    bool channels_first = false;
    ColorKind colors = ColorKind::stored;
    std::vector<std::size_t>
        tiles; // rows and columns of the grid that a picture is cut into, or none
    bool trim = false;
    std::string member;
    std::vector<std::string> columns;
    AugmentationSettings augment;
    SourceLocation location;
};

// Rows [begin, end) of a table or array, counted from 0; without `end`, up to the last row.
struct RowRange {
    std::size_t begin = 0;
    std::optional<std::size_t> end;
};

struct SplitSettings {
    std::string name; // train, validation, test
    FileReference table;
    std::optional<char> separator; // if not given, depends on the file's name
    std::optional<bool> header;    // if not given, depends on the first line
    bool rest_in_last = false;
    std::optional<RowRange> rows;
    FileReference rows_file;
    std::vector<ArraySettings> arrays;
    SourceLocation location;
};

struct TrainingSettings {
    TrainingMethod method = TrainingMethod::exact;
    std::size_t samples = 100;
    std::size_t k = 10;
    double alpha = 0.0;
    double label_smoothing = 0.0;
    std::size_t batch_size = 64;
    std::size_t accumulate = 1; // batches for each step
    std::size_t epochs = 1;
    bool optimal = false;
    GradientKind gradient = GradientKind::plain;
    double clip = 0.0;
    std::size_t threads = 1;
    bool shuffle = true;
    FileReference circuits; // a folder, or empty
    double compile_seconds = 30.0;
    std::size_t checkpoint_every = 1;
    std::size_t evaluate_every = 1;
    std::size_t evaluate_batches = 0;
    std::size_t stop_after = 0;
    std::string best; // the metric that decides which weights are kept, or empty
    std::size_t patience =
        0; // evaluations without improvement after which training stops; 0: never
};

struct QuerySettings {
    std::string name;
    InlineText query; // a template
};

// A named set of constraints, from a file or from the experiment file itself.
struct ConstraintSettings {
    std::string name;
    FileReference file;
    InlineText text;
};

// Metrics of labelled networks in addition to the accuracy.
enum class LabelMetric { balanced_accuracy, macro_f1 };

struct EvaluationSettings {
    std::size_t batch_size = 256;
    bool log_probability = true;
    double time_limit = 0.0; // seconds; 0: none
    std::string one_by_one;  // a call that has labels, `network(terms)` without blanks; or empty
    std::vector<LabelMetric> metrics;
    std::vector<QuerySettings> queries;
    std::vector<ConstraintSettings> constraints;
};

struct Experiment {
    std::string file;                     // the experiment file's name, as diagnostics show it
    std::string text;                     // its content
    std::vector<std::string> assignments; // values set from outside, as `key=value`

    std::vector<FileReference> programs;
    InlineText program_text;
    FileReference output;
    std::uint64_t seed = 1;
    std::vector<NetworkSettings> networks;
    RulesSettings rules;
    ExampleSettings example;
    std::vector<SplitSettings> splits;
    TrainingSettings training;
    EvaluationSettings evaluation;
};

// The number of rows of the array that each picture is cut into.
std::size_t tile_count(const ArraySettings &array);

// The split of that name.
// Throws: InputError (missing-key) if the experiment has none.
const SplitSettings &split_of(const Experiment &experiment, std::string_view name);

// Whether evaluations measure log P(O).
bool measures_log_probability(const Experiment &experiment);

// The factor of the learning rate in an epoch (counted from 0) of a run of `epochs` epochs.
double schedule_factor(const ScheduleSettings &schedule, std::size_t epoch, std::size_t epochs);

// The factor of the learning rate in a step (counted from 0, since the beginning of the run): it grows evenly up to 1.
double warmup_factor(const ScheduleSettings &schedule, std::uint64_t step);

// The examples that each step of training uses.
std::size_t step_size(const TrainingSettings &training);

} // namespace neurasp::data
