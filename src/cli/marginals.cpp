// `neurasp marginals`: the probability of every atom and random variable given the observation.
#include "cli/commands.hpp"
#include "cli/numbers.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "protocol/answers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>

namespace neurasp::cli {

namespace {

std::string marginals_headline(const MarginalsAnswer &answer, std::string_view label) {
    return align({{std::string(label), show(answer.probability),
                   answer.probability.exact ? show_small_log(answer.probability) : ""}}) +
           "\n";
}

std::string marginals_tables(const MarginalsAnswer &answer, Console &console) {
    const std::string seen = seen_so_far(answer.how, console);
    std::string text;
    std::vector<Row> rows;
    for (const auto &[atom, value] : answer.atoms) rows.push_back({atom, show(value)});
    if (!rows.empty()) {
        text += "\n" + console.mark(Mark::strong, "atoms") + seen + "\n" + align(rows, 2) + "\n";
    }
    for (const VariableMarginal &variable : answer.variables) {
        rows.clear();
        for (std::size_t i = 0; i < variable.atoms.size(); ++i) {
            rows.push_back({variable.atoms[i], show(variable.values[i])});
        }
        text +=
            "\n" + console.mark(Mark::strong, variable.name) + seen + "\n" + align(rows, 2) + "\n";
    }
    return text;
}

ExitCode run(const Options &options) {
    Session session(options);
    session.prepare();
    const auto answer = session.answer([&] {
        return session.question().marginals(session.outputs(), session.settings(),
                                            session.limits());
    });
    const bool any =
        answer.probability.exact ? !answer.probability.is_zero() : answer.probability.upper > 0.0;
    if (options.json()) {
        session.print(protocol::to_json(answer), answer.how);
    } else if (any || !answer.how.exact) {
        session.console().write(marginals_headline(answer, session.observed_label()));
        if (!answer.atoms.empty() || !answer.variables.empty()) session.mark_inexact(answer.how);
        session.console().write(marginals_tables(answer, session.console()));
    } else {
        session.console().write(fmt::format("{}\n", session.zero_message()));
    }
    return session.finish(answer.how, any);
}

Action declare_marginals(CLI::App &command) {
    auto options = std::make_shared<Options>();
    add_question_options(command, *options);
    add_atoms_option(command, *options);
    return [options] { return run(*options); };
}

constexpr auto marginals_examples = R"(Examples:
  neurasp marginals umbrella.lp -o ':- not wet.'
  neurasp marginals addition.lp -p addition.json -o ':- not sum(3).' --format json)";

} // namespace

Command marginals_command() {
    return {"marginals", "Probability of every atom and outcome, given the observation",
            marginals_examples, declare_marginals};
}

} // namespace neurasp::cli
