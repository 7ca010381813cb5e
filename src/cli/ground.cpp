// `neurasp ground`: the generated clingo program, or the ground program in aspif.
#include "cli/commands.hpp"
#include "cli/errors.hpp"
#include "cli/inputs.hpp"
#include "cli/session.hpp"
#include "protocol/answers.hpp"

#include <nlohmann/json.hpp>

#include <memory>

namespace neurasp::cli {

namespace {

struct GroundOptions : Options {
    bool aspif = false;
};

ExitCode run(const GroundOptions &options) {
    check_standard_input(options);
    if (options.observes() && !options.aspif) throw UsageError("an observation needs --aspif");
    Console console(options.color);
    std::string text;
    if (options.aspif) {
        Session session(options);
        session.prepare();
        session.progress().finish();
        text = session.question().aspif();
    } else {
        text = Program::from_files(options.files, program_options(options)).clingo_text();
    }
    if (options.json()) {
        console.write(
            protocol::document(protocol::ground_json(options.aspif ? "aspif" : "clingo", text)));
    } else {
        console.write(text);
        if (!text.empty() && text.back() != '\n') console.write("\n");
    }
    console.flush();
    return ExitCode::fine;
}

Action declare_ground(CLI::App &command) {
    auto options = std::make_shared<GroundOptions>();
    add_program_options(command, *options);
    add_flag(command, "--aspif", options->aspif,
             "print the ground program, observation included, in clingo's aspif format");
    add_observation_options(command, *options);
    add_display_options(command, *options);
    return [options] { return run(*options); };
}

constexpr auto ground_examples = R"(Examples:
  neurasp ground coin.lp
  neurasp ground coin.lp --aspif -o ':- not win.' | head)";

} // namespace

Command ground_command() {
    return {"ground", "The generated clingo program, or its grounding", ground_examples,
            declare_ground};
}

} // namespace neurasp::cli
