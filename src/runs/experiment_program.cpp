// Reads the program texts of an experiment.
#include "runs/experiment_program.hpp"

#include "base/text_file.hpp"

#include <iterator>

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

} // namespace neurasp::runs
