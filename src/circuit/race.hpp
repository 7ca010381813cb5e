// The race between orders of decisions: which searches go on for how long, and which circuit is taken. race.cpp explains the
// policy.
#pragma once

#include "circuit/compiler.hpp"
#include "circuit/search.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace neurasp::circuit {

class Race {
  public:
    struct Rules {
        std::uint64_t first_decisions = 1'000; // of each order, in the first round
        // Once there is a circuit, others are tried while all searches together took no more.
        std::uint64_t cheap_decisions = 1'000;
        bool favourites_first = false; // in every round, whatever the progress of others is
    };

    Race(const Theory &theory, std::span<const Table> tables, Below below,
         const CompilerLimits &limits, base::Budget &budget, const CompilerSwitches &switches,
         const Rules &rules, CompilerResult &result);
    Race(const Race &) = delete;
    Race &operator=(const Race &) = delete;
    ~Race(); // adds the numbers of searches that are not done to the result

    static constexpr const char *step_limit = "more work than it may take";

    // Lets new orders have as many decisions as those that take part already, one after the other. Whether the race is over.
    bool enter(std::span<const Order> orders);
    // Gives all that are left more decisions, until the race is over.
    void run();

  private:
    struct Runner {
        std::unique_ptr<Search> search;
        double progress = 0.0;
        bool favourite = false;
    };

    bool go_on(Runner &runner);
    bool take(Runner &runner);
    void drop(Runner &runner);
    void keep_the_best();
    std::uint64_t total(std::uint64_t (Search::*count)() const) const;

    const Theory &theory_;
    std::span<const Table> tables_;
    Below below_;
    const CompilerLimits &limits_;
    base::Budget &budget_;
    const CompilerSwitches &switches_;
    Rules rules_;
    CompilerResult &result_;
    std::vector<Runner> runners_;
    std::uint64_t decisions_;            // that each may have taken by now
    std::uint64_t winner_decisions_ = 0; // of the search that found the circuit
};

} // namespace neurasp::circuit
