// check_learning: lessons of all observations, the use of networks, and shortcuts, within one budget.
//
// Of a time limit, preparing the observations may use three quarters; the rest is for the answer, so that there is one.
// What a limit leaves open is `unknown`, and bounds instead of a count.
#include "neurasp/learning_check.hpp"

#include "training/map_problem.hpp"

#include <algorithm>

namespace neurasp {

namespace {

using circuit::Natural;
using training::MapCount;
using training::MapSearch;
using training::ObservationFacts;
using training::ObservationProbe;
using training::OutcomeSet;
using training::ShortcutProblem;
using training::SmallestMap;

constexpr double share_of_preparation = 0.75;

void demand(bool condition, const char *what) {
    if (!condition) throw ContractError(std::string("check_learning: ") + what);
}

std::vector<OutcomeMap> as_maps(const TrainingProgram &program, const ShortcutProblem &problem,
                                const std::vector<std::uint32_t> &map) {
    std::vector<OutcomeMap> maps;
    std::vector<bool> changes(program.networks().size());
    for (std::size_t v = 0; v < map.size(); ++v) {
        const auto [network, outcome] = problem.outcomes[v];
        if (map[v] != outcome) changes[network] = true;
    }
    for (std::size_t v = 0; v < map.size(); ++v) {
        const auto [network, outcome] = problem.outcomes[v];
        const NetworkShape &shape = program.networks()[network];
        if (!changes[network]) continue;
        if (maps.empty() || maps.back().network != shape.name) maps.push_back({shape.name, {}});
        maps.back().entries.push_back({shape.values[outcome], shape.values[map[v]]});
    }
    return maps;
}

class LearningChecker {
  public:
    LearningChecker(TrainingProgram &program, std::span<const Observation> observations,
                    std::span<const LearningExample> examples,
                    const LearningCheckSettings &settings, const Limits &limits)
        : program_(program), observations_(observations), examples_(examples), settings_(settings),
          limits_(limits), budget_(limits) {}

    LearningCheck run() {
        const std::vector<ObservationId> ids = prepare();
        check_examples();
        budget_.report(Phase::searching);
        probe_.emplace(program_, budget_, limits_.stop);
        look_at_observations(ids);
        look_at_networks();
        if (!budget_.exhausted()) count_shortcuts();
        finish();
        return std::move(check_);
    }

  private:
    std::vector<ObservationId> prepare() {
        Limits limits = limits_;
        if (limits.seconds) limits.seconds = *limits.seconds * share_of_preparation;
        auto ids = program_.prepare(observations_, limits);
        all_prepared_ = ids.size() == observations_.size();
        return ids;
    }

    void check_examples() const {
        const auto &networks = program_.networks();
        for (const LearningExample &example : examples_) {
            demand(example.observation < observations_.size(), "there is no such observation");
            for (const KnownOutcomes &known : example.known) {
                demand(known.network < networks.size(), "there is no such network");
                const NetworkShape &shape = networks[known.network];
                demand(known.outcomes.size() == shape.events,
                       "expected one outcome for each event");
                demand(std::all_of(known.outcomes.begin(), known.outcomes.end(),
                                   [&](std::uint32_t o) { return o < shape.outcomes; }),
                       "there is no such outcome");
            }
        }
    }

    Limits limits_left() const {
        Limits left = limits_;
        left.on_progress = nullptr;
        left.seconds = budget_.seconds_left();
        return left;
    }

    void look_at_observations(const std::vector<ObservationId> &ids) {
        facts_.resize(observations_.size());
        for (std::size_t i = 0; i < ids.size() && !budget_.exhausted(); ++i) {
            facts_[i] = training::look_at_observation(program_, *probe_, observations_[i], ids[i],
                                                      limits_left());
        }
        for (const ObservationFacts &facts : facts_) {
            check_.lessons.push_back(facts.lesson);
            unknown_ = unknown_ || facts.lesson == Lesson::unknown;
        }
    }

    void look_at_networks() {
        const auto &networks = program_.networks();
        std::vector<std::vector<bool>> busy; // events that matter, by network
        std::vector<OutcomeSet> possible;
        for (const NetworkShape &shape : networks) {
            check_.networks.push_back({shape.name});
            busy.emplace_back(shape.events);
            possible.emplace_back(shape.outcomes, false);
        }
        for (const ObservationFacts &facts : facts_) {
            if (facts.lesson == Lesson::unknown && !facts.possible) continue;
            note_calls(facts, possible);
            for (std::size_t p = 0; p < facts.places.size(); ++p) {
                const training::Place &place = facts.places[p];
                if (!facts.matters[p]) continue;
                check_.networks[place.network].matters = true;
                busy[place.network][place.event] = true;
            }
        }
        for (std::size_t n = 0; n < networks.size(); ++n) {
            NetworkUse &use = check_.networks[n];
            for (std::size_t e = 0; use.matters && e < networks[n].events; ++e) {
                if (!busy[n][e]) use.idle_events.push_back(e);
            }
            for (std::uint32_t o = 0; use.matters && o < networks[n].outcomes; ++o) {
                if (!possible[n].contains(o)) {
                    use.impossible_outcomes.push_back(networks[n].values[o]);
                }
            }
        }
    }

    // Which networks are called, and which of their outcomes are possible: all of an event that P(O) does not mention.
    void note_calls(const ObservationFacts &facts, std::vector<OutcomeSet> &possible) {
        const auto &calls = program_.at(facts.id).calls;
        for (const NetworkCall &call : calls) check_.networks[call.network].called = true;
        if (facts.lesson == Lesson::impossible) return;
        std::vector<std::size_t> places(calls.size());
        for (std::size_t p = 0; p < facts.places.size(); ++p) {
            const training::Place &place = facts.places[p];
            ++places[place.call];
            for (std::uint32_t o = 0; o < place.outcomes; ++o) {
                if (facts.outcomes[p].contains(o)) possible[place.network].add(o);
            }
        }
        for (std::size_t c = 0; c < calls.size(); ++c) {
            const NetworkShape &shape = program_.networks()[calls[c].network];
            if (places[c] < shape.events) possible[calls[c].network] = OutcomeSet(shape.outcomes);
        }
    }

    void count_shortcuts() {
        std::vector<bool> matters;
        for (const NetworkUse &use : check_.networks) matters.push_back(use.matters);
        const ShortcutProblem problem =
            training::MapProblemBuilder(program_, *probe_, facts_, matters, settings_.choices)
                .build(examples_);
        check_.contradictory = problem.contradictory;
        check_.all_outcomes_known = problem.all_known;
        ShortcutReport report;
        report.outcomes = problem.outcomes.size();
        // a short look for the smallest map comes first, because counting may use up the time
        SmallestMap smallest = find_smallest(problem, settings_.steps / 10, report);
        MapSearch counting(problem.maps, budget_, settings_.steps);
        const MapCount found = counting.count();
        report.steps += counting.steps();
        const Natural one(1);
        const Natural count = found.count.is_zero() ? one : found.count;
        // constraints that are missing could only rule out more maps; examples that are missing could have more outcomes
        const bool complete = found.complete && problem.all_seen && !probe_->gave_up();
        if (problem.complete && problem.all_seen) report.at_least = count.to_string();
        if (complete) report.at_most = count.to_string();
        if (!smallest.map && !smallest.complete && !(complete && count == one)) {
            smallest = find_smallest(problem, settings_.steps, report);
        }
        if (smallest.map) {
            report.changes = smallest.changes;
            report.smallest_is_least = smallest.complete && !probe_->gave_up();
            report.smallest_is_sure = problem.complete && problem.all_seen;
            report.smallest = as_maps(program_, problem, *smallest.map);
        }
        check_.shortcuts = std::move(report);
    }

    SmallestMap find_smallest(const ShortcutProblem &problem, std::uint64_t steps,
                              ShortcutReport &report) {
        MapSearch search(problem.maps, budget_, steps);
        SmallestMap smallest = search.smallest();
        report.steps += search.steps();
        return smallest;
    }

    void finish() {
        HowAnswered &how = check_.how;
        const bool counted = check_.shortcuts && check_.shortcuts->exact();
        how.exact = counted && !unknown_ && !budget_.exhausted();
        how.interrupted = budget_.stopped();
        how.seconds = budget_.seconds_used();
        if (how.exact) return;
        how.limit = budget_.reached() != base::LimitReached::none
                        ? base::describe(budget_.reached())
                    : !all_prepared_ ? "time limit reached while observations were prepared"
                    : unknown_       ? "some observations could not be compiled in time"
                                     : "the limit on total choices or steps was reached";
    }

    TrainingProgram &program_;
    std::span<const Observation> observations_;
    std::span<const LearningExample> examples_;
    const LearningCheckSettings &settings_;
    const Limits &limits_;
    base::Budget budget_;
    std::optional<ObservationProbe> probe_;
    std::vector<ObservationFacts> facts_; // by observation
    LearningCheck check_;
    bool all_prepared_ = true;
    bool unknown_ = false; // the lesson of some observation is
};

} // namespace

LearningCheck check_learning(TrainingProgram &program, std::span<const Observation> observations,
                             std::span<const LearningExample> examples,
                             const LearningCheckSettings &settings, const Limits &limits) {
    demand(program.options().method == GradientMethod::exact &&
               program.options().convention == GradientConvention::plain &&
               program.options().circuits,
           "the program's gradients must be exact and plain");
    return LearningChecker(program, observations, examples, settings, limits).run();
}

} // namespace neurasp
