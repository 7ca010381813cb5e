// Reads the program texts of an experiment.
#include "runs/experiment_program.hpp"

#include "base/template_text.hpp"
#include "base/text_file.hpp"

#include <filesystem>
#include <iterator>
#include <string_view>

namespace neurasp::runs {

namespace {

std::vector<NamedText> texts_of(const data::Experiment &experiment) {
    std::vector<NamedText> texts;
    for (const data::FileReference &file : experiment.programs) {
        texts.push_back({file.path, base::read_text_file(file.path)});
    }
    if (!experiment.program_text.text.empty()) {
        texts.push_back({experiment.file + " (program_text)", experiment.program_text.text});
    }
    return texts;
}

} // namespace

Program program_of(const data::Experiment &experiment, std::vector<NamedText> extra) {
    std::vector<NamedText> texts = texts_of(experiment);
    texts.insert(texts.end(), std::make_move_iterator(extra.begin()),
                 std::make_move_iterator(extra.end()));
    return Program(std::move(texts));
}

std::string program_text(const data::Experiment &experiment) {
    std::string all;
    for (const NamedText &text : texts_of(experiment)) all += text.text + "\n";
    return all;
}

Observation observation_of(const std::string &text, const std::string &example) {
    return {text, {}, "<observation of " + example + ">"};
}

std::optional<Observation> typical_observation(const data::Experiment &experiment) {
    std::string text = experiment.example.observation.text;
    if (!experiment.example.observation_file.empty()) {
        const std::string &path = experiment.example.observation_file.path;
        if (!std::filesystem::exists(path)) return std::nullopt;
        text = base::read_text_file(path);
    }
    std::vector<base::TemplateMistake> mistakes;
    const base::TemplateText parts(text, mistakes);
    if (!mistakes.empty()) return std::nullopt;
    for (const base::TemplateText::Placeholder &hole : parts.placeholders()) {
        // the name stands behind its brace
        const std::string_view before = std::string_view(text).substr(0, hole.begin - 1);
        const std::size_t last = before.find_last_not_of(" \t\r\n");
        if (last == std::string_view::npos || before[last] == '.') return std::nullopt;
    }
    std::string filled;
    parts.fill(std::vector<std::string_view>(parts.placeholders().size(), "0"), filled);
    return Observation{std::move(filled), {}};
}

} // namespace neurasp::runs
