// `neurasp prob --observe-set`: asks for each observation in turn and multiplies.
#include "cli/observation_set.hpp"

#include "base/stopwatch.hpp"
#include "cli/inputs.hpp"
#include "cli/numbers.hpp"
#include "cli/session.hpp"
#include "cli/table.hpp"
#include "neurasp/observation_set.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace neurasp::cli {

namespace {

using protocol::ObservationTerm;

// The text without the blanks around it.
std::string shown_text(const Observation &observation) {
    const std::string text = filled_text(observation);
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

ProbabilityAnswer unknown_answer(const HowAnswered &how) {
    ProbabilityAnswer answer;
    answer.probability.upper = 1.0;
    answer.probability.exact = false;
    answer.how = how;
    return answer;
}

class SetRun {
  public:
    SetRun(Session &session, const std::vector<ObservedExample> &set)
        : session_(session), set_(set), limits_(session.limits()) {}

    std::vector<ObservationTerm> run() {
        std::vector<ObservationTerm> terms;
        for (const ObservedExample &example : set_) {
            const std::size_t left = set_.size() - terms.size();
            terms.push_back({example.name, shown_text(example.observation), answer(example, left)});
        }
        return terms;
    }

  private:
    // The limits for one of the `left` observations that are still to come.
    Limits share(std::size_t left) const {
        Limits limits = limits_;
        if (limits.seconds) {
            const double rest = std::max(*limits.seconds - stopwatch_.seconds(), 0.0);
            limits.seconds = rest / static_cast<double>(left);
        }
        return limits;
    }
    ProbabilityAnswer answer(const ObservedExample &example, std::size_t left) {
        HowAnswered how;
        how.exact = false;
        if (stop_requested()) {
            how.interrupted = true;
            how.limit = "interrupted";
            return unknown_answer(how);
        }
        const Limits limits = share(left);
        try {
            session_.turn_to(example, limits);
        } catch (const LimitError &error) {
            how.interrupted = error.interrupted();
            how.limit = error.what();
            return unknown_answer(how);
        }
        Settings settings = session_.settings();
        return session_.question().probability(session_.outputs(), settings, limits);
    }

    Session &session_;
    const std::vector<ObservedExample> &set_;
    Limits limits_;
    base::Stopwatch stopwatch_;
};

HowAnswered together(const std::vector<ObservationTerm> &terms, const Probability &all) {
    HowAnswered how;
    how.exact = all.exact;
    for (const ObservationTerm &term : terms) {
        const HowAnswered &own = term.answer.how;
        how.interrupted = how.interrupted || own.interrupted;
        how.models_seen += own.models_seen;
        how.solver_calls += own.solver_calls;
        if (how.engine.empty()) how.engine = own.engine;
        if (!how.exact && how.limit.empty()) how.limit = own.limit;
    }
    return how;
}

std::string log_text(const Probability &probability) {
    if (probability.is_zero()) return "impossible";
    return fmt::format("log {}{}", probability.exact ? "" : ">= ", show(probability.log));
}

std::string as_text(const std::vector<ObservationTerm> &terms, const Probability &all) {
    std::vector<Row> rows;
    std::vector<std::string> impossible;
    for (const ObservationTerm &term : terms) {
        const std::string number = fmt::format("O{}", rows.size() + 1);
        const Probability &probability = term.answer.probability;
        if (probability.is_zero()) impossible.push_back(number);
        rows.push_back({fmt::format("P({})", number), show(probability), log_text(probability),
                        term.name.empty() ? term.observation
                                          : fmt::format("{}: {}", term.name, term.observation)});
    }
    const std::string set =
        terms.size() == 1 ? "O1"
                          : fmt::format("O1{}O{}", terms.size() == 2 ? "," : "..", terms.size());
    rows.push_back({fmt::format("P({{{}}})", set), show(all), log_text(all)});
    std::string text = align(rows) + "\n";
    if (!impossible.empty()) {
        text += fmt::format("impossible: {} of {} ({})\n", impossible.size(), terms.size(),
                            fmt::join(impossible, ", "));
    }
    return text;
}

} // namespace

ExitCode run_observation_set(const Options &options) {
    check_standard_input(options);
    const auto set = read_observation_set(read_text(options.observation_set),
                                          display_name(options.observation_set));
    Session session(options);
    session.prepare(Notices::none);
    const auto terms = session.answer([&] { return SetRun(session, set).run(); });
    session.report_all();
    std::vector<Probability> factors;
    for (const ObservationTerm &term : terms) factors.push_back(term.answer.probability);
    const Probability all = product(factors);
    const HowAnswered how = together(terms, all);
    if (options.json()) {
        session.print(protocol::observation_set_json(terms, all, how), how);
    } else {
        session.console().write(as_text(terms, all));
    }
    const bool answered = std::any_of(factors.begin(), factors.end(), [](const Probability &p) {
        return p.exact || p.lower > 0.0 || p.upper < 1.0;
    });
    return session.finish(how, answered);
}

} // namespace neurasp::cli
