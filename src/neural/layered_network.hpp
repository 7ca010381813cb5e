// A network that is a list of our layers, one after the other.
#pragma once

#include "neural/network.hpp"

namespace neurasp::neural {

class LayeredNetwork : public Network {
  public:
    // Throws: InputError at the first layer that is wrong or does not fit its input.
    LayeredNetwork(std::string name, const std::vector<data::LayerSpec> &layers, Shape input);

    void train(bool on) override { training_ = on; }
    bool is_training() const override { return training_; }
    std::string description() const override;

  private:
    torch::Tensor run(const torch::Tensor &batch) override;
    Tensors tensors() const override;
    void write(std::ostream &out, const ExtraFiles &extra) const override;

    std::vector<Layer> layers_;
    Shape input_;
    bool training_ = true;
};

} // namespace neurasp::neural
