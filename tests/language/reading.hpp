// Shared by the tests of the language layer: reads texts and shows the result briefly.
#pragma once

#include "language/program.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace neurasp::language::test {

struct Text {
    Role role = Role::program;
    std::string text;
    std::uint32_t number = 0;
};

// The result of reading texts together.
struct Reading {
    SourceMap sources;
    DiagnosticSink diagnostics;
    Program program;

    // "line:column code" of each diagnostic, separated by "; ".
    std::string findings() const;
    // The lowered text, lines without blanks at their ends.
    const std::string &lowered() const { return program.lowered.text(); }
    // The user's text for a part of the lowered text. Requires: the part occurs there once.
    std::string origin_of(std::string_view part) const;
};

Reading read_texts(const std::vector<Text> &texts, const ReadOptions &options = {});
Reading read_program(const std::string &text, const ReadOptions &options = {});
Reading read_observation(const std::string &text, std::uint32_t number = 0);
Reading read_query(const std::string &text, std::uint32_t number = 0);
// Reads `text` on top of `base`, which is read first; the findings and the program are those of `text`.
Reading read_on_top(const std::string &base, Text text);

// The findings of a program, for the tests of single mistakes.
std::string mistakes(const std::string &program);
// The hint of the first finding of a program.
std::string first_hint(const std::string &program);

} // namespace neurasp::language::test
