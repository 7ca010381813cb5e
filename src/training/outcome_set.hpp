// A set of outcomes of one network, as flags.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace neurasp::training {

class OutcomeSet {
  public:
    OutcomeSet() = default;
    explicit OutcomeSet(std::size_t outcomes, bool all = true)
        : flags_(outcomes, all ? 1 : 0), count_(all ? outcomes : 0) {}
    static OutcomeSet only(std::size_t outcomes, std::uint32_t outcome) {
        OutcomeSet set(outcomes, false);
        set.add(outcome);
        return set;
    }

    std::size_t universe() const noexcept { return flags_.size(); }
    std::size_t count() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    bool is_single() const noexcept { return count_ == 1; }
    bool contains(std::uint32_t outcome) const { return flags_[outcome] != 0; }
    // Requires: not empty.
    std::uint32_t first() const {
        return static_cast<std::uint32_t>(std::find(flags_.begin(), flags_.end(), 1) -
                                          flags_.begin());
    }
    void add(std::uint32_t outcome) {
        count_ += flags_[outcome] == 0 ? 1U : 0U;
        flags_[outcome] = 1;
    }
    void remove(std::uint32_t outcome) {
        count_ -= flags_[outcome];
        flags_[outcome] = 0;
    }
    const std::vector<std::uint8_t> &flags() const noexcept { return flags_; }
    friend bool operator==(const OutcomeSet &, const OutcomeSet &) = default;

  private:
    std::vector<std::uint8_t> flags_; // by outcome, 0 or 1
    std::size_t count_ = 0;
};

} // namespace neurasp::training
