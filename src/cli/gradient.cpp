// `neurasp gradient`: the derivatives of log P(O) with respect to the probabilities.
#include "cli/commands.hpp"
#include "cli/numbers.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "protocol/answers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace neurasp::cli {

namespace {

struct GradientOptions : Options {
    std::string convention = "plain";
};

std::string undefined_reason(const GradientAnswer &answer, const Options &options) {
    if (!answer.how.exact) return "no stable model was found within the limits";
    return options.observes() ? "P(O) = 0, so log P(O) has no gradient"
                              : "the program has no possible stable model, so there is no gradient";
}

// The logarithm of a lower bound is a lower bound of the logarithm.
std::string gradient_headline(const GradientAnswer &answer, std::string_view label) {
    const std::string log = (answer.probability.exact ? "" : ">=") + show(answer.probability.log);
    return align({{fmt::format("log {}", label), log},
                  {std::string(label), show(answer.probability)}}) +
           "\n";
}

std::string gradient_tables(const GradientAnswer &answer, Console &console) {
    const std::string seen = seen_so_far(answer.how, console);
    std::string text;
    for (const VariableGradient &variable : answer.variables) {
        std::vector<Row> rows;
        for (std::size_t i = 0; i < variable.atoms.size(); ++i) {
            const std::string value = show(variable.values[i]);
            rows.push_back({variable.atoms[i], (value.starts_with('-') ? "" : " ") + value});
        }
        text += "\n" + console.mark(Mark::strong, variable.name) +
                (variable.learnable ? "" : console.mark(Mark::weak, " (fixed)")) + seen + "\n" +
                align(rows, 2) + "\n";
    }
    return text;
}

ExitCode run(const GradientOptions &options) {
    Session session(options);
    session.prepare();
    const auto convention = options.convention == "plain" ? GradientConvention::plain
                                                          : GradientConvention::proposition1;
    const auto answer = session.answer([&] {
        return session.question().gradient(session.outputs(), convention, session.settings(),
                                           session.limits());
    });
    if (options.json()) {
        session.print(protocol::to_json(answer, convention, undefined_reason(answer, options)),
                      answer.how);
    } else if (!answer.defined) {
        session.console().write(fmt::format("undefined: {}\n", undefined_reason(answer, options)));
    } else {
        session.console().write(gradient_headline(answer, session.observed_label()));
        session.mark_inexact(answer.how);
        session.console().write(gradient_tables(answer, session.console()));
    }
    return session.finish(answer.how, answer.defined);
}

Action declare_gradient(CLI::App &command) {
    auto options = std::make_shared<GradientOptions>();
    add_choice(
        command, "--convention", options->convention, {"plain", "proposition1"},
        "how a probability varies: alone (plain), or with the other outcomes of its variable "
        "absorbing the change (proposition1)");
    add_question_options(command, *options);
    return [options] { return run(*options); };
}

constexpr auto gradient_examples = R"(Examples:
  neurasp gradient addition.lp -p addition.json -o ':- not sum(3).'
  neurasp gradient umbrella.lp -o ':- not wet.' --convention proposition1 --format json)";

} // namespace

Command gradient_command() {
    return {"gradient", "Gradient of the observation's log probability", gradient_examples,
            declare_gradient};
}

} // namespace neurasp::cli
