// `neurasp models`: stable models with their probabilities, as the solver finds them.
#include "cli/clingo_habits.hpp"
#include "cli/commands.hpp"
#include "cli/model_output.hpp"
#include "cli/session.hpp"

#include <memory>

namespace neurasp::cli {

namespace {

struct ModelsOptions : Options {
    std::uint64_t count = 0;
};

ExitCode run(const ModelsOptions &options) {
    Session session(options);
    session.prepare();
    ModelOutput output(session, session.no_model_message());
    const StreamEnd end = session.answer([&] {
        auto models =
            session.question().models(session.outputs(), session.settings(), session.limits());
        while (options.count == 0 || output.count() < options.count) {
            const auto model = models.next();
            if (!model) break;
            session.progress().count_model();
            session.start_printing();
            output.add(*model);
        }
        return models.finish();
    });
    output.end(end);
    return session.finish(end.how, output.count() > 0);
}

Action declare_models(CLI::App &command) {
    auto options = std::make_shared<ModelsOptions>();
    add_count(
        command, "-n,--count", options->count, "K",
        "list at most this many models (0: all, the default); a number after the files means the "
        "same",
        0);
    add_question_options(command, *options);
    add_atoms_option(command, *options);
    return [options, &command] {
        const auto given =
            is_given(command, "--count") ? std::optional(options->count) : std::nullopt;
        options->count = take_number_of_models(options->files, given).value_or(0);
        return run(*options);
    };
}

constexpr auto models_examples = R"(Examples:
  neurasp models umbrella.lp
  neurasp models addition.lp -p addition.json -o ':- not sum(3).' -n 5
  neurasp models addition.lp -p addition.json --atoms all --format json)";

} // namespace

Command models_command() {
    return {"models", "Stable models with their probabilities", models_examples, declare_models};
}

} // namespace neurasp::cli
