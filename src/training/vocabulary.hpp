// The networks that a program calls and its learnable rules, shared by all observations.
#pragma once

#include "neurasp/training.hpp"

#include <string>
#include <vector>

namespace neurasp::training {

class Vocabulary {
  public:
    // `variables` are those of the program without observations.
    Vocabulary(const std::vector<ProbabilisticRule> &rules,
               const std::vector<RandomVariableInfo> &variables);

    // Adds the networks of these variables. Throws: InputError (network-two-shapes).
    void meet(const std::vector<RandomVariableInfo> &variables);

    const std::vector<NetworkShape> &networks() const noexcept { return networks_; }
    std::size_t network_index(const std::string &name) const; // networks().size() if there is none
    const std::vector<LearnableRule> &rules() const noexcept { return rules_; }
    // The learnable rule behind a variable, or null.
    const LearnableRule *rule_of(const VariableSource &source) const;
    // The probabilities of all learnable rules as written, one after the other.
    const std::vector<double> &written_numbers() const noexcept { return written_numbers_; }

  private:
    std::vector<NetworkShape> networks_;
    std::vector<LearnableRule> rules_;
    std::vector<double> written_numbers_;
};

// The number of threads to use; the option 0 means one per processor.
std::size_t thread_count(const TrainingOptions &options);

} // namespace neurasp::training
