// The check of an experiment, or of examples without one, before training.
#include "protocol/learning_check.hpp"
#include "protocol/diagnostics.hpp"

#include <nlohmann/json.hpp>

namespace neurasp::protocol {

namespace {

Json group_json(const runs::ExampleGroup &group) {
    return {
        {"examples", group.examples}, {"observations", group.observations}, {"first", group.names}};
}

Json use_json(const NetworkUse &use) {
    return {{"network", use.network},
            {"called", use.called},
            {"matters", use.matters},
            {"idle_events", use.idle_events},
            {"impossible_outcomes", use.impossible_outcomes}};
}

Json map_json(const OutcomeMap &map) {
    Json entries = Json::array();
    for (const OutcomeMap::Entry &entry : map.entries) {
        entries.push_back({{"from", entry.from}, {"to", entry.to}});
    }
    return {{"network", map.network}, {"entries", std::move(entries)}};
}

Json shortcuts_json(const ShortcutReport &report) {
    Json smallest;
    if (!report.smallest.empty()) {
        Json maps = Json::array();
        for (const OutcomeMap &map : report.smallest) maps.push_back(map_json(map));
        smallest = {{"changes", report.changes},
                    {"sure", report.smallest_is_sure},
                    {"least", report.smallest_is_least},
                    {"maps", std::move(maps)}};
    }
    return {{"exact", report.exact()},
            {"at_least", report.at_least},
            {"at_most", report.at_most ? Json(*report.at_most) : Json()},
            {"outcomes", report.outcomes},
            {"steps", report.steps},
            {"smallest", std::move(smallest)}};
}

Json networks_json(const LearningCheck &check) {
    Json networks = Json::array();
    for (const NetworkUse &use : check.networks) networks.push_back(use_json(use));
    return networks;
}

const char *name_of(Lesson lesson) {
    switch (lesson) {
    case Lesson::something: return "something";
    case Lesson::nothing: return "nothing";
    case Lesson::impossible: return "impossible";
    default: return "unknown";
    }
}

} // namespace

Json to_json(const LearningCheck &check) {
    Json lessons = Json::array();
    for (const Lesson lesson : check.lessons) lessons.push_back(name_of(lesson));
    return {{"lessons", std::move(lessons)},
            {"truth_known", check.all_outcomes_known},
            {"contradictory", check.contradictory},
            {"networks", networks_json(check)},
            {"shortcuts", check.shortcuts ? shortcuts_json(*check.shortcuts) : Json()},
            {"exact", check.how.exact},
            {"limit", check.how.exact ? Json() : Json(check.how.limit)},
            {"interrupted", check.how.interrupted},
            {"seconds", number(check.how.seconds)}};
}

Json to_json(const runs::ExperimentCheck &check) {
    const LearningCheck &learning = check.learning;
    return {{"diagnostics", to_json(check.diagnostics)},
            {"split", check.split},
            {"examples", check.examples},
            {"observations", check.observations},
            {"labelled", check.labelled},
            {"truth_known", learning.all_outcomes_known},
            {"impossible", group_json(check.impossible)},
            {"teach_nothing", group_json(check.idle)},
            {"contradictory", group_json(check.contradictory)},
            {"unknown", group_json(check.unknown)},
            {"networks", networks_json(learning)},
            {"uncalled_networks", check.uncalled_networks},
            {"shortcuts", learning.shortcuts ? shortcuts_json(*learning.shortcuts) : Json()},
            {"exact", learning.how.exact},
            {"limit", learning.how.exact ? Json() : Json(learning.how.limit)},
            {"interrupted", learning.how.interrupted},
            {"seconds", number(learning.how.seconds)}};
}

} // namespace neurasp::protocol
