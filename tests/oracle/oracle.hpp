// The truth for property tests: the definitions of specification 2, word for word, over all stable models that the
// clingo binary enumerates. It is slow on purpose and shares no code with the library.
#pragma once

#include "clingo_process.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace neurasp::oracle {

// A question as plain ASP. `program` contains neither random choices, which are added here, nor #show.
struct Input {
    std::string program;
    std::vector<std::vector<std::string>> variables; // the outcome atoms of each random variable
    std::string rules;                               // facts and rules of the observation
    std::vector<std::string> constraints;            // bodies of its constraints: O
    std::vector<std::string> queries;                // bodies
};

// A total choice: the outcome of each variable.
using Choice = std::vector<std::size_t>;
// The probability of each outcome of each variable.
using Probabilities = std::vector<std::vector<long double>>;

struct Model {
    std::vector<std::string> atoms; // all true atoms, sorted, without the oracle's own
    Choice choice;
    std::vector<std::int64_t> cost;
    bool satisfies_observation = true;
    std::vector<bool> queries;
};

enum class Convention { plain, proposition1 };

class Oracle {
  public:
    explicit Oracle(const Input &input);

    const std::vector<Model> &models() const noexcept { return models_; }
    const std::vector<std::vector<std::string>> &variables() const noexcept { return variables_; }

    // Num(C): the number of stable models, without O, that agree with C.
    std::size_t num(const Choice &choice) const;
    // P(I) = product of the outcomes' probabilities / Num.
    long double probability(const Model &model, const Probabilities &p) const;
    // The models that satisfy O; in optimal mode only those of least cost among them.
    std::vector<const Model *> counted(bool optimal) const;

    long double probability(const Probabilities &p, bool optimal) const; // P(O)
    long double mass(const Probabilities &p) const;                      // P(some stable model)
    long double joint(const Probabilities &p, std::size_t query, bool optimal) const;
    // P(atom and O) for every atom that is true in some model that counts.
    std::map<std::string, long double> joint_atoms(const Probabilities &p, bool optimal) const;
    // P(outcome and O) for each outcome of each variable.
    Probabilities joint_outcomes(const Probabilities &p, bool optimal) const;
    // The models that count, most probable first.
    std::vector<const Model *> ranking(const Probabilities &p, bool optimal) const;
    // d log P(O) / dp for each outcome; nothing if P(O) = 0.
    std::optional<Probabilities> gradient(const Probabilities &p, Convention convention,
                                          bool optimal) const;
    // For each entry of the gradient, the magnitude of the terms whose sum (with cancellation) it is.
    std::optional<Probabilities> gradient_scale(const Probabilities &p, bool optimal) const;

    bool coherent() const { return total_choices_ == num_.size(); }
    // Whether the atoms are one outcome of each variable and have no stable model.
    bool is_witness(const std::vector<std::string> &atoms) const;

  private:
    Choice choice_of(const std::vector<std::string> &atoms) const;
    // The product of all factors except that of variable `skip`, divided by Num.
    long double weight(const Model &model, const Probabilities &p,
                       std::optional<std::size_t> skip) const;

    std::vector<std::vector<std::string>> variables_;
    std::vector<Model> models_;
    std::map<Choice, std::size_t> num_;
    std::size_t total_choices_ = 1;
};

} // namespace neurasp::oracle
