// Shared by the parts of the experiment file's reader: values of a checked TOML tree by key, with the defaults
// of the table of keys, and errors with their places.
//
// Requires throughout: check_experiment_keys found no mistake, so types need not be checked again.
#pragma once

#include "base/source.hpp"
#include "base/template_text.hpp"
#include "data/experiment.hpp"
#include "data/experiment_keys.hpp"
#include "data/toml_document.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace neurasp::data {

using base::TemplateMistake;
using base::TemplateText;

// The tree, the folder where relative paths start, and the mistakes found so far.
class ExperimentContext {
  public:
    ExperimentContext(const TomlDocument &document, base::DiagnosticSink &errors,
                      std::string folder)
        : document_(document), errors_(errors), folder_(std::move(folder)) {}

    const TomlDocument &document() const noexcept { return document_; }
    SourceLocation locate(base::SourceSpan at) const { return document_.sources().locate(at); }
    void add(std::string code, base::SourceSpan at, std::string message, std::string hint = {});
    // Adds an error about a name that is not among `names`; `what` says what it should name.
    void add_unknown(base::SourceSpan at, std::string_view what, std::string_view name,
                     std::span<const std::string> names);

    FileReference file(const TomlValue &path) const;
    InlineText text(const TomlValue &value) const;
    // Takes a template apart; adds its mistakes.
    TemplateText parse_template(const TomlValue &value);

  private:
    const TomlDocument &document_;
    base::DiagnosticSink &errors_;
    std::string folder_;
};

// One table of the file; `path` is its path in the table of keys. If it is absent, all values are defaults.
class Section {
  public:
    Section(ExperimentContext &context, const TomlValue *table, std::string path)
        : context_(context), table_(table), path_(std::move(path)) {}

    // The value given for a key, or null.
    const TomlValue *given(std::string_view key) const;
    Section table(std::string_view key) const;
    // The entries of a table whose keys the user chooses.
    std::span<const TomlEntry> entries(std::string_view key) const;
    // The items of a list, or the only one.
    std::span<const TomlValue> items(std::string_view key) const;

    // Throws: ContractError if the key is not given and has no default.
    bool boolean(std::string_view key) const;
    double number(std::string_view key) const;
    std::size_t count(std::string_view key) const;
    // Like number(), for lists.
    std::vector<double> numbers(std::string_view key) const;
    // The given (or default) word as an enum, whose values are in the order of the key's words.
    template <class Enum> Enum word(std::string_view key) const {
        return static_cast<Enum>(word_index(key));
    }
    // Empty if not given.
    FileReference file(std::string_view key) const;
    InlineText text(std::string_view key) const;

  private:
    const KeyInfo &info(std::string_view key) const;
    std::size_t word_index(std::string_view key) const;
    double fallback_number(std::string_view key) const;

    ExperimentContext &context_;
    const TomlValue *table_;
    std::string path_;
};

// The text as a number of at least 0; nullopt if it is not one.
std::optional<std::size_t> parse_count(std::string_view text);

// The parts of the reader; each reads one top-level table.
std::vector<NetworkSettings> read_networks(ExperimentContext &context, const Section &root);
std::vector<SplitSettings> read_splits(ExperimentContext &context, const Section &root);
// Requires: networks and splits have been read; references are checked against them.
ExampleSettings read_example(ExperimentContext &context, const Section &root,
                             const Experiment &experiment);
// Requires: the example has been read.
EvaluationSettings read_evaluation(ExperimentContext &context, const Section &root,
                                   const Experiment &experiment);

// Checks settings that depend on other parts of the experiment. Requires: all of them have been read.
void check_habits(ExperimentContext &context, const Section &root, const Experiment &experiment);

// Adds an error for each placeholder that no table of the experiment can fill.
void check_placeholders(ExperimentContext &context, const TomlValue &value,
                        const std::vector<std::string> &columns,
                        const std::vector<SplitSettings> &splits);

} // namespace neurasp::data
