// The model that is learned: networks, and the probabilities of learnable rules.
#pragma once

#include "learning/batch.hpp"
#include "learning/experiment_setup.hpp"

#include <torch/types.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace neurasp::learning {

// The file of a network's weights in a folder that `Model::save` has written.
std::string weights_file(const std::string &folder, const std::string &network);

class Model {
  public:
    // Throws: as make_networks.
    Model(const data::Experiment &experiment, TrainingProgram &step, const NetworkInputs &inputs);

    const std::vector<std::unique_ptr<neural::Network>> &networks() const { return networks_; }
    // The numbers of all learnable rules, one after the other (double).
    torch::Tensor &rule_numbers() { return rule_numbers_; }
    std::span<const double> rule_values() const;
    void train(bool on);
    // Whether the network returns one number for two outcomes. Requires: it has run.
    bool has_one_column(std::size_t network) const { return one_column_[network]; }

    // The networks' outputs for a batch as distributions: rows x events x outcomes (float), by network;
    // undefined if the batch does not call it. Networks that are not trained get no gradient.
    // Throws: InputError if outputs have the wrong size or are not distributions.
    std::vector<torch::Tensor> run(const BatchMaker &maker, const Batch &batch);

    // The outputs of one network for some inputs, in the same form. Does not check that they are
    // distributions.
    torch::Tensor look(std::size_t network, const torch::Tensor &inputs);

    // Replaces each rule's numbers by the nearest distribution.
    void project_rules();

    // Writes the weights of each network as NAME.pt, and the rules' numbers as rules.json if there are any.
    // Throws: EnvironmentError.
    void save(const std::string &folder) const;
    // Reads what save() wrote. Throws: InputError, EnvironmentError.
    void load(const std::string &folder);

  private:
    const data::Experiment &experiment_;
    TrainingProgram &step_;
    std::vector<std::unique_ptr<neural::Network>> networks_;
    std::vector<bool> trained_; // by network
    std::vector<bool> logits_;
    std::vector<bool> one_column_;
    torch::Tensor rule_numbers_;
};

} // namespace neurasp::learning
