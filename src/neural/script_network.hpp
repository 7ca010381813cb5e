// A network from a TorchScript file, as torch.jit.script(...).save(...) writes it in Python; for
// evaluation or further training.
#pragma once

#include "neural/network.hpp"

namespace neurasp::neural {

class ScriptNetwork : public Network {
  public:
    // Throws: EnvironmentError if the file cannot be read; InputError if it is not a TorchScript module with
    // a forward method of one argument.
    ScriptNetwork(std::string name, const std::filesystem::path &file);
    ~ScriptNetwork() override;

    void train(bool on) override;
    bool is_training() const override;
    std::string description() const override;

  private:
    torch::Tensor run(const torch::Tensor &batch) override;
    Tensors tensors() const override;
    void write(std::ostream &out, const ExtraFiles &extra) const override;

    struct Script; // keeps Torch's compiler out of this header
    std::unique_ptr<Script> script_;
    std::string file_;
    bool training_ = true;
};

} // namespace neurasp::neural
