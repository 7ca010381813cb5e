// Decides what an observation can teach, from a few evaluations.
//
// Possible outcomes come from the uniform point, where every total choice has weight: P(O) = 0 there means impossible, and a
// derivative of 0 means that no satisfying choice has the outcome. Both are sums of positive terms, so zero is exact.
//
// Dependence does not show at the uniform point: the parity of two bits does not depend on either of them there. So P(O) is
// evaluated at points near random corners, where one outcome of each event has most of the weight. With P(O | v) / P(O)
// for the outcomes v of an event, P(O) depends on the event if these numbers differ. P(O) is linear in the distribution of
// each event, so if it depends on the event at all, it does so at almost every point; but the difference may be lost in
// rounding, for example if one total choice of 10^80 violates the observation. If no difference is seen, we count: of a
// program whose models are determined by choices, a circuit gives the exact number of choices that satisfy the observation,
// and the observation teaches nothing if that is all of them.
#include "training/lessons.hpp"

#include "base/random_stream.hpp"
#include "circuit/natural.hpp"

#include <optional>

namespace neurasp::training {

namespace {

constexpr std::size_t corner_points = 8;
constexpr double corner_weight = 0.9; // of the outcome that is most probable

// A distribution in which one outcome has most of the weight.
void append_corner(base::RandomStream &random, std::size_t outcomes, Point &point) {
    const std::size_t first = point.size();
    double sum = 0.0;
    for (std::size_t o = 0; o < outcomes; ++o) sum += point.emplace_back(random.uniform());
    for (std::size_t o = 0; o < outcomes; ++o) point[first + o] *= (1.0 - corner_weight) / sum;
    point[first + random.below(outcomes)] += corner_weight;
}

std::vector<Point> corners(std::span<const Place> places) {
    base::RandomStream random(1);
    std::vector<Point> points(corner_points);
    for (Point &point : points) {
        for (const Place &place : places) append_corner(random, place.outcomes, point);
    }
    return points;
}

// Removes the places that P(O) does not mention, and notes which outcomes are possible at the others.
void note_possible(std::span<const double> ratios, ObservationFacts &facts) {
    std::vector<Place> mentioned;
    std::size_t i = 0;
    for (const Place &place : facts.places) {
        OutcomeSet possible(place.outcomes, false);
        for (std::uint32_t o = 0; o < place.outcomes; ++o, ++i) {
            if (ratios[i] > 0.0) possible.add(o);
        }
        if (possible.empty()) continue;
        mentioned.push_back(place);
        facts.outcomes.push_back(std::move(possible));
    }
    facts.places = std::move(mentioned);
}

// Whether P(O) depends on anything that is learned, as far as evaluation shows; nothing if a limit was reached.
std::optional<bool> note_dependence(ObservationProbe &probe, ObservationFacts &facts) {
    facts.matters.assign(facts.places.size(), false);
    bool any = false;
    for (const ProbeResult &result :
         probe.evaluate(facts.id, facts.places, corners(facts.places), true)) {
        if (!result.complete) return std::nullopt;
        std::size_t i = 0;
        for (std::size_t p = 0; p < facts.places.size(); ++p) {
            const std::size_t outcomes = facts.places[p].outcomes;
            if (differ(std::span(result.ratios).subspan(i, outcomes))) {
                facts.matters[p] = true;
                any = true;
            }
            i += outcomes;
        }
    }
    return any || probe.rules_mattered();
}

void assume_dependence(ObservationFacts &facts) { facts.matters.assign(facts.places.size(), true); }

// Whether counting shows that some total choice violates the observation.
bool is_violated_by_some_choice(TrainingProgram &program, const Observation &observation,
                                const Limits &limits) {
    CompileSettings settings;
    settings.optimal = program.options().optimal;
    settings.smooth = true;
    const Question question = program.ask({observation}, {}, limits);
    const Compilation compilation = question.compile(settings, limits);
    if (!compilation.circuit) return false;
    const auto count = compilation.circuit->choice_count();
    if (!count) return false;
    circuit::Natural all(1);
    for (const CircuitVariable &variable : compilation.circuit->variables()) {
        // with fixed probabilities in between, P(O) may be the same for all outcomes of the networks
        if (variable.source.network.empty()) return false;
        all = all * circuit::Natural(variable.atoms.size());
    }
    return *count != all.to_string();
}

} // namespace

ObservationFacts look_at_observation(TrainingProgram &program, ObservationProbe &probe,
                                     const Observation &observation, ObservationId id,
                                     const Limits &limits) {
    ObservationFacts facts;
    facts.id = id;
    facts.places = probe.places(id);
    const ProbeResult uniform = probe.evaluate(id, facts.places, all_outcomes(facts.places), true);
    facts.possible = uniform.possible;
    if (!uniform.possible) {
        facts.places.clear();
        if (uniform.complete) facts.lesson = Lesson::impossible;
        return facts;
    }
    if (!uniform.complete) {
        assume_dependence(facts);
        facts.outcomes = all_outcomes(facts.places);
        return facts;
    }
    note_possible(uniform.ratios, facts);
    const std::optional<bool> depends = note_dependence(probe, facts);
    if (!depends) {
        assume_dependence(facts);
        return facts;
    }
    facts.lesson = *depends ? Lesson::something : Lesson::nothing;
    if (*depends || facts.places.empty()) return facts;
    if (is_violated_by_some_choice(program, observation, limits)) {
        facts.lesson = Lesson::something;
        assume_dependence(facts);
    }
    return facts;
}

} // namespace neurasp::training
