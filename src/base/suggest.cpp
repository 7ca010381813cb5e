#include "base/suggest.hpp"

#include <algorithm>
#include <vector>

namespace neurasp::base {

namespace {

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row[b.size()];
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
