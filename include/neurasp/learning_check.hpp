// Checks, before anything is trained, what observations can teach. Finds observations that are impossible or teach
// nothing, networks and outputs that never matter, and reasoning shortcuts. docs/shortcuts.md defines all of these.
#pragma once

#include "neurasp/training.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neurasp {

// The true outcomes of a network's call.
struct KnownOutcomes {
    std::size_t network = 0; // in TrainingProgram::networks()
    std::string terms;
    std::vector<std::uint32_t> outcomes; // one for each event: an index into NetworkShape::values
};

// An example: one of the observations, and those of its true outcomes that are known.
struct LearningExample {
    std::size_t observation = 0; // index
    std::vector<KnownOutcomes> known = {};
};

struct LearningCheckSettings {
    // How many total choices, complete or not, are tried where true outcomes are not known, for all examples together.
    std::uint64_t choices = 20'000;
    // How many steps the search for shortcuts takes: one for each look at a constraint.
    std::uint64_t steps = 200'000;
};

enum class Lesson : std::uint8_t {
    something,
    nothing,    // P(O) is the same whatever the networks say and whatever learnable rules become
    impossible, // P(O) = 0 whatever they say
    unknown,    // a limit was reached
};

struct NetworkUse {
    std::string network;
    bool called = false;  // by some example
    bool matters = false; // P(O) of some example depends on its outputs
    // If it matters: events whose outputs never matter, and outcomes that are possible for no event of any example.
    std::vector<std::size_t> idle_events = {};
    std::vector<std::string> impossible_outcomes = {};
};

// Where a map takes the outcomes of a network that occur as true outcomes, in the order of the network's outcomes.
struct OutcomeMap {
    struct Entry {
        std::string from;
        std::string to;
        friend bool operator==(const Entry &, const Entry &) = default;
    };
    std::string network;
    std::vector<Entry> entries;
};

// Maps that keep the observation of every example satisfied; the identity is one of them. Numbers are decimal and may be
// longer than any integer type.
struct ShortcutReport {
    std::string at_least = "1";
    std::optional<std::string> at_most; // nothing: not known
    std::size_t outcomes = 0;           // that a map changes or keeps, of all networks together
    // The map other than the identity that changes the fewest outcomes: all networks that it changes. Empty if there is
    // none or none was found.
    std::vector<OutcomeMap> smallest = {};
    std::size_t changes = 0;       // outcomes that it changes
    bool smallest_is_sure = true;  // false: total choices that were not looked at may rule it out
    bool smallest_is_least = true; // false: a limit was reached before smaller ones were ruled out
    std::uint64_t steps = 0;

    bool exact() const { return at_most == at_least; }
};

struct LearningCheck {
    std::vector<Lesson> lessons;            // by observation
    std::vector<std::size_t> contradictory; // examples whose known outcomes violate the observation
    std::vector<NetworkUse> networks;       // in the order of TrainingProgram::networks()
    std::optional<ShortcutReport> shortcuts; // nothing if a limit was reached before
    bool all_outcomes_known = false;         // of all examples that are not left out
    HowAnswered how;                         // exact: no limit was reached
};

// Prepares the observations that are not prepared yet. If a limit is reached, the result says what is known so far.
// Throws: InputError, LimitError as TrainingProgram::prepare; ContractError if an index does not exist or the program's
// gradients are not exact.
LearningCheck check_learning(TrainingProgram &program, std::span<const Observation> observations,
                             std::span<const LearningExample> examples,
                             const LearningCheckSettings &settings = {}, const Limits &limits = {});

} // namespace neurasp
