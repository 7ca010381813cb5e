// `neurasp sample`: stable models drawn from the distribution given the observation.
#include "cli/commands.hpp"
#include "cli/model_output.hpp"
#include "cli/session.hpp"

#include <nlohmann/json.hpp>

#include <memory>

namespace neurasp::cli {

namespace {

struct SampleOptions : Options {
    std::uint64_t count = 1;
    std::uint64_t seed = 0;
};

ExitCode run(const SampleOptions &options) {
    Session session(options);
    session.prepare();
    Settings settings = session.settings();
    settings.seed = options.seed;
    const auto answer = session.answer([&] {
        return session.question().sample(session.outputs(), options.count, settings,
                                         session.limits());
    });
    ModelOutput output(session, session.zero_message());
    if (!answer.models.empty()) {
        const bool fewer = answer.models.size() < options.count;
        session.mark_inexact(answer.how, fewer ? "fewer samples than asked for" : "");
    }
    for (const StableModel &model : answer.models) output.add(model);
    output.end(answer, protocol::Json{{"seed", options.seed}});
    return session.finish(answer.how, output.count() > 0);
}

Action declare_sample(CLI::App &command) {
    auto options = std::make_shared<SampleOptions>();
    add_count(command, "-n,--count", options->count, "N", "draw this many models (1)", 1);
    add_count(command, "--seed", options->seed, "S",
              "the seed; the same seed draws the same samples (0)", 0);
    add_question_options(command, *options);
    add_atoms_option(command, *options);
    return [options] { return run(*options); };
}

constexpr auto sample_examples = R"(Examples:
  neurasp sample dice.lp -n 10
  neurasp sample addition.lp -p addition.json -o ':- not sum(3).' -n 1000 --seed 42)";

} // namespace

Command sample_command() {
    return {"sample", "Stable models drawn at random, given the observation", sample_examples,
            declare_sample};
}

} // namespace neurasp::cli
