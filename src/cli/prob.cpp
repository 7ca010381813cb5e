// `neurasp prob`: P(O), and P(q | O) of queries and their instances.
#include "cli/commands.hpp"
#include "cli/errors.hpp"
#include "cli/numbers.hpp"
#include "cli/observation_set.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "protocol/answers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace neurasp::cli {

namespace {

// The outputs of float networks sum to 1 only approximately.
bool is_coherent(const ProbabilityAnswer &answer, const Options &options) {
    const double rounding = options.networks.empty() ? 1e-9 : 1e-5;
    return answer.mass.exact && answer.mass.value >= 1.0 - rounding;
}

Row labelled(std::string label, const Probability &value) {
    return {std::move(label), show(value), value.exact ? show_small_log(value) : ""};
}

void add_query(const QueryAnswer &query, std::string_view given, bool coherent,
               std::vector<Row> &rows) {
    if (given.empty()) {
        rows.push_back(labelled(fmt::format("P({})", query.query), query.joint));
        if (!coherent && query.conditional) {
            rows.push_back(labelled(fmt::format("P({} | some stable model)", query.query),
                                    *query.conditional));
        }
        return;
    }
    std::string label = fmt::format("P({} | {})", query.query, given);
    rows.push_back(query.conditional
                       ? labelled(std::move(label), *query.conditional)
                       : Row{std::move(label), fmt::format("undefined, P({}) = 0", given)});
    rows.push_back(labelled(fmt::format("P({}, {})", query.query, given), query.joint));
}

std::string as_text(const ProbabilityAnswer &answer, const Session &session) {
    const std::string_view given = session.given_label();
    const bool coherent = is_coherent(answer, session.options());
    std::vector<Row> rows;
    if (!given.empty()) {
        rows.push_back(labelled(std::string(session.observed_label()), answer.probability));
    }
    // A coherent program has mass 1, which needs no line among other numbers.
    if (!coherent || rows.size() + answer.queries.size() + answer.each.size() == 0) {
        rows.push_back(labelled("P(some stable model)", answer.mass));
    }
    if (!given.empty() && !coherent && answer.given_consistency) {
        rows.push_back(
            labelled(fmt::format("P({} | some stable model)", given), *answer.given_consistency));
    }
    for (const QueryAnswer &query : answer.queries) add_query(query, given, coherent, rows);
    std::string text = rows.empty() ? "" : align(rows) + "\n";
    for (const EachAnswer &each : answer.each) {
        if (each.instances == 0) text += fmt::format("no instance of {} can hold\n", each.query);
    }
    return text;
}

Row estimated(std::string label, const Probability &estimate) {
    return {std::move(label), fmt::format("about {:.4g}", estimate.value),
            fmt::format("between {:.4g} and {:.4g}", estimate.lower, estimate.upper)};
}

// The estimates, below the bounds.
std::string as_text(const ProbabilityAnswer &answer, const SampledProbability &sampled,
                    const Session &session) {
    const bool observes = session.options().observes();
    std::vector<Row> rows;
    if (observes || answer.queries.empty()) {
        rows.push_back(estimated(std::string(session.observed_label()), sampled.probability));
    }
    for (std::size_t q = 0; q < answer.queries.size(); ++q) {
        const std::string &query = answer.queries[q].query;
        if (!observes) {
            rows.push_back(estimated(fmt::format("P({})", query), sampled.joint[q]));
        } else if (sampled.conditional[q]) {
            rows.push_back(estimated(fmt::format("P({} | O)", query), *sampled.conditional[q]));
        } else {
            rows.push_back({fmt::format("P({} | O)", query), "unknown", "no sample satisfies O"});
        }
    }
    return fmt::format("Estimated from {}, each interval {:.0f} % certain:\n{}\n",
                       show_count(sampled.samples, "sample"), 100 * sampled.confidence,
                       align(rows));
}

// Bounds of 0 and 1 contain no information.
bool says_anything(const ProbabilityAnswer &answer) {
    const Probability &probability = answer.probability;
    return probability.exact || probability.lower > 0.0 || probability.upper < 1.0 ||
           answer.sampled.has_value();
}

struct ProbOptions : Options {
    std::uint64_t samples = 0;
    std::uint64_t seed = 0;
};

ExitCode run(const ProbOptions &options) {
    if (options.samples > 0 && options.optimal) {
        throw UsageError("--samples cannot be combined with --optimal", "leave out one of them");
    }
    if (!options.observation_set.empty()) {
        if (options.samples > 0 || !options.queries.empty() || !options.each_queries.empty()) {
            throw UsageError("--observe-set computes only the probabilities of the observations",
                             "leave out -q, --each and --samples, or give one observation with -o");
        }
        return run_observation_set(options);
    }
    Session session(options);
    session.prepare();
    Settings settings = session.settings();
    settings.samples = options.samples;
    settings.seed = options.seed;
    const auto answer = session.answer([&] {
        return session.question().probability(session.outputs(), settings, session.limits());
    });
    if (options.json()) {
        session.print(protocol::to_json(answer), answer.how);
    } else {
        if (options.samples == 0) session.console().write(as_text(answer, session));
        if (answer.sampled) {
            session.console().write(as_text(answer, *answer.sampled, session));
        }
    }
    return session.finish(answer.how, says_anything(answer));
}

Action declare_prob(CLI::App &command) {
    auto options = std::make_shared<ProbOptions>();
    add_question_options(command, *options);
    add_query_option(command, *options,
                     "ask for the probability of a conjunction, e.g. 'a, not b' (repeatable)");
    add_each_option(command, *options);
    add_observation_set_option(command, *options);
    add_count(command, "--samples", options->samples, "N",
              "estimate from this many samples, with confidence intervals, instead of computing "
              "exactly",
              1);
    add_count(command, "--seed", options->seed, "S",
              "the seed; the same seed draws the same samples (0)", 0);
    return [options] { return run(*options); };
}

constexpr auto prob_examples = R"(Examples:
  neurasp prob birds.lp -q 'flies(tweety)'
  neurasp prob umbrella.lp -o ':- not wet.' -q rain -q 'rain, not umbrella'
  neurasp prob addition.lp -p addition.json -o ':- not sum(3).' --format json
  neurasp prob links.lp --each 'reach(X)'
  neurasp prob addition.lp -p addition.json --observe-set sums.txt
  neurasp prob links.lp -q 'reach(b)' --samples 10000 --seed 1)";

} // namespace

Command prob_command() {
    return {"prob", "Probability of the observation, and of queries given it", prob_examples,
            declare_prob};
}

} // namespace neurasp::cli
