// `neurasp prob`: P(O), and P(q | O) of queries.
#include "cli/commands.hpp"
#include "cli/numbers.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace neurasp::cli {

namespace {

Json as_json(const QueryAnswer &query) {
    Json object = {{"query", query.query}};
    if (query.conditional) {
        add_interval(object, "probability", "bounds", *query.conditional);
    } else {
        object["probability"] = nullptr;
    }
    add_interval(object, "joint", "joint_bounds", query.joint);
    return object;
}

Json as_json(const ProbabilityAnswer &answer) {
    Json object = {{"probability", json_number(answer.probability.lower.value)},
                   {"log_probability", json_number(answer.probability.lower.log)}};
    if (!answer.info.exact) object["bounds"] = json_bounds(answer.probability);
    add_mass(object, &answer.mass);
    if (answer.given_consistency) {
        add_interval(object, "given_consistency", "given_consistency_bounds",
                     *answer.given_consistency);
    } else {
        object["given_consistency"] = nullptr;
    }
    add_info(object, answer.info);
    object["queries"] = Json::array();
    for (const QueryAnswer &query : answer.queries) object["queries"].push_back(as_json(query));
    return object;
}

bool is_coherent(const ProbabilityAnswer &answer) {
    constexpr double rounding = 1e-9;
    return answer.mass.exact && answer.mass.lower.value >= 1.0 - rounding;
}

Row labelled(std::string label, const Interval &value) {
    return {std::move(label), show(value), value.exact ? show_small_log(value.lower) : ""};
}

std::string as_text(const ProbabilityAnswer &answer, bool observes) {
    std::vector<Row> rows;
    if (observes) rows.push_back(labelled("P(O)", answer.probability));
    // A coherent program's mass is 1: not worth a line beside other numbers.
    if (!is_coherent(answer) || rows.size() + answer.queries.size() == 0) {
        rows.push_back(labelled("P(some stable model)", answer.mass));
    }
    if (observes && !is_coherent(answer) && answer.given_consistency) {
        rows.push_back(labelled("P(O | some stable model)", *answer.given_consistency));
    }
    for (const QueryAnswer &query : answer.queries) {
        if (observes) {
            rows.push_back(query.conditional
                               ? labelled(fmt::format("P({} | O)", query.query), *query.conditional)
                               : Row{fmt::format("P({} | O)", query.query), "undefined, P(O) = 0"});
            rows.push_back(labelled(fmt::format("P({}, O)", query.query), query.joint));
            continue;
        }
        rows.push_back(labelled(fmt::format("P({})", query.query), query.joint));
        if (!is_coherent(answer) && query.conditional) {
            rows.push_back(labelled(fmt::format("P({} | some stable model)", query.query),
                                    *query.conditional));
        }
    }
    return align(rows) + "\n";
}

// Bounds of 0 and 1 say nothing.
bool says_anything(const Interval &probability) {
    return probability.exact || probability.lower.value > 0.0 || probability.upper.value < 1.0;
}

ExitCode run(const Options &options) {
    Session session(options);
    const auto answer = session.answer([&] {
        return session.reasoner().probability(session.question(), session.outputs(),
                                              session.limits());
    });
    if (options.json()) {
        session.print(as_json(answer), answer.info);
    } else {
        session.console().write(as_text(answer, options.observes() || session.limits().optimal));
    }
    return session.finish(answer.info, says_anything(answer.probability));
}

Action declare(CLI::App &command) {
    auto options = std::make_shared<Options>();
    add_question_options(command, *options);
    add_query_option(command, *options,
                     "ask for the probability of a conjunction, e.g. 'a, not b' (repeatable)");
    return [options] { return run(*options); };
}

constexpr auto examples = R"(Examples:
  neurasp prob coins.lp
  neurasp prob coins.lp -o ':- not win.' -q 'coin(head)' -q 'not coin(head), win'
  neurasp prob addition.lp -p digits.json -o ':- not sum(3).' --format json)";

} // namespace

Command prob_command() {
    return {"prob", "Probability of the observation, and of queries given it", examples, declare};
}

} // namespace neurasp::cli
