#include "runs/experiment_program.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace neurasp::runs {

namespace {

std::string read_text(const data::FileReference &file) {
    std::ifstream in(file.path, std::ios::binary);
    if (!in) {
        throw EnvironmentError(
            fmt::format("cannot read '{}': {}", file.path, std::strerror(errno)));
    }
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<NamedText> texts_of(const data::Experiment &experiment) {
    std::vector<NamedText> texts;
    for (const data::FileReference &file : experiment.programs) {
        texts.push_back({file.path, read_text(file)});
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

} // namespace neurasp::runs
