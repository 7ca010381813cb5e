// Metrics of a confusion matrix.
#include "runs/confusion.hpp"

#include <algorithm>
#include <limits>

namespace neurasp::runs {

namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

double ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? undefined : static_cast<double>(part) / static_cast<double>(whole);
}

// The mean over the outcomes that count: those for which `value_of` returns a number.
template <class ValueOf> double mean_over_outcomes(const Confusion &confusion, ValueOf value_of) {
    double sum = 0.0;
    std::uint64_t count = 0;
    for (std::size_t k = 0; k < confusion.outcomes.size(); ++k) {
        const OutcomeCounts counts = counts_of(confusion, k);
        const double value = value_of(counts);
        if (!(value >= 0.0)) continue;
        sum += value;
        ++count;
    }
    return count == 0 ? undefined : sum / static_cast<double>(count);
}

} // namespace

OutcomeCounts counts_of(const Confusion &confusion, std::size_t outcome) {
    OutcomeCounts counts;
    for (std::size_t other = 0; other < confusion.outcomes.size(); ++other) {
        counts.expected += confusion.count(outcome, other);
        counts.concluded += confusion.count(other, outcome);
    }
    counts.right = confusion.count(outcome, outcome);
    return counts;
}

double recall(const OutcomeCounts &counts) { return ratio(counts.right, counts.expected); }

double precision(const OutcomeCounts &counts) { return ratio(counts.right, counts.concluded); }

double balanced_accuracy(const Confusion &confusion) {
    return mean_over_outcomes(confusion, recall);
}

double macro_f1(const Confusion &confusion) {
    return mean_over_outcomes(confusion, [](const OutcomeCounts &counts) {
        return ratio(2 * counts.right, counts.expected + counts.concluded);
    });
}

std::vector<Mixup> mixups(const Confusion &confusion, std::size_t most) {
    std::vector<Mixup> found;
    for (std::size_t expected = 0; expected < confusion.outcomes.size(); ++expected) {
        for (std::size_t concluded = 0; concluded < confusion.outcomes.size(); ++concluded) {
            const std::uint64_t count = confusion.count(expected, concluded);
            if (expected != concluded && count > 0) found.push_back({expected, concluded, count});
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Mixup &a, const Mixup &b) { return a.count > b.count; });
    found.resize(std::min(found.size(), most));
    return found;
}

} // namespace neurasp::runs
