// Networks behind one small interface: a TorchScript file, or our own layers (as a list or a preset).
#pragma once

#include "data/network_spec.hpp"
#include "neural/layers.hpp"
#include "neural/script_file.hpp"
#include "neural/shapes.hpp"

#include <torch/types.h>

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace neurasp::neural {

// Invariant: the tensors of a network stay the same objects for its whole life; new weights are copied into
// them. So optimisers may keep the tensors that parameters() returns.
class Network {
  public:
    explicit Network(std::string name) : name_(std::move(name)) {}
    Network(const Network &) = delete;
    Network &operator=(const Network &) = delete;
    virtual ~Network() = default;

    // Its name in the program, also used in diagnostics.
    const std::string &name() const noexcept { return name_; }

    // The outputs for a batch of inputs along dimension 0; differentiable.
    // Throws: InputError if the network cannot take the batch, or does not return one tensor for this batch.
    torch::Tensor forward(const torch::Tensor &batch);

    // The tensors that are learned, not copies; always in the same order.
    std::vector<torch::Tensor> parameters() const;
    std::int64_t parameter_count() const;

    // Whether dropout and batch normalisation behave as in training. A new network is in training.
    virtual void train(bool on) = 0;
    virtual bool is_training() const = 0;

    // A copy of all weights and buffers (such as the statistics of batch normalisation), always in the same
    // order.
    NamedTensors state() const;
    // Throws: InputError (network-weights) if names or shapes are not those of state(), or if a number that
    // should be finite is not; then nothing is changed. Diagnostics call the source of the weights `origin`.
    void set_state(const NamedTensors &state, const std::string &origin = "these weights");

    // Writes the network as a TorchScript module, for torch.jit.load in Python and for load() here. The
    // file is replaced completely or not at all. Throws: EnvironmentError.
    void save(const std::filesystem::path &file) const;
    // Takes the weights of a TorchScript module whose names and shapes agree.
    // Throws: EnvironmentError if the file cannot be read; InputError if it is broken or does not fit.
    void load(const std::filesystem::path &file);

    // A text that is saved with the network, for the layers above; empty if there is none.
    const std::string &note() const noexcept { return note_; }
    void set_note(std::string note) { note_ = std::move(note); }

    // Layers, shapes and numbers of parameters, in several lines, for people.
    virtual std::string description() const = 0;

  protected:
    struct Tensors {
        NamedTensors parameters;
        NamedTensors buffers;
    };

  private:
    virtual torch::Tensor run(const torch::Tensor &batch) = 0;
    virtual Tensors tensors() const = 0; // not copies
    virtual void write(std::ostream &out, const ExtraFiles &extra) const = 0;

    std::string name_;
    std::string note_;
};

// The network that `spec` describes, for inputs of shape `input` (without the batch). A TorchScript file
// is tried with zeros of that shape, unless `input` is empty.
// Throws: InputError for a wrong description or file, EnvironmentError for a missing file.
std::unique_ptr<Network> make_network(const data::NetworkSpec &spec, const Shape &input);

// The shape of the output for one input of shape `input`; does not change the network.
// Throws: InputError if the network cannot take it.
Shape output_shape(Network &network, const Shape &input);

} // namespace neurasp::neural
