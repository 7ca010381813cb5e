// The warnings about a program and all its observations, each once: thousands of observations that are made of one
// template share their mistakes.
#pragma once

#include "inference/remarks.hpp"
#include "neurasp/question.hpp"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace neurasp::training {

class WarningBook {
  public:
    // `alone` is the question about the program without an observation. Only what reading found in the program
    // counts: which atoms are undefined, observations decide.
    explicit WarningBook(const Question &alone);

    void note(const Question &question);
    // Atoms of these predicates may come with an observation.
    void expect(std::span<const inference::Predicate> brought);

    std::vector<Diagnostic> all() const;

  private:
    std::size_t program_warnings_ = 0; // each question begins with them
    std::vector<Diagnostic> others_;
    std::set<std::string> seen_; // keys of `others_`
    std::vector<inference::UndefinedPredicate> undefined_;
    std::set<inference::Predicate> undefined_predicates_;
    std::set<inference::Predicate> brought_;
};

} // namespace neurasp::training
