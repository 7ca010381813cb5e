// Fuzz target of the language layer: any input, read as a program, an observation and a query, gives either
// diagnostics or lowered text whose places all lead back to the user's text.
#include "language/lexer.hpp"
#include "language/program.hpp"
#include "language/undecided_rule.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace neurasp;
using namespace neurasp::language;

void require(bool condition) {
    if (!condition) std::abort();
}

void check_span(const SourceMap &sources, SourceSpan span) {
    require(span.source < sources.size());
    require(span.begin <= span.end);
    require(span.end <= sources.text(span.source).size());
}

void check_origins(const SourceMap &sources, const LoweredText &lowered) {
    constexpr std::uint32_t most_places = 200;
    std::uint32_t line = 1;
    std::uint32_t column = 1;
    std::uint32_t places = 0;
    for (const char c : lowered.text()) {
        if (++places > most_places) return;
        check_span(sources, lowered.origin(line, column, line, column + 1));
        check_span(sources, lowered.origin(line, column, line + 2, 3));
        check_span(sources, lowered.origin(1, 1, line, column));
        column = c == '\n' ? 1 : column + 1;
        line += c == '\n' ? 1 : 0;
    }
    check_span(sources, lowered.origin(0, 0, 0, 0));
    check_span(sources, lowered.origin(line + 5, 7, line + 6, 1));
}

// Lowered text consists of tokens, and its brackets close within each statement.
void check_form(const std::string &lowered) {
    SourceMap sources;
    const std::uint32_t source = sources.add("lowered", lowered);
    Reporter reporter(sources);
    Lexer lexer(sources.text(source), source, &reporter);
    std::size_t depth = 0;
    for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next()) {
        if (is_opening(token.kind)) ++depth;
        if (is_closing(token.kind)) require(depth-- > 0);
        if (token.kind == TokenKind::dot) require(depth == 0);
    }
    require(depth == 0);
    require(reporter.count() == 0);
}

// No text that runs code or reads files may reach clingo.
void check_safe(std::string_view lowered) {
    bool in_string = false;
    for (std::size_t i = 0; i < lowered.size(); ++i) {
        if (in_string && lowered[i] == '\\')
            ++i;
        else if (lowered[i] == '"')
            in_string = !in_string;
        else if (!in_string) {
            require(!lowered.substr(i).starts_with("#script"));
            require(!lowered.substr(i).starts_with("#include"));
            require(lowered[i] != '%');
        }
    }
    require(!in_string);
}

void check(const SourceMap &sources, const Program &program, const DiagnosticSink &diagnostics) {
    for (const Diagnostic &diagnostic : diagnostics.all()) {
        require(!diagnostic.code.empty() && !diagnostic.message.empty());
        require(!render(diagnostic).empty());
    }
    for (const NeuralRule &rule : program.neural_rules) {
        check_span(sources, rule.span);
        check_span(sources, rule.events);
        require(rule.outcomes.size() >= 2 && rule.term_count >= 1);
        for (const SourceSpan outcome : rule.outcomes) check_span(sources, outcome);
    }
    for (const ProbabilisticRule &rule : program.probabilistic_rules) {
        require(rule.outcomes.size() == rule.probabilities.size());
        require(rule.outcomes.size() == rule.learnable.size());
        for (const double p : rule.probabilities) require(p >= 0 && p <= 1);
    }
    for (const HeadAtom &atom : program.head_atoms) check_span(sources, atom.span);
    check_origins(sources, program.lowered);
    if (diagnostics.has_errors()) return;
    check_form(program.lowered.text());
    check_safe(program.lowered.text());
}

// The lines that are shown for a rule that grounding does not decide can be read.
void check_decided_forms(const SourceMap &sources, const Program &program) {
    const std::vector<std::string> values(10'000, "1");
    for (const ProbabilisticRule &rule : program.probabilistic_rules) {
        const auto is_decided = [](const Signature &signature, bool negative) {
            return negative || signature.first.size() % 2 == 0;
        };
        const DecidedForm form = decided_form(sources, program, {rule.span, {values}, is_decided});
        for (const std::string &line : form.lines) {
            SourceMap own;
            const SourceUnit unit{own.add("line", line), Role::program, 0};
            DiagnosticSink diagnostics;
            read(own, {&unit, 1}, {}, nullptr, diagnostics);
            require(!diagnostics.has_errors());
        }
    }
}

void read_as(Role role, const std::string &text, const Program *base, SourceMap &sources) {
    const SourceUnit unit{sources.add("fuzz", text), role, 3};
    DiagnosticSink diagnostics;
    const Program program = read(sources, {&unit, 1}, {}, base, diagnostics);
    check(sources, program, diagnostics);
    if (role != Role::program || diagnostics.has_errors()) return;
    check_decided_forms(sources, program);
    read_as(Role::observation, text, &program, sources);
    read_as(Role::query, text, &program, sources);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(reinterpret_cast<const char *>(data), size);
    if (text.find('\0') != std::string::npos) return 0;
    SourceMap sources;
    read_as(Role::program, text, nullptr, sources);
    read_as(Role::observation, text, nullptr, sources);
    read_as(Role::query, text, nullptr, sources);
    return 0;
}
