// "Did you mean ...?": the candidate nearest to a misspelt name.
//
// Distance is the number of insertions, deletions, substitutions and swaps of neighbouring characters that turn one
// name into the other (optimal string alignment, the restricted form of the Damerau-Levenshtein distance). Swaps
// count as one edit because they are common typos: `ligth` is at distance 1 from `light`, not 2.
//
// A suggestion that is far off is worse than none. So a name of n characters accepts at most n / 3 edits, but at
// least one: for `abc` one edit, for `digit` one, for `addition` two. Among equally near candidates the first one
// wins, so the answer depends only on the order of the list. Case matters, as it does in the language.
//
// Cost: the product of the two lengths for each candidate. Names of more than 64 bytes get no suggestion, which
// bounds the table and keeps a huge token in a broken file from costing time.
#include "base/suggest.hpp"

#include <algorithm>
#include <vector>

namespace neurasp::base {

namespace {

// at(i, j) is the distance between the first i characters of `a` and the first j characters of `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    const std::size_t width = b.size() + 1;
    std::vector<std::size_t> table((a.size() + 1) * width);
    const auto at = [&](std::size_t i, std::size_t j) -> std::size_t & {
        return table[i * width + j];
    };
    for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
    for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
            at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, substituted});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
            }
        }
    }
    return table.back();
}

} // namespace

std::optional<std::string> closest_name(std::string_view name,
                                        std::span<const std::string> candidates) {
    constexpr std::size_t longest_name = 64;
    if (name.size() > longest_name) return std::nullopt;
    std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
    std::optional<std::string> result;
    for (const std::string &candidate : candidates) {
        if (candidate.size() > longest_name) continue;
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < best) {
            best = distance;
            result = candidate;
        }
    }
    return result;
}

} // namespace neurasp::base
