// An explanation for people: the probability, the reasons with the rules that fired, the most probable models
// with their derivations, what would have to differ, and what the most probable outcomes violate.
#include "cli/explanation_text.hpp"

#include "cli/derivation_text.hpp"
#include "cli/numbers.hpp"
#include "cli/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace neurasp::cli {

namespace {

constexpr double rounding = 1e-9; // what is nearer to 1 counts as 1 for people

std::string percent(double share) { return fmt::format("{:.3g} %", 100.0 * share); }

std::string question(const ExplanationAnswer &answer, std::string_view given) {
    if (!given.empty()) return fmt::format("P({} | {})", answer.query, given);
    const bool certain = answer.observation.value >= 1.0 - rounding;
    return certain ? fmt::format("P({})", answer.query)
                   : fmt::format("P({} | some stable model)", answer.query);
}

std::string headline(const ExplanationAnswer &answer, std::string_view given) {
    const std::string label = question(answer, given);
    if (!answer.probability) return fmt::format("{} is undefined\n", label);
    const Probability &value = *answer.probability;
    const std::string log = value.exact ? show_small_log(value) : "";
    return fmt::format("{} = {}{}\n", label, show(value), log.empty() ? "" : "  " + log);
}

// The shares of all reasons together, and whether there are more.
std::string summary(const ExplanationAnswer &answer) {
    double sum = 0.0;
    for (const Reason &reason : answer.reasons) sum += reason.share;
    std::string more = answer.truncated ? "there are more reasons" : "there is no other reason";
    if (answer.reasons.size() == 1) return more;
    return answer.disjoint ? fmt::format("together {}; {}", percent(sum), more)
                           : fmt::format("the shares overlap; {}", more);
}

std::string reason_line(const Reason &reason) {
    std::vector<std::string> atoms;
    for (const ReasonOutcome &outcome : reason.outcomes) atoms.push_back(outcome.atom);
    std::string line =
        atoms.empty() ? "whatever the outcomes are" : fmt::format("{}", fmt::join(atoms, ", "));
    line += fmt::format("  covers {}{}", reason.exact ? "" : "at least ", percent(reason.share));
    if (reason.exact && reason.certainty < 1.0 - rounding) {
        line += fmt::format("  (makes it {} certain)", percent(reason.certainty));
    }
    return line;
}

std::string rules_text(const Derivation &derivation) {
    constexpr std::size_t most = 8;
    const std::vector<std::string> rules = fired_rules(derivation);
    std::string text;
    // the last ones are next to the query
    const std::size_t first = rules.size() > most ? rules.size() - most : 0;
    if (first > 0) text += fmt::format("     ... {}\n", show_count(first, "more rule"));
    for (std::size_t i = first; i < rules.size(); ++i) text += fmt::format("     {}\n", rules[i]);
    return text;
}

std::string reasons_text(const ExplanationAnswer &answer, const Console &console) {
    const bool several = answer.reasons.size() > 1;
    std::string text = fmt::format(
        "\n{}\n", console.mark(Mark::strong,
                               several ? "because of, the weightiest reason first" : "because of"));
    std::size_t number = 0;
    for (const Reason &reason : answer.reasons) {
        text += fmt::format("  {}. {}\n", ++number, reason_line(reason));
        if (reason.derivation) text += rules_text(*reason.derivation);
    }
    return text + console.mark(Mark::weak, "  " + summary(answer)) + "\n";
}

// In columns; a row of one cell, a constraint, does not widen them.
std::string steps_text(const std::vector<Row> &rows, std::size_t indent) {
    std::vector<Row> columns;
    for (const Row &row : rows) {
        if (row.size() > 1) columns.push_back(row);
    }
    std::istringstream lines(align(columns, indent));
    std::string text;
    for (const Row &row : rows) {
        std::string line = std::string(indent, ' ') + row.front();
        if (row.size() > 1) std::getline(lines, line);
        text += line + "\n";
    }
    return text;
}

std::string derivation_text(const Derivation &derivation) {
    std::string text;
    if (!derivation.note.empty()) text += fmt::format("    {}\n", derivation.note);
    if (!derivation.query.empty()) {
        text += steps_text(derivation_rows(derivation, derivation.query), 4);
    }
    if (!derivation.observation.empty()) {
        text += "  the observation holds\n";
        text += steps_text(derivation_rows(derivation, derivation.observation), 4);
    }
    const std::string more = left_out_text(derivation);
    return more.empty() ? text : text + fmt::format("    {}\n", more);
}

std::string model_text(const std::string &label, const std::optional<StableModel> &model,
                       const std::optional<Derivation> &derivation, const char *why, bool known,
                       const Console &console) {
    const auto title = [&](const std::string &rest) {
        return fmt::format("\n{}: {}\n", console.mark(Mark::strong, label), rest);
    };
    if (!model) return known ? title("none") : "";
    std::string text = title(show(model->probability));
    text += model->atoms.empty() ? "  (no atoms)\n"
                                 : fmt::format("  {}\n", fmt::join(model->atoms, " "));
    if (derivation) text += fmt::format("  {}\n{}", why, derivation_text(*derivation));
    return text;
}

std::string differences_text(const ExplanationAnswer &answer, const Console &console) {
    if (!answer.with_query || !answer.without_query) return {};
    std::vector<Row> rows;
    for (const OutcomeChange &change : answer.changes) {
        rows.push_back({change.with.atom, show(change.with.probability), "->", change.without.atom,
                        show(change.without.probability)});
    }
    std::string text =
        fmt::format("\n{}\n", console.mark(Mark::strong, "what would have to differ"));
    text += rows.empty() ? "  no outcome: free choices decide\n" : align(rows, 2) + "\n";
    const auto add = [&](const char *label, const std::vector<std::string> &atoms) {
        if (!atoms.empty()) text += fmt::format("  {}  {}\n", label, fmt::join(atoms, " "));
    };
    add("only with   ", answer.only_with);
    add("only without", answer.only_without);
    return text;
}

std::string conflict_text(const Conflict &conflict, const Console &console) {
    std::string text =
        fmt::format("\n{}: {}\n",
                    console.mark(Mark::strong, "the most probable outcomes, together not allowed"),
                    show(conflict.probability));
    std::vector<Row> rows;
    for (const ReasonOutcome &outcome : conflict.outcomes) {
        rows.push_back({outcome.atom, show(outcome.probability)});
    }
    text += fmt::format(
        "  they differ from the most probable model in\n{}\n  they violate\n{}", align(rows, 4),
        steps_text(derivation_rows(conflict.derivation, conflict.derivation.query), 4));
    const std::string more = left_out_text(conflict.derivation);
    return more.empty() ? text : text + fmt::format("    {}\n", more);
}

} // namespace

std::string explanation_text(const ExplanationAnswer &answer, std::string_view given,
                             const Console &console) {
    std::string text = headline(answer, given);
    if (!answer.note.empty()) text += answer.note + "\n";
    if (!answer.reasons.empty()) text += reasons_text(answer, console);
    if (answer.with_query || answer.without_query) {
        text += model_text("most probable model with " + answer.query, answer.with_query,
                           answer.why, "why", answer.models_known, console);
        text += model_text("most probable model without " + answer.query, answer.without_query,
                           answer.why_not, "why not", answer.models_known, console);
    }
    text += differences_text(answer, console);
    if (answer.conflict) text += conflict_text(*answer.conflict, console);
    return text;
}

} // namespace neurasp::cli
