// `neurasp map`: the most probable stable models.
#include "cli/commands.hpp"
#include "cli/model_output.hpp"
#include "cli/session.hpp"

#include <fmt/format.h>

#include <memory>

namespace neurasp::cli {

namespace {

struct MapOptions : Options {
    std::uint64_t count = 1;
    bool ties = false;
};

ExitCode run(const MapOptions &options) {
    Session session(options);
    session.prepare();
    const auto answer = session.answer([&] {
        return session.question().most_probable(session.outputs(), options.count, options.ties,
                                                session.settings(), session.limits());
    });
    ModelOutput output(session, session.no_model_message());
    if (!answer.models.empty()) {
        session.mark_inexact(answer.how,
                             answer.how.models_seen == 1
                                 ? std::string("the only model seen so far")
                                 : fmt::format("the most probable of the {} models seen so far",
                                               answer.how.models_seen));
    }
    for (const StableModel &model : answer.models) output.add(model);
    output.end(answer);
    return session.finish(answer.how, output.count() > 0);
}

Action declare_map(CLI::App &command) {
    auto options = std::make_shared<MapOptions>();
    add_count(command, "-k,--count", options->count, "K",
              "list this many models, most probable first (1)", 1);
    add_flag(command, "--ties", options->ties,
             "also list all models that are as probable as the last one");
    add_question_options(command, *options);
    add_atoms_option(command, *options);
    return [options] { return run(*options); };
}

constexpr auto map_examples = R"(Examples:
  neurasp map fever.lp
  neurasp map addition.lp -p addition.json -o ':- not sum(3).' -k 3
  neurasp map sudoku.lp -p sudoku.json --time-limit 10)";

} // namespace

Command map_command() {
    return {"map", "The most probable stable models", map_examples, declare_map};
}

} // namespace neurasp::cli
