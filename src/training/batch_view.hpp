// A view of a batch and its result, with sizes checked and observations looked up.
#pragma once

#include "training/batch_run.hpp"
#include "training/derivatives.hpp"

#include <span>
#include <vector>

namespace neurasp::training {

template <class Real> class BatchView {
  public:
    // Throws: ContractError if a size does not fit.
    BatchView(const RunContext &context, const TrainingBatch<Real> &batch,
              const TrainingResult<Real> &result);

    std::size_t size() const { return batch_.examples.size(); }
    const TrainingBatch<Real> &batch() const { return batch_; }
    const Prepared &prepared(std::size_t example) const { return *prepared_[example]; }
    bool differentiates() const {
        return !result_.output_gradients.empty() || !result_.rule_gradients.empty();
    }

    // Copies the numbers of an example into column k of `inputs`: input i goes to [i * columns + k].
    // Throws: InputError if one is negative or not finite.
    void gather(std::size_t example, std::size_t columns, std::size_t k,
                std::span<double> inputs) const;
    // Adds the derivatives in column k to the gradients of the numbers that gather() read.
    void scatter(std::size_t example, std::size_t columns, std::size_t k,
                 std::span<const double> gradient) const;
    // Adds the derivatives of a variable, as enumeration returns them.
    void scatter(std::size_t example, const VariableGradient &variable) const;
    void set(std::size_t example, double log_probability, ExampleStatus status) const;

  private:
    void check_rows(std::size_t example) const;
    void check_result() const;
    [[noreturn]] void refuse(std::size_t example, const NumberSource &source) const;
    double weight(std::size_t example) const;
    void add_to_output(std::size_t example, std::size_t call, std::size_t event,
                       std::span<const double> derivatives, std::size_t stride) const;
    void add_to_rule(std::size_t example, std::size_t first, std::size_t outcomes,
                     std::span<const double> derivatives, std::size_t stride) const;

    const RunContext &context_;
    const TrainingBatch<Real> &batch_;
    const TrainingResult<Real> &result_;
    std::span<const double> rule_numbers_;
    std::vector<const Prepared *> prepared_; // by example
};

} // namespace neurasp::training
