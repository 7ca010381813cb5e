// The check of an experiment as people read it: the split, its observations, networks and shortcuts.
#include "cli/learning_check_text.hpp"

#include "cli/numbers.hpp"
#include "cli/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace neurasp::cli {

namespace {

using Entry = OutcomeMap::Entry;

std::string show_group(const runs::ExampleGroup &group) {
    if (group.examples == 0) return "none";
    return fmt::format("{}: {}{}", show_count(group.examples, "example"),
                       fmt::join(group.names, ", "),
                       group.examples > group.names.size() ? ", ..." : "");
}

std::string show_labels(const runs::ExperimentCheck &check) {
    if (check.learning.all_outcomes_known) return "all true outcomes are known";
    const std::string others = "every total choice that is possible counts as the truth";
    if (check.labelled == 0) return "none; " + others;
    return fmt::format("of {}; where one is missing, {}", show_count(check.labelled, "example"),
                       others);
}

std::string show_use(const NetworkUse &use, bool all_known) {
    if (!use.matters && !all_known) return "is not known to matter";
    if (!use.called) return "is not called";
    if (!use.matters) return "never matters";
    std::string text = "matters";
    if (!use.idle_events.empty()) {
        text +=
            fmt::format("; {} {} never matter{}", use.idle_events.size() == 1 ? "event" : "events",
                        fmt::join(use.idle_events, ", "), use.idle_events.size() == 1 ? "s" : "");
    }
    if (!use.impossible_outcomes.empty()) {
        text += fmt::format("; never possible: {}", fmt::join(use.impossible_outcomes, ", "));
    }
    return text;
}

// "a and b can be swapped", "a can be taken for b".
std::vector<std::string> in_words(const OutcomeMap &map) {
    const auto goes_to = [&](const std::string &from, const std::string &to) {
        return std::any_of(map.entries.begin(), map.entries.end(), [&](const Entry &entry) {
            return entry.from == from && entry.to == to;
        });
    };
    std::vector<std::string> words;
    for (std::size_t i = 0; i < map.entries.size(); ++i) {
        const std::string &from = map.entries[i].from;
        const std::string &to = map.entries[i].to;
        if (from == to) continue;
        if (!goes_to(to, from)) {
            words.push_back(fmt::format("{} can be taken for {}", from, to));
            continue;
        }
        const auto begin = map.entries.begin();
        const bool first = std::none_of(begin, begin + static_cast<std::ptrdiff_t>(i),
                                        [&](const Entry &entry) { return entry.from == to; });
        if (first) words.push_back(fmt::format("{} and {} can be swapped", from, to));
    }
    return words;
}

// One column for each outcome; of many outcomes only those that change.
std::string map_table(const OutcomeMap &map) {
    constexpr std::size_t most_columns = 16;
    Row truth = {map.network, "true"};
    Row image = {"", "read as"};
    for (const Entry &entry : map.entries) {
        if (map.entries.size() > most_columns && entry.from == entry.to) continue;
        truth.push_back(entry.from);
        image.push_back(entry.to);
    }
    return align({truth, image}, 4);
}

std::string show_number_of_maps(const ShortcutReport &report) {
    if (report.exact()) {
        if (report.at_least == "1") return "1: only the identity, so there are no shortcuts";
        return report.at_least + ", the identity included";
    }
    std::string text = fmt::format("at least {}", report.at_least);
    if (report.at_most) text += fmt::format(", at most {}", *report.at_most);
    return text + ", the identity included";
}

std::string shortcuts_text(const ShortcutReport &report) {
    std::vector<Row> rows = {{"maps", show_number_of_maps(report)}};
    std::string tables;
    std::vector<std::string> words;
    for (const OutcomeMap &map : report.smallest) {
        for (std::string &each : in_words(map)) {
            words.push_back(report.smallest.size() > 1 ? fmt::format("{}: {}", map.network, each)
                                                       : std::move(each));
        }
        tables += "\n" + map_table(map);
    }
    if (!words.empty()) {
        std::string text = fmt::format("{}", fmt::join(words, "; "));
        if (!report.smallest_is_least) text += " (there may be smaller ones)";
        if (!report.smallest_is_sure) text += " (unless a total choice not looked at forbids it)";
        rows.push_back({"the smallest", std::move(text)});
    }
    return align(rows, 2) + tables;
}

} // namespace

std::string learning_check_text(const runs::ExperimentCheck &check) {
    std::string text = align(
        {{"split", fmt::format("{}: {}, {}", check.split, show_count(check.examples, "example"),
                               show_count(check.observations, "observation"))},
         {"labels", show_labels(check)}});
    std::vector<Row> rows = {{"impossible", show_group(check.impossible)},
                             {"teach nothing", show_group(check.idle)}};
    if (check.labelled > 0) {
        rows.push_back({"labels violate them", show_group(check.contradictory)});
    }
    if (check.unknown.examples > 0) rows.push_back({"not known", show_group(check.unknown)});
    text += "\n\nObservations\n" + align(rows, 2) + "\n\nNetworks\n";
    rows.clear();
    for (const NetworkUse &use : check.learning.networks) {
        rows.push_back({use.network, show_use(use, check.unknown.examples == 0)});
    }
    text += align(rows, 2);
    if (check.learning.shortcuts) {
        text += "\n\nShortcuts\n" + shortcuts_text(*check.learning.shortcuts);
    }
    return text + "\n";
}

} // namespace neurasp::cli
