// Program: reads texts and files.
#include "base/text_file.hpp"
#include "inference/program_parts.hpp"

#include <algorithm>
#include <cstdio>

namespace neurasp {

namespace {

// Values of constants are passed to clingo unchanged, so values that no program could contain are refused here.
void check_constant(const std::string &name, const std::string &value,
                    base::DiagnosticSink &diagnostics) {
    base::SourceMap sources;
    const std::uint32_t source = sources.add("<const>", "#const " + name + "=" + value + ".");
    const std::vector<language::SourceUnit> units{{source, language::Role::program, 0}};
    language::read(sources, units, {}, nullptr, diagnostics);
}

} // namespace

Program::Program(std::vector<NamedText> texts, ProgramOptions options) {
    auto parts = std::make_shared<Parts>();
    parts->options = std::move(options);
    for (NamedText &text : texts) {
        const std::uint32_t source = parts->sources.add(std::move(text.name), std::move(text.text));
        parts->units.push_back({source, language::Role::program, 0});
    }
    base::DiagnosticSink diagnostics;
    for (const auto &[name, value] : parts->options.constants) {
        check_constant(name, value, diagnostics);
    }
    parts->program =
        language::read(parts->sources, parts->units, parts->read_options(), nullptr, diagnostics);
    diagnostics.throw_if_errors();
    parts->diagnostics = diagnostics.all();
    parts_ = std::move(parts);
}

Program Program::from_files(const std::vector<std::string> &paths, ProgramOptions options) {
    std::vector<NamedText> texts;
    for (const std::string &path : paths) {
        if (path == "-") {
            texts.push_back({"<stdin>", base::read_text(*stdin, "standard input")});
        } else {
            texts.push_back({path, base::read_text_file(path)});
        }
    }
    return Program(std::move(texts), std::move(options));
}

Program Program::from_text(std::string text, ProgramOptions options) {
    return Program({{"<program>", std::move(text)}}, std::move(options));
}

std::vector<ProbabilisticRule> Program::probabilistic_rules() const {
    std::vector<ProbabilisticRule> rules;
    for (const auto &rule : parts_->program.probabilistic_rules) {
        ProbabilisticRule info{std::string(parts_->sources.text(rule.span)),
                               {},
                               rule.probabilities,
                               std::find(rule.learnable.begin(), rule.learnable.end(), true) !=
                                   rule.learnable.end()};
        for (const auto &outcome : rule.outcomes) {
            info.atoms.emplace_back(parts_->sources.text(outcome));
        }
        // `p : a` has two outcomes, of which only one is written
        info.atoms.resize(rule.probabilities.size(), info.atoms.back());
        const bool twice = info.atoms.size() == 2 && info.atoms[0] == info.atoms[1];
        if (twice) info.atoms[1] = "-" + info.atoms[1];
        rules.push_back(std::move(info));
    }
    return rules;
}

const std::string &Program::clingo_text() const { return parts_->program.lowered.text(); }

} // namespace neurasp
