// `neurasp explain`: which outcomes make a query as probable as it is, and how the best model without it
// differs.
#include "cli/commands.hpp"
#include "cli/errors.hpp"
#include "cli/numbers.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "protocol/answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace neurasp::cli {

namespace {

struct ExplainOptions : Options {
    std::uint64_t count = 3;
};

constexpr double rounding = 1e-9; // what is nearer to 1 counts as 1 for people

std::string percent(double share) { return fmt::format("{:.3g} %", 100.0 * share); }

std::string question(const ExplanationAnswer &answer, bool observes) {
    if (observes) return fmt::format("P({} | O)", answer.query);
    const bool certain = answer.observation.value >= 1.0 - rounding;
    return certain ? fmt::format("P({})", answer.query)
                   : fmt::format("P({} | some stable model)", answer.query);
}

std::string headline(const ExplanationAnswer &answer, bool observes) {
    const std::string label = question(answer, observes);
    if (!answer.probability) return fmt::format("{} is undefined\n", label);
    const Probability &value = *answer.probability;
    const std::string log = value.exact ? show_small_log(value) : "";
    return fmt::format("{} = {}{}\n", label, show(value), log.empty() ? "" : "  " + log);
}

// What the shares of the reasons say together.
std::string summary(const ExplanationAnswer &answer) {
    double sum = 0.0;
    for (const Reason &reason : answer.reasons) sum += reason.share;
    std::string more = answer.truncated ? "there are more reasons" : "there is no other reason";
    if (answer.reasons.size() == 1) return more;
    return answer.disjoint ? fmt::format("together {}; {}", percent(sum), more)
                           : fmt::format("the shares overlap; {}", more);
}

std::string reasons_text(const ExplanationAnswer &answer, Console &console) {
    std::vector<Row> rows;
    for (const Reason &reason : answer.reasons) {
        std::vector<std::string> atoms;
        for (const ReasonOutcome &outcome : reason.outcomes) atoms.push_back(outcome.atom);
        const std::string together =
            atoms.empty() ? "whatever the outcomes are" : fmt::format("{}", fmt::join(atoms, ", "));
        Row row = {fmt::format("{}. {}", rows.size() + 1, together),
                   "covers " + percent(reason.share)};
        if (reason.certainty < 1.0 - rounding) {
            row.push_back(fmt::format("(makes it {} certain)", percent(reason.certainty)));
        }
        rows.push_back(std::move(row));
    }
    return fmt::format("\n{}\n{}\n{}\n", console.mark(Mark::strong, "because of"), align(rows, 2),
                       console.mark(Mark::weak, "  " + summary(answer)));
}

std::string models_text(const ExplanationAnswer &answer, Console &console) {
    if (!answer.with_query && !answer.without_query) return {};
    std::vector<Row> rows;
    const auto add = [&](const std::string &label, const std::optional<StableModel> &model) {
        if (model) {
            const std::string atoms = model->atoms.empty()
                                          ? "(no atoms)"
                                          : fmt::format("{}", fmt::join(model->atoms, " "));
            rows.push_back({label, show(model->probability), atoms});
        } else if (answer.models_known) {
            rows.push_back({label, "none"});
        }
    };
    const auto add_difference = [&](const char *label, const std::vector<std::string> &atoms) {
        if (!atoms.empty()) rows.push_back({label, "", fmt::format("{}", fmt::join(atoms, " "))});
    };
    add("with " + answer.query, answer.with_query);
    add("without", answer.without_query);
    add_difference("only with", answer.only_with);
    add_difference("only without", answer.only_without);
    return fmt::format("\n{}\n{}\n", console.mark(Mark::strong, "most probable models"),
                       align(rows, 2));
}

std::string as_text(const ExplanationAnswer &answer, bool observes, Console &console) {
    std::string text = headline(answer, observes);
    if (!answer.note.empty()) text += answer.note + "\n";
    if (!answer.reasons.empty()) text += reasons_text(answer, console);
    return text + models_text(answer, console);
}

bool says_anything(const ExplanationAnswer &answer) {
    return answer.how.exact || !answer.reasons.empty() || answer.with_query ||
           (answer.probability &&
            (answer.probability->lower > 0.0 || answer.probability->upper < 1.0));
}

ExitCode run(const ExplainOptions &options) {
    if (options.queries.size() != 1) {
        throw UsageError(fmt::format("expected one query, found {}", options.queries.size()),
                         "ask one at a time: -q 'a, not b' is one query");
    }
    Session session(options);
    session.prepare();
    const auto answer = session.answer([&] {
        return session.question().explain(session.outputs(), options.count, session.settings(),
                                          session.limits());
    });
    if (options.json()) {
        session.print(protocol::to_json(answer), answer.how);
    } else {
        const bool observes = options.observes() || options.optimal;
        session.console().write(as_text(answer, observes, session.console()));
    }
    return session.finish(answer.how, says_anything(answer));
}

Action declare_explain(CLI::App &command) {
    auto options = std::make_shared<ExplainOptions>();
    add_count(command, "-k,--count", options->count, "N", "list so many reasons (3)", 0);
    add_question_options(command, *options);
    add_query_option(command, *options, "the conjunction to explain, e.g. 'a, not b'");
    add_atoms_option(command, *options);
    return [options] { return run(*options); };
}

constexpr auto explain_examples = R"(Examples:
  neurasp explain addition.lp -p addition.json -q 'sum(3)'
  neurasp explain addition.lp -p addition.json -o ':- not sum(3).' -q 'digit(0,i1,1)' -k 5
  neurasp explain birds.lp -q 'flies(tweety)' --format json)";

} // namespace

Command explain_command() {
    return {"explain", "Which outcomes make a query as probable as it is", explain_examples,
            declare_explain};
}

} // namespace neurasp::cli
