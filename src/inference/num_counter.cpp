// Counts Num(C), the number of stable models of a total choice.
//
// P(I) = w(C) / Num(C), so every model needs the Num of its choice. If the program is determined, Num is 1 and
// nothing is searched. Otherwise clasp lists the models of the program under the assumption of the choice,
// without the observation's constraints (specification 2.3).
//
// A choice with many models comes up once for each of them, so full counts are remembered: choices as keys, with
// one byte for each outcome below 255 and five for others. After 2^20 choices the table is emptied, so that its
// memory is bounded.
//
// A cap ends the count early for callers that only need to know whether Num is at least so large
// (best_models.cpp). A capped count is not remembered, because a later call may need the true number.
//
// Cost: one search over all models of the choice, exponential in its free atoms. It ends with the budget, and
// the result is then nothing rather than a number that is too small.
#include "inference/num_counter.hpp"

namespace neurasp::inference {

namespace {

constexpr std::size_t cache_limit = 1U << 20U;

std::string key_of(const TotalChoice &choice) {
    std::string key;
    key.reserve(choice.size() * 2);
    for (const std::uint32_t outcome : choice) {
        if (outcome >= 0xffU) {
            key += '\xff';
            key += static_cast<char>(outcome >> 24U);
            key += static_cast<char>(outcome >> 16U);
            key += static_cast<char>(outcome >> 8U);
        }
        key += static_cast<char>(outcome);
    }
    return key;
}

} // namespace

std::optional<std::uint64_t> NumCounter::count(const TotalChoice &choice, std::uint64_t cap) {
    if (problem_.determined()) return 1;
    std::string key = key_of(choice);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    std::uint64_t number = 0;
    const auto literals = choice_literals(problem_, choice);
    const auto end = problem_.search({literals, std::nullopt, nullptr, false}, budget_,
                                     [&](const asp::ModelView &) { return ++number < cap; });
    if (end == asp::SearchEnd::interrupted) return std::nullopt;
    if (end == asp::SearchEnd::stopped) return cap;
    if (known_.size() >= cache_limit) known_.clear();
    known_.emplace(std::move(key), number);
    return number;
}

} // namespace neurasp::inference
