// The ground rules of a family of observations, and what its statements do to them.
//
// A family is a set of observations that are made of the same kinds of facts and constraints. Its distinct statements are
// grounded together with the program, each behind a guard (language/program.hpp), so one grounding serves all.
// Statements are numbered from 0. Most either decide between rules, and then they are variables of the family's circuit, or
// only rule out or price outcomes of random variables, which conditioning does at no cost (circuit/conditioning.hpp).
#pragma once

#include "inference/grounding.hpp"
#include "neurasp/question.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace neurasp::inference {

class CircuitLibrary;

struct FamilyStatement {
    std::string name; // of an observation that has it, for diagnostics
    std::string text; // one fact or constraint
};

struct FamilyGrounding {
    std::shared_ptr<const Grounding> grounding;
    Question
        question; // about all statements at once: only its warnings and random variables mean something
    std::optional<AtomId> violated;
    std::vector<std::optional<AtomId>> given; // by statement; nothing if no rule needs it
};

// Throws: InputError, also where a body of a neural or probabilistic rule needs a fact of the family; LimitError.
FamilyGrounding ground_family(const Program &program, std::span<const FamilyStatement> statements,
                              std::shared_ptr<CircuitLibrary> library, const Limits &limits);

struct OutcomeRef {
    std::uint32_t variable = 0; // of the grounding
    std::uint32_t outcome = 0;
};

// If all of `statements` are there, these outcomes are impossible; if there are no outcomes, the observation is.
struct Ban {
    std::vector<std::uint32_t> statements; // never empty
    std::vector<OutcomeRef> outcomes;
};

// If all of `statements` are there (always if there are none), each of these outcomes costs `weight`.
struct Fee {
    std::vector<std::uint32_t> statements;
    std::vector<OutcomeRef> outcomes;
    std::size_t level = 0; // of the priorities, the most important first
    std::int64_t weight = 0;
};

// The rules that matter, without those that are bans and fees.
struct FamilyRules {
    std::vector<bool> keeps;   // by rule of the grounding
    std::vector<bool> decides; // by statement: some rule that is kept depends on it
    std::vector<Ban> bans;
    std::vector<Fee> fees;  // in optimal mode
    std::size_t levels = 0; // of costs
    std::string obstacle;   // why least costs cannot be found by conditioning; empty if they can
};

FamilyRules split_family(const FamilyGrounding &family, bool optimal);

} // namespace neurasp::inference
