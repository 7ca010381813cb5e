// `neurasp explain`: which outcomes make a query as probable as it is, by which rules, and how the best model
// without it differs.
#include "base/atomic_file.hpp"
#include "cli/commands.hpp"
#include "cli/errors.hpp"
#include "cli/explanation_text.hpp"
#include "cli/session.hpp"
#include "protocol/answers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace neurasp::cli {

namespace {

struct ExplainOptions : Options {
    std::uint64_t count = 3;
    std::uint64_t steps = 40;
    std::string drawing;
};

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
    const bool draws_only = options.drawing == "-";
    Session session(options);
    session.prepare();
    Settings settings = session.settings();
    settings.derivation_steps = options.steps;
    const auto answer = session.answer([&] {
        return session.question().explain(session.outputs(), options.count, settings,
                                          session.limits());
    });
    if (draws_only) {
        session.console().write(to_dot(answer));
    } else if (options.json()) {
        session.print(protocol::to_json(answer), answer.how);
    } else {
        session.console().write(explanation_text(answer, session.given_label(), session.console()));
    }
    if (!options.drawing.empty() && !draws_only) base::write_file(options.drawing, to_dot(answer));
    return session.finish(answer.how, says_anything(answer));
}

Action declare_explain(CLI::App &command) {
    auto options = std::make_shared<ExplainOptions>();
    add_count(command, "-k,--count", options->count, "N", "list so many reasons (3)", 0);
    add_count(command, "--steps", options->steps, "N",
              "show so many steps of a derivation; 0: no derivations (40)", 0);
    add_file_option(command, "--dot", options->drawing,
                    "draw the derivations for Graphviz into this file; - for standard output, "
                    "then nothing else is written there");
    add_question_options(command, *options);
    add_query_option(command, *options, "the conjunction to explain, e.g. 'a, not b'");
    add_atoms_option(command, *options);
    return [options] { return run(*options); };
}

constexpr auto explain_examples = R"(Examples:
  neurasp explain addition.lp -p addition.json -q 'sum(3)'
  neurasp explain addition.lp -p addition.json -o ':- not sum(3).' -q 'digit(0,i1,1)' -k 5
  neurasp explain birds.lp -q 'flies(tweety)' --format json
  neurasp explain birds.lp -q 'flies(tweety)' --dot birds.dot)";

} // namespace

Command explain_command() {
    return {"explain", "Which outcomes and rules make a query as probable as it is",
            explain_examples, declare_explain};
}

} // namespace neurasp::cli
