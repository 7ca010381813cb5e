// Confusion matrices: what the networks concluded, for each outcome that was expected.
#include "runs/report_sections.hpp"
#include "runs/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace neurasp::runs::report {

namespace {

constexpr std::size_t most_columns = 24; // larger matrices are shown as lists of mix-ups
constexpr std::size_t most_mixups = 10;

std::string scope_cell(std::string_view scope, std::string_view text) {
    return fmt::format("<th scope=\"{}\">{}</th>", scope, escape(text));
}

// The darker, the larger its share of the row; right ones differ from mistakes also by their frame.
std::string count_cell(const Confusion &confusion, std::size_t expected, std::size_t concluded,
                       std::uint64_t row) {
    const std::uint64_t count = confusion.count(expected, concluded);
    const char *kind = expected == concluded ? "hit" : "miss";
    if (count == 0) return fmt::format("<td class=\"{} none\">0</td>", kind);
    const double share = static_cast<double>(count) / static_cast<double>(row);
    return fmt::format("<td class=\"{}\" style=\"--share:{:.0f}%\">{}</td>", kind,
                       8.0 + 52.0 * share, count_text(count));
}

std::string matrix(const Confusion &confusion) {
    const std::size_t size = confusion.outcomes.size();
    std::string head = fmt::format("<tr><td></td><th scope=\"colgroup\" colspan=\"{}\">"
                                   "concluded</th><td></td></tr>\n<tr>{}",
                                   size, scope_cell("col", "expected"));
    for (const std::string &outcome : confusion.outcomes) head += scope_cell("col", outcome);
    head += scope_cell("col", "recall") + "</tr>";
    std::string rows;
    std::string precisions = scope_cell("row", "precision");
    for (std::size_t k = 0; k < size; ++k) {
        const OutcomeCounts counts = counts_of(confusion, k);
        rows += "<tr>" + scope_cell("row", confusion.outcomes[k]);
        for (std::size_t other = 0; other < size; ++other) {
            rows += count_cell(confusion, k, other, counts.expected);
        }
        rows += fmt::format("<td>{}</td></tr>\n", escape(probability_text(recall(counts))));
        precisions += fmt::format("<td>{}</td>", escape(probability_text(precision(counts))));
    }
    return fmt::format("<div class=\"scroll\" tabindex=\"0\"><table class=\"confusion\"><thead>{}"
                       "</thead>\n<tbody>\n{}<tr>{}<td></td></tr>\n</tbody></table></div>\n",
                       head, rows, precisions);
}

std::string list_of_mixups(const Confusion &confusion) {
    std::string items;
    for (const Mixup &mixup : mixups(confusion, most_mixups)) {
        items +=
            fmt::format("<li>expected <b>{}</b>, concluded <b>{}</b>: {}</li>\n",
                        escape(confusion.outcomes[mixup.expected]),
                        escape(confusion.outcomes[mixup.concluded]), counted(mixup.count, "time"));
    }
    if (items.empty()) return "<p>No mistakes.</p>\n";
    return "<ol class=\"mixups\">\n" + items + "</ol>\n";
}

std::string confusion_card(const Confusion &confusion) {
    const std::string counts =
        confusion.outcomes.size() <= most_columns ? matrix(confusion) : std::string();
    return fmt::format("<div class=\"card\"><h3>{}, {}</h3>\n<p>balanced accuracy {}, macro F1 {}"
                       "</p>\n{}{}</div>\n",
                       escape(confusion.network), escape(confusion.split),
                       escape(share_text(balanced_accuracy(confusion))),
                       escape(share_text(macro_f1(confusion))), counts, list_of_mixups(confusion));
}

} // namespace

std::string confusions_section(const History &history) {
    std::string cards;
    for (const Confusion &confusion : history.confusions) cards += confusion_card(confusion);
    if (cards.empty()) return "";
    return section(
        "Confusion matrices",
        "<p>For each outcome that was expected, by its label, how often each outcome was "
        "concluded as the most probable one.</p>\n<div class=\"confusions\">\n" +
            cards + "</div>");
}

} // namespace neurasp::runs::report
