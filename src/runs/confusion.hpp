// How often each outcome was concluded where each outcome was expected, and metrics that follow from these counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace neurasp::runs {

// Of one network on one split. Invariant: there is a count for each pair of outcomes.
struct Confusion {
    std::string split;
    std::string network;
    std::vector<std::string> outcomes;
    std::vector<std::uint64_t> counts; // row by row: expected x concluded

    std::uint64_t count(std::size_t expected, std::size_t concluded) const {
        return counts[expected * outcomes.size() + concluded];
    }
};

// How often the outcome was expected, concluded, and both at once.
struct OutcomeCounts {
    std::uint64_t expected = 0;
    std::uint64_t concluded = 0;
    std::uint64_t right = 0;
};
OutcomeCounts counts_of(const Confusion &confusion, std::size_t outcome);

// Each of these is NaN if it is not defined.
double recall(const OutcomeCounts &counts);    // right / expected
double precision(const OutcomeCounts &counts); // right / concluded
// The mean recall of the outcomes that were expected.
double balanced_accuracy(const Confusion &confusion);
// The mean of 2 * right / (expected + concluded), over the outcomes that were expected or concluded.
double macro_f1(const Confusion &confusion);

// A pair of different outcomes.
struct Mixup {
    std::size_t expected = 0;
    std::size_t concluded = 0;
    std::uint64_t count = 0; // above 0
};
// The most frequent ones first, at most `most`.
std::vector<Mixup> mixups(const Confusion &confusion, std::size_t most);

} // namespace neurasp::runs
